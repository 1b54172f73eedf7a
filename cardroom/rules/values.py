"""The values of a game: options, state, events, view, outcome and the steps between states.

All are frozen ``msgspec`` structs; a move is a ``str`` in the notation of the game.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Generic, NamedTuple, TypeAlias, TypeVar

import msgspec

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
    """What one seat may know; built from what is allowed (rules §5), never a state cut down."""

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
    """What the rules know of a player: the name, the bot if it is one, the side deck brought."""

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
    """Cards that a re-deal leaves where they are though the seats were not told of them, and why.

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
    """What the moves of a seat are worth to it: ``means[move][batch]``, each from 0 to 1.

    A batch is worlds of its own, the same for all moves, so the batches say how certain the
    difference between two moves is. A single batch is exact.
    """

    moves: tuple[Move, ...]
    means: tuple[tuple[float, ...], ...]

    def spread(self, same: Mapping[Move, Move]) -> "Weighing":
        """For every move of ``same``, what the one that does the same was worth."""
        means = dict(zip(self.moves, self.means, strict=True))
        return Weighing(tuple(same), tuple(means[move] for move in same.values()))
