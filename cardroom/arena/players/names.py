"""Games, options and bots by the names people write, with errors that say what is allowed."""

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from math import inf
from pathlib import Path
from typing import Any, Final

import msgspec

from cardroom.arena.errors import BadRequest
from cardroom.arena.players.best_response import NAME, PLAYOUTS, best_response
from cardroom.rules import catalog
from cardroom.rules.bot import Bot, named
from cardroom.rules.errors import BadOptions
from cardroom.rules.game import AnyGame
from cardroom.rules.rules_world import monte_carlo
from cardroom.rules.text import say
from cardroom.rules.values import Options, Seat

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
    """What an option may be, in words: ``one of open, mortgage`` or ``2 to 8``."""
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
    """What a training wrote; apart, because environments stand above the arena and need numpy."""
    try:
        trained = import_module("cardroom.research.trained")
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
