"""The contract of a game: values, plain functions, errors by cause.

A game is a :class:`Game` made of functions of values. State, options, events, view and outcome
are frozen ``msgspec`` structs; a move is a ``str`` in the notation of the game's rules §3. Nothing
here or below knows Django, a clock, a disk or global randomness.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from types import GenericAlias
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec

from games.rules.shuffles import Shuffle

Seat: TypeAlias = int
Move: TypeAlias = str
Card: TypeAlias = int | str
Deck: TypeAlias = tuple[Card, ...]


class RulesError(Exception):
    """Refused by the rules; ``str(error)`` is a sentence a person can act on."""


class BadOptions(RulesError):
    """The options contradict the rules or each other. ``faults`` names each."""

    def __init__(self, *faults: str) -> None:
        super().__init__(" ".join(faults))
        self.faults = faults


class BadSideDeck(RulesError):
    """What a seat brings to the table is not allowed. ``faults`` names each."""

    def __init__(self, *faults: str) -> None:
        super().__init__(" ".join(faults))
        self.faults = faults


class MoveRefused(RulesError):
    """A move that cannot be applied; the state is unchanged. ``reason`` is a stable word."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


class MalformedMove(MoveRefused):
    """Not in the notation of this game, so no state could allow it."""


class NotYourTurn(MoveRefused):
    """The seat has nothing to decide now."""

    def __init__(self, sentence: str = "It is not your turn.") -> None:
        super().__init__("not_your_turn", sentence)


class IllegalMove(MoveRefused):
    """Well-formed, but the rules do not allow it here and now."""


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The rule choices of a match; every field has the default of the rules §2."""


class State(msgspec.Struct, frozen=True):
    """Everything about a match at one version, secrets included. Never leaves the service."""


class Event(msgspec.Struct, frozen=True, tag_field="type", tag=_snake):
    """Something that happened, in the past tense; the fields are those of the rules §4."""

    def seen_by(self, seat: Seat | None) -> "Event":
        """The event as ``seat`` (``None``: a spectator) may know it. Public unless overridden."""
        return self


class Resigned(Event, frozen=True):
    """A seat gave up, or its time ran out; a bot plays it on when others still contend."""

    seat: Seat
    timed_out: bool = False


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
    """What the rules know of who sits down: a name, which bot if any, the side deck brought."""

    name: str
    bot: str | None = None
    side_deck: tuple[str, ...] | None = None


S = TypeVar("S", bound=State)
O = TypeVar("O", bound=Options)  # noqa: E741
V = TypeVar("V", bound=View)


class Step(msgspec.Struct, Generic[S], frozen=True):
    """The result of a start or a move.

    ``scores`` is set when the move ended a round: one number a side, as in record.md
    ``rounds[].scores``. Unless the match is over the next round is then already dealt in
    ``state``, which is that round's opening. ``move`` is the move in its recorded spelling.
    """

    state: S
    events: tuple[Event, ...]
    scores: tuple[int, ...] | None = None
    move: Move = ""


class Happened(msgspec.Struct, frozen=True):
    """One step of a match's history as re-dealing needs it: the start (ply 0) or one move.

    ``round`` is the number (from 1) of the round that the events belong to at their end;
    ``decks`` are the decks this step consumed, top first; ``events`` are unredacted.
    """

    round: int
    decks: tuple[Deck, ...]
    events: tuple[Event, ...]


class Redealt(msgspec.Struct, Generic[S], frozen=True):
    """A state in which every card that some seats could not know is dealt anew.

    ``decks`` are all decks of the history as they now lie; ``moved`` lists, in the order of their
    numbers, each deck re-dealt and the positions whose cards were shuffled among themselves;
    ``events`` are those of every step as they are now to be told: what another seat was shown in
    private are the cards that it now holds.
    """

    state: S
    decks: tuple[Deck, ...]
    moved: tuple[tuple[int, tuple[int, ...]], ...]
    events: tuple[tuple[Event, ...], ...]

    def history(self, past: Sequence[Happened]) -> list[Happened]:
        """The same steps with the decks and events as they now are."""
        decks = iter(self.decks)
        return [
            Happened(step.round, tuple([next(decks) for _ in step.decks]), events)
            for step, events in zip(past, self.events, strict=True)
        ]


@dataclass(frozen=True)
class Bot(Generic[V]):
    """A named strategy: a pure choice from what its seat knows.

    ``choose(view, events, rng)`` gets the seat's view, the events so far as that seat saw them
    (as far back as ``remembers`` says: ``"nothing"``, ``"round"`` or ``"match"``) and a random
    generator; it returns one of the legal moves (or one equivalent to it).
    """

    slug: str
    name: str
    summary: str
    level: int
    choose: Callable[[V, Sequence[Event], Random], Move]
    rated: bool = True
    remembers: str = "nothing"


def each_seat_a_side(seats: int) -> tuple[tuple[Seat, ...], ...]:
    return tuple((seat,) for seat in range(seats))


def _check_nothing(_options: Any) -> None:
    return None


def _brings_nothing(_options: Any, setup: Setup) -> Setup:
    return setup


def _nobody_out(_state: Any) -> frozenset[Seat]:
    return frozenset()


def _plays_by_hand(_state: Any, _seat: Seat) -> bool:
    return False


def _open_move(move: Move) -> Move:
    return move


@dataclass(frozen=True, eq=False)
class Game(Generic[O, S, V]):
    """A set of rules. State the facts at the top, give the functions, override what differs."""

    slug: str
    name: str
    summary: str
    min_seats: int
    max_seats: int
    options: type[O]
    state: type[S]
    view_type: type[V]
    event: Any  # the union of the game's events
    presets: Mapping[str, O]
    bots: tuple[Bot[V], ...]
    stand_in: str  # the bot that plays a resigned seat on

    seats: Callable[[O], int]
    start: Callable[[O, Sequence[Setup], Shuffle], Step[S]]
    to_act: Callable[[S], tuple[Seat, ...]]
    legal_moves: Callable[[S, Seat], tuple[Move, ...]]
    play: Callable[[S, Seat, Move, Shuffle], Step[S]]
    outcome: Callable[[S], Outcome | None]
    view: Callable[[S, Seat | None], V]
    imagine: Callable[..., S]  # (view, rng, events=()) -> a possible world behind the view
    redeal: Callable[[S, Sequence[Happened], frozenset[Seat], Shuffle], Redealt[S]]
    cards: Callable[[S], Sequence[Card]]  # every card of the running round, wherever it lies
    card_text: Callable[[Any], str]
    label: Callable[[Move], str]  # a move as a button says it: "Play 7♥"
    narrate: Callable[[Event, Sequence[str]], str]  # an event in words, given the seats' names
    opening: type[Event]  # the event that every round begins with

    rules_version: int = 1
    check: Callable[[O], None] = _check_nothing  # raises BadOptions
    sides: Callable[[O], tuple[tuple[Seat, ...], ...]] | None = None
    outfit: Callable[[O, Setup], Setup] = _brings_nothing  # completes, checks: BadSideDeck
    out: Callable[[S], frozenset[Seat]] = _nobody_out  # seats that are out and cannot resign
    plays_itself: Callable[[S, Seat], bool] = _plays_by_hand  # the service moves for this seat
    public_move: Callable[[Move], Move] = _open_move  # the move as other seats may read it
    notes: Mapping[str, str] = field(default_factory=dict)  # option name → its effect in words
    unlike_cards: bool = True  # no two cards of a round are equal, so each can be followed

    # Text forms: every value of a game is JSON by msgspec and nothing else.

    @cached_property
    def _state_decoder(self) -> msgspec.json.Decoder[S]:
        return msgspec.json.Decoder(self.state)

    @cached_property
    def _events_decoder(self) -> msgspec.json.Decoder[tuple[Event, ...]]:
        return msgspec.json.Decoder(GenericAlias(tuple, (self.event | Resigned, ...)))

    def decode_state(self, data: bytes) -> S:
        return self._state_decoder.decode(data)

    def decode_events(self, data: bytes) -> tuple[Event, ...]:
        return self._events_decoder.decode(data)

    def decode_options(self, data: bytes) -> O:
        return msgspec.json.decode(data, type=self.options)

    def sides_of(self, options: O) -> tuple[tuple[Seat, ...], ...]:
        """The sides, each the seats that win together; a seat alone unless the game has teams."""
        return self.sides(options) if self.sides else each_seat_a_side(self.seats(options))

    def choose_options(
        self, values: Mapping[str, Any] | None = None, preset: str | None = None
    ) -> O:
        """Options from a preset (or the defaults) with ``values`` laid over; ``BadOptions``."""
        chosen = msgspec.to_builtins(self._preset(preset)) | dict(values or {})
        try:
            options = msgspec.convert(chosen, self.options)
        except msgspec.ValidationError as error:
            raise BadOptions(f"{error}.") from None
        self.check(options)
        return options

    def _preset(self, name: str | None) -> O:
        if name is None:
            return self.options()
        if name not in self.presets:
            known = ", ".join(self.presets)
            raise BadOptions(f"{self.name} has no preset {name!r}; there are: {known}.")
        return self.presets[name]

    def memory(self, events: Sequence[Event], remembers: str) -> Sequence[Event]:
        """The part of a seat's events that a bot is given (``Bot.remembers``)."""
        if remembers == "match":
            return events
        if remembers == "nothing":
            return ()
        opened = (at for at in range(len(events) - 1, -1, -1) if type(events[at]) is self.opening)
        return events[next(opened, 0) :]

    def sentence(self, event: Event, names: Sequence[str]) -> str:
        """What happened, in words; the event as the reader may know it."""
        if isinstance(event, Resigned):
            cause = "ran out of time" if event.timed_out else "resigned"
            return f"{names[event.seat]} {cause}."
        return self.narrate(event, names)

    def bot(self, slug: str) -> Bot[V]:
        """The named bot; ``KeyError`` if there is none."""
        return {bot.slug: bot for bot in self.bots}[slug]


AnyGame: TypeAlias = Game[Any, Any, Any]
