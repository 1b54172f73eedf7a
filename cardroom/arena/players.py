"""The players of a simulation: seats that answer events, entrants by name, best responses.

How much a bot can be exploited, from below: a search that knows how it plays.

The bot ``exploit:TARGET`` searches with the target as the model of everybody, itself included, and
takes the move that gains most points by the end of the round. What it scores above one half
against the target, an opponent who knows the target can gain at least. A target that remembers
gets the events that the searching seat saw; of its own private cards it knows only those of the
sampled world.

The entrants of a simulation: a bot and, where the game has them, the side deck it brings.

Seats of one bot are one entrant, as it makes no difference which of them wins. With side decks
every seat is an entrant of its own: then the decks are what is compared.

The players of one playout, by how much a strategy needs to know.

Views and redacted events cost more than the rules themselves, so each strategy gets only what it
needs: the legal moves alone, the view, or the view and the events it remembers.

Games, options and bots by the names people write, with errors that say what is allowed.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from math import inf
from pathlib import Path
from random import Random
from typing import Any, Final, Protocol, Self, TypeAlias

import msgspec

from cardroom.arena.statistics import BadRequest, BotFault
from cardroom.rules import catalog, search
from cardroom.rules.bot import Bot, Search, named, random_move
from cardroom.rules.game import AnyGame
from cardroom.rules.search import LONGEST, RulesWorld, monte_carlo
from cardroom.rules.shuffles import seeded
from cardroom.rules.text import say
from cardroom.rules.values import (
    BadOptions,
    BadSideDeck,
    Event,
    Move,
    Options,
    Seat,
    Setup,
    State,
    Step,
    View,
    pick_seat,
)

NAME: Final = re.compile(r"exploit:(?P<target>.+?)(?::playouts=(?P<playouts>\d{1,6}))?")
PLAYOUTS: Final = 60


class ResponseWorld(RulesWorld):
    """A possible world in which all seats go on as the target would."""

    _target: Bot[Any]
    _margin: float | None = None  # of the round, once it is over

    def against(self, target: Bot[Any]) -> Self:
        self._target = target
        self._log: list[Event] = list(self._events)
        return self

    def sample(self, rng: Random) -> Self:
        return super().sample(rng).against(self._target)

    def copy(self) -> Self:
        return super().copy().against(self._target)

    def _play(self, seat: Seat, move: Move) -> None:
        step = self._game.play(self._state, seat, move, seeded(self._rng))
        self._state = step.state
        self._log += step.events
        if step.scores is not None:
            self._margin = self._lead(step.scores)

    def _lead(self, scores: Sequence[int]) -> float:
        """Of this side over the others, in points a side; the fewer places the better."""
        sides = self._game.sides_of(self._state.options)
        own = next(at for at, side in enumerate(sides) if self._seat in side)
        others = (sum(scores) - scores[own]) / (len(scores) - 1)
        lead = scores[own] - others
        return -lead if self._game.points_are_places else lead

    def playout(self) -> None:
        game, rng = self._game, self._rng
        for _ in range(LONGEST):
            acting = game.to_act(self._state)
            if self._margin is not None or not acting:
                return
            seat = pick_seat(acting, rng)
            moves = game.legal_moves(self._state, seat)
            forced = len(moves) == 1 and not game.represents_others(moves[0])
            self._play(seat, moves[0] if forced else self._reply(seat))

    def _reply(self, seat: Seat) -> Move:
        seen = [event.seen_by(seat) for event in self._log]
        events = self._game.recent_events(seen, self._target.remembers)
        return self._target.choose(self._game.view(self._state, seat), events, self._rng)

    def worth(self) -> float:
        return self._margin or 0.0


def best_response(game: AnyGame, target: Bot[Any], name: str, playouts: int) -> Bot[Any]:
    """The bot that searches against ``target``; ``BadRequest`` where no world can be imagined."""
    if game.imagine is None:
        raise BadRequest(f"{game.name} imagines no worlds, so nothing can search in it.")
    search: Search[Any] = Search(partial(_choose, game, target), playouts, playouts_a_ms=0.1)
    return search.bot(
        slug=name,
        name=f"Best response to {target.name}",
        summary="Searches with its target as the model of everybody.",
        level=1,
        rated=False,
        remembers="match",
        cost="slow",
    )


def _choose(
    game: AnyGame,
    target: Bot[Any],
    view: View,
    events: Sequence[Event],
    rng: Random,
    playouts: int,
) -> Move:
    seat = view.to_act[0] if view.seat is None else view.seat
    world = ResponseWorld(game, view, seat, events).against(target)
    return search.best_move(world, view.legal_moves, playouts, rng, near=0.0)


SideDecks: TypeAlias = tuple[tuple[str, ...], ...]  # one a seat


@dataclass(frozen=True)
class Entrant:
    """``name`` is what its figures are kept under."""

    name: str
    bot: Bot[Any]
    side_deck: tuple[str, ...] | None = None

    def setup(self) -> Setup:
        return Setup(name=self.bot.name, bot=self.bot.slug, side_deck=self.side_deck)


def entrants(bots: Sequence[Bot[Any]], side_decks: SideDecks = ()) -> tuple[Entrant, ...]:
    """One a seat, in the order asked for."""
    names = entrant_names([bot.slug for bot in bots], side_decks)
    if not side_decks:
        return tuple(map(Entrant, names, bots))
    return tuple(map(Entrant, names, bots, side_decks))


def entrant_names(bots: Sequence[str], side_decks: SideDecks = ()) -> tuple[str, ...]:
    """A bot's own name; with side decks numbered (``random 1``) where several seats have it."""
    if not side_decks:
        return tuple(bots)
    return tuple(
        f"{bot} {seat}" if bots.count(bot) > 1 else bot for seat, bot in enumerate(bots, start=1)
    )


def check_side_decks(
    game: AnyGame, options: Options, bots: Sequence[str], side_decks: SideDecks
) -> None:
    """``BadRequest`` unless there is a legal side deck for every seat, or none at all."""
    if not side_decks:
        return
    if not game.needs_side_deck:
        raise BadRequest(f"{game.name} is played without side decks.")
    if len(side_decks) != len(bots):
        raise BadRequest(f"{len(side_decks)} side decks are given for {len(bots)} seats.")
    for bot, deck in zip(bots, side_decks, strict=True):
        try:
            game.complete_setup(options, Setup(name=bot, bot=bot, side_deck=deck))
        except BadSideDeck as error:
            raise BadRequest(str(error)) from None


def rotations(seated: Sequence[Entrant]) -> tuple[tuple[Entrant, ...], ...]:
    """Every different seating that comes of moving all entrants round the table."""
    turned = (tuple(seated[shift:]) + tuple(seated[:shift]) for shift in range(len(seated)))
    return tuple({tuple(each.name for each in seating): seating for seating in turned}.values())


class Player(Protocol):
    """Chooses among two or more legal moves."""

    def choose(self, state: State, moves: tuple[Move, ...]) -> Move: ...


class RandomPlayer:
    """Plays the ``random`` bot, which needs no view."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, state: State, moves: tuple[Move, ...]) -> Move:
        return self._rng.choice(moves)


class ViewPlayer:
    """Plays a bot that decides from the view alone."""

    def __init__(self, game: AnyGame, seat: Seat, bot: Bot[Any], rng: Random) -> None:
        self._view = game.view
        self._seat = seat
        self._bot_choice = bot.choose
        self._rng = rng
        self.remembered: list[Event] = []

    def choose(self, state: State, moves: tuple[Move, ...]) -> Move:
        move = self._bot_choice(self._view(state, self._seat), self.remembered, self._rng)
        if not isinstance(move, str):
            raise BotFault(f"must return a move as text, not {move!r}")
        return move


class EventPlayer(ViewPlayer):
    """Plays a bot that reads the events of its round or match as its seat saw them."""

    def __init__(self, game: AnyGame, seat: Seat, bot: Bot[Any], rng: Random) -> None:
        super().__init__(game, seat, bot, rng)
        self._recall = game.recent_events
        self._remembers = bot.remembers

    def observe(self, step: Step[Any]) -> None:
        """Keeps the events of a step; the one that ends a round also opens the next."""
        seat = self._seat
        self.remembered += [event.seen_by(seat) for event in step.events]
        if step.scores is not None:
            self.remembered = list(self._recall(self.remembered, self._remembers))


def seat_player(game: AnyGame, seat: Seat, bot: Bot[Any], rng: Random) -> Player:
    """The player that gives ``bot`` what it needs and no more."""
    if bot.choose is random_move:
        return RandomPlayer(rng)
    if bot.remembers == "nothing":
        return ViewPlayer(game, seat, bot, rng)
    return EventPlayer(game, seat, bot, rng)


TRAINED: Final = "trained:"


def find_game(slug: str, version: int | None = None) -> AnyGame:
    """The game by this version of its rules, unless one is named by the newest."""
    try:
        game = catalog.find(slug)
    except KeyError:
        known = _listed(game.slug for game in catalog.GAMES)
        raise BadRequest(f"There is no game {slug!r}; there are: {known}.") from None
    try:
        return game if version is None else game.by_version(version)
    except KeyError:
        sentence = f"{game.name} is not played here by version {version} of its rules."
        raise BadRequest(sentence) from None


def find_bot(game: AnyGame, name: str, *, custom: bool = False) -> Bot[Any]:
    """The game's bot of this name or, where ``custom`` allows it, the one at ``module:name``.

    ``custom`` also allows a bot that searches any budget, ``mc`` and ``exploit:TARGET`` for games
    that imagine worlds, and ``trained:FILE`` for a player that was trained.
    """
    if custom and _is_trained(name):
        return _trained(game, name)
    exploiting = NAME.fullmatch(name) if custom else None
    if exploiting:
        target = find_bot(game, exploiting["target"], custom=True)
        return best_response(game, target, name, int(exploiting["playouts"] or PLAYOUTS))
    if custom and is_own(name):
        return _import_bot(name)
    try:
        if custom and game.imagine is not None:
            return named((*game.bots, monte_carlo(game)), name, inf)
        return named(game.bots, name)
    except KeyError:
        known = _listed(bot.slug for bot in game.bots)
        if custom:
            known += ", or your own as module:function"
        sentence = say(
            "{game} has no bot {bot}; there are: {known}.",
            game=say(game.name),
            bot=repr(name),
            known=known,
        )
        raise BadRequest(sentence) from None


def is_own(name: str) -> bool:
    """Whether it names a strategy of one's own, as ``module:function``."""
    return ":" in name and "=" not in name and not NAME.fullmatch(name) and not _is_trained(name)


def _is_trained(name: str) -> bool:
    return name.startswith(TRAINED)


def seat_names(names: Sequence[str], sides: Sequence[Sequence[Seat]]) -> tuple[str, ...]:
    """One name a seat; the last one named takes what is left.

    Where partners play together and there are no more names than sides, a name stands for a side.
    """
    seats = sum(map(len, sides))
    if not 1 <= len(names) <= seats:
        sentence = say(
            "{n} bots are named for {seats} seats; name 1 to {seats}.", n=len(names), seats=seats
        )
        raise BadRequest(sentence)
    if len(names) > len(sides):
        return _filled(names, seats)
    named = zip(sides, _filled(names, len(sides)), strict=True)
    by_seat = {seat: name for side, name in named for seat in side}
    return tuple(by_seat[seat] for seat in range(seats))


def _filled(names: Sequence[str], places: int) -> tuple[str, ...]:
    return tuple(names) + (names[-1],) * (places - len(names))


def read_pairs(pairs: Iterable[str]) -> dict[str, Any]:
    """Options from ``name=value`` texts; a value is JSON where it reads as JSON, else a word."""
    values = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise BadRequest(f"An option is written name=value, not {pair!r}.")
        values[name.strip()] = _read_value(value.strip())
    return values


def choose_options(game: AnyGame, values: Mapping[str, Any], preset: str | None = None) -> Options:
    """The options of a match; ``BadRequest`` names what is wrong and what is allowed."""
    known = game.options.__struct_fields__
    for name in values:
        if name not in known:
            raise BadRequest(f"{game.name} has no option {name!r}; there are: {_listed(known)}.")
    try:
        return game.choose_options(values, preset)  # type: ignore[no-any-return]
    except BadOptions as error:
        allowed = "".join(
            f" {name} is {allowed_values(game.options, name)}."
            for name in values
            if f"$.{name}`" in str(error)
        )
        raise BadRequest(f"{error}{allowed}") from None


def allowed_values(options: type[Options], name: str) -> str:
    """The allowed values of an option, in words: ``one of open, mortgage`` or ``2 to 8``."""
    info = msgspec.inspect.type_info(options)
    assert isinstance(info, msgspec.inspect.StructType)  # noqa: S101
    return next(_in_words(field.type) for field in info.fields if field.name == name)


def _in_words(kind: msgspec.inspect.Type) -> str:
    match kind:
        case msgspec.inspect.Metadata(type=inner):
            return _in_words(inner)
        case msgspec.inspect.UnionType(types=types):
            return " or ".join(_in_words(each) for each in types)
        case msgspec.inspect.LiteralType(values=values):
            return f"one of {_listed(str(value) for value in values)}"
        case msgspec.inspect.IntType(ge=low, le=high):
            return _range(low, high)
        case msgspec.inspect.BoolType():
            return "true or false"
        case msgspec.inspect.NoneType():
            return "null"
        case _:
            return "a text"


def _range(low: int | None, high: int | None) -> str:
    if low is None and high is None:
        return "a whole number"
    if high is None:
        return f"a whole number from {low} up"
    return f"a whole number up to {high}" if low is None else f"{low} to {high}"


def _read_value(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text


def _trained(game: AnyGame, name: str) -> Bot[Any]:
    """A trained bot from its file; a late import, since environments are above and need numpy."""
    try:
        trained = import_module("cardroom.research.parallel")
    except ModuleNotFoundError as error:
        raise BadRequest(f"{name} needs {error.name}: pip install 'cardroom[research]'.") from None
    made: Bot[Any] = trained.bot(game, Path(name.removeprefix(TRAINED)), name)
    return made


def _import_bot(path: str) -> Bot[Any]:
    """A ``Bot``, or a function that gets every event of the match."""
    module, _, name = path.partition(":")
    try:
        home = import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise  # the module is there, but something it imports is not
        raise BadRequest(f"There is no module {module!r} to import a bot from.") from None
    imported = getattr(home, name, None)
    if imported is None:
        raise BadRequest(f"Module {module!r} has no {name!r}.")
    choose = imported.choose if isinstance(imported, Bot) else imported
    if not callable(choose):
        raise BadRequest(f"{path!r} is neither a Bot nor a function (view, events, rng).")
    remembers = imported.remembers if isinstance(imported, Bot) else "match"
    return Bot(path, name, "", 1, choose, rated=False, remembers=remembers)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
