"""Matches for the checks, with every step noted; random draws; the account of one reader.

Draws of a check: seeds, choices, options. A seeded generator here, Hypothesis in pytest.

One match, played as a service would play it, and everything that happened noted.

The account of one reader at a position: the view and all that is made of it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import chain, combinations_with_replacement
from random import Random
from typing import Any, ClassVar, Final, Protocol, TypeVar

import msgspec
from msgspec import inspect
from msgspec.structs import asdict

from cardroom.rules import course, position, record
from cardroom.rules.course import DeckPlaces
from cardroom.rules.game import AnyGame
from cardroom.rules.shuffles import RecordingShuffle, Sealed, Shuffle, commitment, seeded
from cardroom.rules.values import (
    BadOptions,
    Event,
    HistoryStep,
    Options,
    Outcome,
    Resigned,
    Seat,
    Setup,
    Step,
    View,
)

T = TypeVar("T")
LARGEST_SEED: Final = 2**32
RANGE: Final = 160  # of the numbers that an option without an upper bound is given
BOLD: Final = (1, 2, 4)  # quarters of the options that are drawn and not the default
SEATS: Final = "players"  # the option that says how many there are, where there is one
TRIES: Final = 30  # for options that do not contradict themselves


class Luck(Protocol):
    """Draws of one example. ``reach`` says how many times as long as usual its matches may be."""

    reach: int

    def number(self, least: int, most: int) -> int: ...

    def one_of(self, items: Sequence[T]) -> T: ...


class Dice:
    """The luck of one seed."""

    def __init__(self, seed: object, reach: int = 1) -> None:
        self._rng = Random(str(seed))
        self.reach = reach

    def number(self, least: int, most: int) -> int:
        return self._rng.randint(least, most)

    def one_of(self, items: Sequence[T]) -> T:
        return self._rng.choice(items)


def seed(luck: Luck) -> int:
    return luck.number(0, LARGEST_SEED)


def any_options(game: AnyGame, luck: Luck, **fixed: Any) -> Options:
    """Any options that the game's check lets pass, drawn from the types of their fields."""
    fields = [field for field in _fields(game) if field.name not in fixed]
    for _ in range(TRIES):
        bold = luck.one_of(BOLD)
        values = {field.name: _value(field, luck, bold) for field in fields}
        try:
            return _chosen(game, values | fixed)
        except BadOptions:
            continue
    usual = luck.one_of([game.options(), *game.presets.values()])
    return _chosen(game, asdict(usual) | fixed)


def options_that_meet(game: AnyGame) -> Iterator[Options]:
    """Options under which every two choices of two fields meet, in as few as a greedy search finds.

    Fewest and most seats are choices; other numbers stand at their ends one at a time.
    """
    choices = {field.name: _choices(field) for field in _fields(game)}
    bases = [asdict(usual) for usual in (game.options(), *game.presets.values())]
    values = [(name, value) for name in choices for value in choices[name]]
    unmet = dict.fromkeys(
        frozenset({one, other})
        for one, other in combinations_with_replacement(values, 2)
        if one == other or one[0] != other[0]
    )
    while unmet:
        pair = next(iter(unmet))
        more: list[dict[str, Any]] = [{}, *({name: value} for name, value in values)]
        tried = (base | other | dict(pair) for other in more for base in bases)
        row = next((one for one in tried if _is_allowed(game, one)), None)
        if row is None:  # they exclude each other
            del unmet[pair]
            continue
        decided = dict(pair)
        for name in [name for name in choices if name not in decided]:
            ranked = sorted(choices[name], key=lambda value: -_news(unmet, decided, name, value))
            fits = (value for value in ranked if _is_allowed(game, row | {name: value}))
            row[name] = decided[name] = next(fits, row[name])
        for met in combinations_with_replacement(decided.items(), 2):
            unmet.pop(frozenset(met), None)
        yield _chosen(game, row)
    for option in _fields(game):
        for end in _ends(option):
            if _is_allowed(game, bases[0] | {option.name: end}):
                yield _chosen(game, bases[0] | {option.name: end})


def _news(unmet: Mapping[Any, None], decided: Mapping[str, Any], name: str, value: Any) -> int:
    """How many pairs meet for the first time with this value."""
    return sum(frozenset({(name, value), one}) in unmet for one in decided.items())


def _is_allowed(game: AnyGame, values: dict[str, Any]) -> bool:
    try:
        _chosen(game, values)
    except BadOptions:
        return False
    return True


def _chosen(game: AnyGame, values: dict[str, Any]) -> Options:
    options: Options = game.choose_options(values)
    return options


def _fields(game: AnyGame) -> tuple[inspect.Field, ...]:
    info = inspect.type_info(game.options)
    assert isinstance(info, inspect.StructType)  # noqa: S101 - options are a struct
    return info.fields


def _value(field: inspect.Field, luck: Luck, bold: int) -> Any:
    """The default, unless the draw is ``bold``; faults hide where two rare values meet."""
    return _of_type(field.type, luck) if luck.number(1, 4) <= bold else field.default


def _of_type(kind: inspect.Type, luck: Luck) -> Any:
    match kind:
        case inspect.Metadata():
            return _of_type(kind.type, luck)
        case inspect.BoolType():
            return luck.one_of((False, True))
        case inspect.NoneType():
            return None
        case inspect.LiteralType():
            return luck.one_of(kind.values)
        case inspect.UnionType():
            return _of_type(luck.one_of(kind.types), luck)
        case inspect.IntType():
            return luck.number(*_range(kind))
    raise TypeError(f"The contract cannot draw an option of type {kind}.")


def _choices(field: inspect.Field) -> list[Any]:
    """Values of an option to try: of a number its default; of seats the fewest and the most."""
    values: list[Any] = []
    for kind in _kinds(field.type):
        match kind:
            case inspect.BoolType():
                values += [False, True]
            case inspect.NoneType():
                values.append(None)
            case inspect.LiteralType():
                values += kind.values
            case inspect.IntType() if field.name == SEATS:
                values += dict.fromkeys(_range(kind))
            case _ if field.default is not None:
                values.append(field.default)
    return values


def _ends(field: inspect.Field) -> list[int]:
    kinds = [kind for kind in _kinds(field.type) if isinstance(kind, inspect.IntType)]
    return [end for kind in kinds if field.name != SEATS for end in _range(kind)]


def _kinds(kind: inspect.Type) -> list[inspect.Type]:
    """The types of which a value may be, without what is noted of them."""
    match kind:
        case inspect.Metadata():
            return _kinds(kind.type)
        case inspect.UnionType():
            return [one for inner in kind.types for one in _kinds(inner)]
    return [kind]


def _range(kind: inspect.IntType) -> tuple[int, int]:
    least = kind.ge if kind.ge is not None else 0
    most = kind.le if kind.le is not None else least + RANGE
    return least, min(most, least + RANGE)


NAMES = ["Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hera", "Ivo"]
NAMES += ["Jana", "Kurt", "Lea", "Max", "Nora", "Otto", "Pia", "Quin", "Rosa"]
START = datetime(2026, 11, 21, 10, tzinfo=UTC)


def encoded(value: Any) -> bytes:
    return msgspec.json.encode(value)


def scratch() -> Shuffle:
    return seeded(Random(1))


def counted(game: AnyGame, cards: Iterable[Any]) -> Counter[str]:
    return Counter(game.card_text(card) for card in cards)


def setups(game: AnyGame, options: Options) -> tuple[Setup, ...]:
    return tuple(game.complete_setup(options, Setup(name)) for name in NAMES[: game.seats(options)])


def seed_of(number: int) -> bytes:
    return number.to_bytes(32, "big")


@dataclass
class Sitting:
    """One match, kept as a service would keep it, with its record at the end."""

    game: AnyGame
    options: Options
    seed: bytes
    state: Any = None
    history: list[HistoryStep] = field(default_factory=list)
    rounds: list[dict[str, Any]] = field(default_factory=list)
    resigned: list[Seat] = field(default_factory=list)
    version: int = 0
    last: Step[Any] | None = None
    loaded_from: record.LoadedFrom | None = None
    match: str = "0193aaaa"
    trying: str = "the start"
    openings: dict[int, tuple[Any, list[HistoryStep], list[Seat]]] = field(default_factory=dict)
    places: DeckPlaces = field(default_factory=DeckPlaces)
    latest: ClassVar["Sitting | None"] = None  # what a failing check was at

    def __post_init__(self) -> None:
        self.setups = setups(self.game, self.options)
        self.sides = self.game.sides_of(self.options)
        self.sealed: Shuffle = Sealed(self.seed)
        Sitting.latest = self

    def where(self) -> str:
        """The match and its position, for the message of a failing check."""
        moves = [move for line in self.rounds for move in line["moves"]]
        lines = f"{self.game.name}, seed {int.from_bytes(self.seed)}, version {self.version}"
        lines += f"\nLast tried: {self.trying}\nMoves: {'; '.join(moves[-20:]) or 'none'}\n"
        return lines + (self._position() if self.state else f"{self.options}")

    def _position(self) -> str:
        try:
            return position.write(self.game, self.state)
        except TypeError:  # a state that has no text form is another check's fault
            return f"{self.state}"

    @classmethod
    def begun(cls, game: AnyGame, options: Options, number: int = 1) -> "Sitting":
        sitting = cls(game, options, seed_of(number))
        sitting.begin()
        return sitting

    def begin(self) -> None:
        noted = RecordingShuffle(self.sealed)
        step = self.game.start(self.options, self.setups, noted)
        self._open_round(1, noted, step)

    @property
    def outcome(self) -> Outcome | None:
        natural = self.game.outcome(self.state)
        if natural is None and not course.ends_match(self.sides, self.resigned):
            return None
        return course.conclude(self.sides, self.resigned, self.scores, natural)

    @property
    def scores(self) -> list[tuple[int, ...]]:
        standing = [line for line in self.rounds if not line["undone"]]
        return [line["scores"] for line in standing if line["scores"] is not None]

    @property
    def number(self) -> int:
        return int(self.rounds[-1]["number"])

    def play(self, seat: Seat, move: str, *, past: bool = False) -> Step[Any]:
        """``past``: it was made before its cards were dealt again."""
        Sitting.latest, self.trying = self, record.entry(seat, move)
        noted = RecordingShuffle(self.sealed)
        play = self.game.play_past if past else self.game.play
        step = play(self.state, seat, move, noted)
        self.version += 1
        self.rounds[-1]["moves"].append(record.entry(seat, step.move))
        if step.scores is not None:
            self.rounds[-1]["scores"] = step.scores
        if step.scores is not None and self.game.outcome(step.state) is None:
            self._open_round(self.number + 1, noted, step)
        else:
            self.rounds[-1]["decks"] += noted.decks
            self.places.dealt(len(noted.decks))
            self._keep(step, noted)
        return step

    def resign(self, seat: Seat) -> None:
        course.check_may_resign(self.game, self.state, self.resigned, seat)
        self.resigned.append(seat)
        self.version += 1
        self.rounds[-1]["moves"].append(record.entry(seat, course.RESIGN))
        self.history.append(HistoryStep(self.number, (), (Resigned(seat),)))

    def roll_back(self, number: int) -> "Sitting":
        """Goes on from the opening of this round, dealt again (FORMAT.md, Rolled back)."""
        opening, past, resigned = self.openings[number]
        redealt = course.deal_again(self.game, opening, past, self.sealed)
        self.version += 1
        self.rounds[-1]["moves"].append(record.entry(None, course.move_of(number)))
        for line in self.rounds:
            line["undone"] |= line["number"] >= number
        where, again = self.places.reopened(number, redealt.moved)
        self._list_round(number, [redealt.decks[deck] for deck in again], where)
        self.state, self.history = redealt.state, redealt.history(past)
        self.resigned = list(resigned)
        self.openings = {n: was for n, was in self.openings.items() if n < number}
        self.openings[number] = redealt.state, list(self.history), resigned
        return self

    def _open_round(self, number: int, noted: RecordingShuffle, step: Step[Any]) -> None:
        self._list_round(number, list(noted.decks))
        self.places.opened(number, len(noted.decks))
        self._keep(step, noted)
        self.openings[number] = step.state, list(self.history), list(self.resigned)

    def _list_round(self, number: int, decks: list[Any], reshuffled: Any = None) -> None:
        line = {"number": number, "decks": decks, "moves": [], "scores": None}
        self.rounds.append(line | {"undone": False, "reshuffled": reshuffled})

    def _keep(self, step: Step[Any], noted: RecordingShuffle) -> None:
        self.state, self.last = step.state, step
        decks: Any = tuple(noted.decks)
        self.history.append(HistoryStep(self.number, decks, step.events))

    def seen_by(self, seat: Seat | None) -> list[Any]:
        return [event.seen_by(seat) for past in self.history for event in past.events]

    def play_on(self, rng: Random, plies: int = 10**6) -> "Sitting":
        for _ in self.plies(rng, plies):
            pass
        return self

    def plies(self, rng: Random, plies: int = 10**6) -> Iterator[Step[Any]]:
        """Random legal moves until the end or so many plies."""
        for _ in range(plies):
            if self.outcome is not None:
                return
            seat = rng.choice(self.game.to_act(self.state))
            yield self.play(seat, rng.choice(self.game.legal_moves(self.state, seat)))

    def so_far_and(self, steps: Iterable[Step[Any]]) -> Iterator[tuple["Sitting", Step[Any]]]:
        """This sitting with its last step, then with each further one as it is played."""
        assert self.last is not None  # noqa: S101 - it has begun
        yield from ((self, step) for step in chain([self.last], steps))

    def record(self, reason: str | None = None) -> record.Record:
        """The record as it stands: finished, or aborted when the match still goes on."""
        ending = self.outcome or course.aborted(self.sides, self.scores)
        return record.build(
            self.game,
            match=self.match,
            options=self.options,
            seats=[
                record.RecordedSeat(name=setup.name, kind="user", side_deck=setup.side_deck)
                for setup in self.setups
            ],
            seed=self.seed,
            started_at=START,
            finished_at=START + timedelta(minutes=20),
            rounds=[
                record.RecordedRound(
                    number=line["number"],
                    shuffles=tuple(record.deck_text(self.game, deck) for deck in line["decks"]),
                    moves=tuple(line["moves"]),
                    scores=line["scores"],
                    undone=line["undone"],
                    reshuffled=_reshuffled(line["reshuffled"]),
                )
                for line in self.rounds
            ],
            outcome=msgspec.structs.replace(ending, reason=reason or ending.reason),
            loaded_from=self.loaded_from,
        )

    def loaded(
        self, number: int, seats: frozenset[Seat] | None, *, secret: bool = False
    ) -> "Sitting":
        """A match that goes on from here, its cards the same or (for ``seats``) dealt again."""
        new = Sitting(self.game, self.options, seed_of(number), match=f"0193-{number}")
        new.resigned, new.version = list(self.resigned), self.version
        new.state, new.history = self.state, list(self.history)
        reshuffled = None
        if seats is not None:
            redealt = self.game.redeal(self.state, tuple(self.history), seats, new.sealed)
            new.state = redealt.state
            new.history = redealt.history(self.history)
            reshuffled = _reshuffled(redealt.moved)
        new.places = deepcopy(self.places)
        new.rounds = _listing(self.rounds, new.history)
        new.loaded_from = record.LoadedFrom(
            match=self.match,
            version=self.version,
            cards="same" if seats is None else "reshuffled",
            seats=tuple(range(len(self.setups)) if seats is None else sorted(seats)),
            shuffles=sum(len(past.decks) for past in self.history),
            commitment=commitment(self.seed),
            seed=None if secret else self.seed.hex(),
            reshuffled=reshuffled,
            loaded_from=self.loaded_from,
        )
        return new


def _listing(rounds: list[dict[str, Any]], history: list[HistoryStep]) -> list[dict[str, Any]]:
    """The rounds so far, their decks as they now lie."""
    decks = iter([deck for past in history for deck in past.decks])
    return [
        line | {"decks": [next(decks) for _ in line["decks"]], "moves": list(line["moves"])}
        for line in rounds
    ]


def _reshuffled(moved: Any) -> tuple[record.Reshuffled, ...] | None:
    return None if moved is None else tuple(record.Reshuffled(*one) for one in moved)


def begun(game: AnyGame, luck: Luck, **fixed: Any) -> Sitting:
    """The start of a match under any options."""
    return Sitting.begun(game, any_options(game, luck, **fixed), seed(luck))


def positions(game: AnyGame, luck: Luck, plies: int) -> Iterator[tuple[Sitting, Step[Any]]]:
    """The positions of one random match under any options, from the start on."""
    sitting = begun(game, luck)
    return sitting.so_far_and(sitting.plies(Random(seed(luck)), plies * luck.reach))


def somewhere(game: AnyGame, luck: Luck, plies: int = 60) -> Sitting:
    """One position of a random match under any options."""
    sitting, number = begun(game, luck), seed(luck)
    sitting.play_on(Random(number), luck.number(0, plies))
    if sitting.outcome is None or luck.number(0, 3) == 0:
        return sitting
    earlier = luck.number(0, sitting.version - 1)  # most positions are of matches that go on
    again = Sitting.begun(game, sitting.options, int.from_bytes(sitting.seed))
    return again.play_on(Random(number), earlier)


def account(
    game: AnyGame, view: View, seat: Seat | None, events: Sequence[Event] = ()
) -> dict[str, Any]:
    """View, events, sentences, labels, numbers and notes as plain values, to be compared."""
    seen = [event.seen_by(seat) for event in events]
    return {
        "view": msgspec.to_builtins(view),
        "events": [msgspec.to_builtins(event) for event in seen],
        "sentences": [str(game.sentence(event, NAMES, seat)) for event in seen],
        "labels": [str(game.label(move)) for move in view.legal_moves],
        "numbers": [] if game.observe is None else list(game.observe(view)),
        "actions": dict(game.actions.among(view.legal_moves)) if game.actions else {},
        "notes": {name: words.description() for name, words in game.option_words.items()},
    }
