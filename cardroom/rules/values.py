"""The values of a game: options, state, events, view, outcome and the steps between states.

All are frozen ``msgspec`` structs; a move is a ``str`` in the notation of the game.

Tables that bots have learned: files of whole numbers, two bytes each, compressed.

The causes of a result, as the recap of a game counts them from events that everybody saw.

Reasons for the worth of a move, as facts: a kind, and the numbers and cards that go with it.

A game says which facts its seat could know (``Reasons.of``) and how they read (``Reasons.words``).
The facts are stored and sent; the words are made where they are shown.

The luck of a game, for those who take it out of a result (``cardroom.arena.luck``).

At a step of chance the cards that nobody has seen yet might have lain otherwise. ``worth`` values
what came of it and what could have come of it instead. Whatever ``worth`` says, the difference is
nothing in the mean; the better it foresees the result, the more luck it takes out.

Refusals of the rules, by cause.

Each error keeps its sentence as a phrase, so that a door can translate it; ``str(error)`` is the
English text.

Seats: their sides, places and order, and tuples with one item a seat.

The collector of a game's events and shuffles in a start or a move.
"""

import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from lzma import compress, decompress
from pathlib import Path
from random import Random
from sys import byteorder
from typing import Annotated, Any, ClassVar, Final, Generic, NamedTuple, TypeAlias, TypeVar

import msgspec

from cardroom.rules.shuffles import Shuffle
from cardroom.rules.text import Phrase, Words, say

# In the types of a view this says which numbers are seats, drawn by name; decoding ignores it.
Seat: TypeAlias = Annotated[int, msgspec.Meta(extra={"seat": True})]
Move: TypeAlias = str

# In the types of a state these say which numbers are cards; decoding ignores it.
Card: TypeAlias = Annotated[int, msgspec.Meta(extra={"card": True})]
CardSet: TypeAlias = Annotated[int, msgspec.Meta(extra={"card_set": True})]  # card c is bit 1 << c

AnyCard: TypeAlias = int | str  # as the decks of all games have them, codes of side cards included
Deck: TypeAlias = tuple[AnyCard, ...]


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The rule choices of a match; every field has the default of the rules §2."""


class State(msgspec.Struct, frozen=True):
    """Everything about a match at one version, secrets included. Never leaves the service."""


class Event(msgspec.Struct, frozen=True, tag_field="type", tag=_snake):
    """Something that happened, in the past tense; the fields are those of the rules §4.

    No field may be named ``version``, ``by``, ``move`` or ``type``: these stand beside the fields
    wherever events are listed. ``face_up`` says that the cards it names were turned up for all to
    see, though they may lie in a hand or under a pile by the end of the step.
    """

    face_up: ClassVar[bool] = False

    def seen_by(self, seat: Seat | None) -> "Event":
        """The event as ``seat`` (``None``: a spectator) may know it. Public unless overridden."""
        return self


class Resigned(Event, frozen=True):
    """A seat gave up, or its time ran out; a bot plays it on when others still contend."""

    seat: Seat
    timed_out: bool = False


class RolledBack(Event, frozen=True):
    """The match was taken back to a round's opening, which was dealt again.

    An operator did it, or all people at the table together.

    The events of the new deal follow in the same ply.
    """

    round: int


class Measure(msgspec.Struct, frozen=True):
    """Counts the events of one type that pass ``where``; ``name`` is a plural noun."""

    name: str
    event: type[Event]
    where: Callable[[Any], bool] | None = None


class View(msgspec.Struct, frozen=True, kw_only=True):
    """The knowledge of one seat, built from what is allowed (rules §5), never a state cut down."""

    seat: Seat | None
    to_act: tuple[Seat, ...]
    legal_moves: tuple[Move, ...] = ()


class Outcome(msgspec.Struct, frozen=True):
    """Who won and why: ``winners`` seats, ``points`` a side, ``places`` a seat (1 = best)."""

    winners: tuple[Seat, ...]
    points: tuple[int, ...]
    reason: str
    places: tuple[int, ...]


class Setup(msgspec.Struct, frozen=True):
    """A player as the rules know one: the name, the bot if it is one, the side deck brought."""

    name: str
    bot: str | None = None
    side_deck: tuple[str, ...] | None = None


S = TypeVar("S", bound=State)


class Step(msgspec.Struct, Generic[S], frozen=True):
    """The result of a start or a move.

    ``scores`` is set when the move ended a round: one number a side, as in FORMAT.md
    ``rounds[].scores``. Unless the match is over the next round is then already dealt in
    ``state``, which is that round's opening. ``move`` is the move in its recorded spelling.
    """

    state: S
    events: tuple[Event, ...]
    scores: tuple[int, ...] | None = None
    move: Move = ""


class HistoryStep(msgspec.Struct, frozen=True):
    """One step of a match's history as re-dealing needs it: the start (ply 0) or one move.

    ``round`` is the number (from 1) of the round that the events belong to at their end;
    ``decks`` are the decks this step consumed, top first; ``events`` are unredacted.
    """

    round: int
    decks: tuple[Deck, ...]
    events: tuple[Event, ...]


class Pinned(msgspec.Struct, frozen=True):
    """Cards that a re-deal leaves where they are though the seats do not know them, and why.

    ``positions`` are lists of places, each with the number of its deck in the history given.
    """

    reason: str
    positions: tuple[tuple[int, tuple[int, ...]], ...]

    def places(self) -> Iterator[tuple[int, int]]:
        """Every pinned place, with the number of its deck."""
        return ((deck, at) for deck, places in self.positions for at in places)


class Redealt(msgspec.Struct, Generic[S], frozen=True):
    """A state in which every card that some seats could not know is dealt again.

    ``decks`` are all decks of the history as they now lie; ``moved`` lists, in the order of their
    numbers, each deck re-dealt and the positions whose cards were shuffled among themselves;
    ``events`` are those of every step as they read now: what another seat was shown in
    private are the cards that it now holds.
    """

    state: S
    decks: tuple[Deck, ...]
    moved: tuple[tuple[int, tuple[int, ...]], ...]
    events: tuple[tuple[Event, ...], ...]

    def history(self, past: Sequence[HistoryStep]) -> list[HistoryStep]:
        """The same steps with the decks and events as they now are."""
        decks = iter(self.decks)
        return [
            HistoryStep(step.round, tuple([next(decks) for _ in step.decks]), events)
            for step, events in zip(past, self.events, strict=True)
        ]


class Weighing(NamedTuple):
    """The worth of the moves of a seat to it: ``means[move][batch]``, each from 0 to 1.

    A batch is worlds of its own, the same for all moves, so the batches say how certain the
    difference between two moves is. A single batch is exact.
    """

    moves: tuple[Move, ...]
    means: tuple[tuple[float, ...], ...]

    def spread(self, same: Mapping[Move, Move]) -> "Weighing":
        """For every move of ``same``, what the one that does the same was worth."""
        means = dict(zip(self.moves, self.means, strict=True))
        return Weighing(tuple(same), tuple(means[move] for move in same.values()))


LARGEST: Final = 2**15 - 1
TWO_BYTES: Final = "h"


def read(file: Path) -> "array[int]":
    table = array(TWO_BYTES)
    table.frombytes(decompress(file.read_bytes()))
    return _little_endian(table)


def packed(numbers: Iterable[float]) -> bytes:
    """The content of such a file; the numbers rounded, and none further from 0 than ``LARGEST``."""
    whole = (max(-LARGEST, min(LARGEST, round(number))) for number in numbers)
    return compress(_little_endian(array(TWO_BYTES, whole)).tobytes(), preset=9)


def _little_endian(table: "array[int]") -> "array[int]":
    if byteorder == "big":
        table.byteswap()
    return table


@dataclass(frozen=True)
class Cause:
    """So many points of a result, or cards, or piles; fewer than none where they were lost."""

    what: Words
    points: int


V = TypeVar("V", bound=View)


class Reason(msgspec.Struct, frozen=True):
    """``kind`` names a sentence of the game; a number called ``percent`` is of possible worlds."""

    kind: str
    values: dict[str, int | str]


ReasonsOf: TypeAlias = Callable[[V, Sequence[Event], Random, Sequence[Move]], Mapping[Move, Reason]]


@dataclass(frozen=True)
class Reasons(Generic[V]):
    """``of`` gives a reason to those of the moves that have one, from what the seat knows alone."""

    of: "ReasonsOf[V]"
    words: Callable[[Reason], Words]


def percent(part: float, whole: float) -> int:
    return round(100 * part / whole) if whole else 0


Weighted: TypeAlias = tuple[float, S]


Added: TypeAlias = Callable[
    [S | None, S, Seat, Move, Sequence[str], Random], Sequence[float] | None
]


@dataclass(frozen=True)
class Chances(Generic[S]):
    """``falls``: whether a move brings unseen cards. It must follow from what has happened so far.

    ``again`` lays every card that nobody has seen in a new random order. ``each`` lists all that
    can fall with this move with its chance, where that is few: states before it; empty elsewhere.
    ``worth`` is the chance of each side to win, as a guess. With ``plays_on`` the players of the
    match play on until luck falls again before it is asked.

    ``added`` is a quicker way to the same end where a game has one: by side, what has fallen is
    worth above the mean of what could have. It takes the state before the move (``None`` at the
    start) and the one after it, the seat, the move and the slugs of the bots, by seat; it answers
    ``None`` where ``worth`` must say it.
    """

    falls: Callable[[S, Seat, Move], bool]
    again: Callable[[S, Random], S]
    worth: Callable[[S], Sequence[float]]
    each: Callable[[S, Seat, Move], Sequence[Weighted[S]]]
    plays_on: bool = False
    added: "Added[S] | None" = None


def nothing_listed(_state: S, _seat: Seat, _move: Move) -> Sequence[Weighted[S]]:
    return ()


NOT_YOUR_TURN: Final[Phrase] = say("It is not your turn.")
MATCH_OVER: Final[Phrase] = say("The match is over.")


class RulesError(Exception):
    """Refusal by the rules; ``str(error)`` is a sentence a person can act on."""


class Faulty(RulesError):
    """Something contradicts the rules; ``faults`` names each fault, a sentence each."""

    def __init__(self, *faults: Words) -> None:
        super().__init__(*faults)
        self.faults = faults

    def __str__(self) -> str:
        return " ".join(map(str, self.faults))


class BadOptions(Faulty):
    """The options contradict the rules or each other; ``fields``: option at fault -> its fault."""

    def __init__(self, /, *faults: Words, **fields: Words) -> None:
        super().__init__(*faults, *fields.values())
        self.fields = fields


class BadSideDeck(Faulty):
    """A side deck is not allowed at the table."""


class MoveRefused(RulesError):
    """A move that cannot be applied; the state is unchanged. ``reason`` is a stable word."""

    def __init__(self, reason: str, sentence: Words) -> None:
        super().__init__(reason, sentence)
        self.reason = reason
        self.sentence = sentence

    def __str__(self) -> str:
        return str(self.sentence)


class MalformedMove(MoveRefused):
    """Not in the notation of this game, so no state could allow it."""


class NotYourTurn(MoveRefused):
    """The seat has nothing to decide now."""

    def __init__(self, sentence: Words = NOT_YOUR_TURN) -> None:
        super().__init__("not_your_turn", sentence)


class IllegalMove(MoveRefused):
    """Well-formed, but the rules do not allow it here and now."""


T = TypeVar("T")


@cache
def each_seat_a_side(seats: int) -> tuple[tuple[Seat, ...], ...]:
    return tuple((seat,) for seat in range(seats))


def next_seat(seat: Seat, seats: int, direction: int = 1) -> Seat:
    """The neighbour clockwise, or anticlockwise with ``direction`` -1."""
    return (seat + direction) % seats


def pick_seat(to_act: Sequence[Seat], rng: Random) -> Seat:
    """One of the seats that may act now, all equally likely; a single one takes no chance of rng.

    A fixed order among seats that act at once would favour some of them.
    """
    return to_act[0] if len(to_act) == 1 else rng.choice(to_act)


def set_item(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    """The tuple with another item at one place."""
    changed = list(items)
    changed[at] = item
    return tuple(changed)


def places(ranks: Sequence[Any]) -> tuple[int, ...]:
    """The place of each rank, the lowest rank first; equal ranks share a place: 1, 2, 2, 4."""
    return tuple([1 + sum(other < rank for other in ranks) for rank in ranks])


def winners(ranked: Sequence[int]) -> tuple[Seat, ...]:
    """The seats in the first place; ``ranked`` are the places by seat."""
    return tuple([seat for seat, place in enumerate(ranked) if place == 1])


class StepBuilder(msgspec.Struct, gc=False):
    """Handed down as the last parameter ``step``; functions below return states, never Steps.

    ``emit(event)`` notes an event, ``shuffle(pack)`` asks for the next deck, ``done`` closes. A
    struct, because one is made with every move and a struct is made without running Python.
    """

    shuffle: Shuffle
    events: list[Event] = []

    def emit(self, event: Event) -> None:
        self.events.append(event)

    def done(self, state: S, move: Move = "", scores: tuple[int, ...] | None = None) -> Step[S]:
        """The step: ``move`` as it is recorded, ``scores`` (one a side) of a round that ended."""
        return Step(state=state, events=tuple(self.events), scores=scores, move=move)
