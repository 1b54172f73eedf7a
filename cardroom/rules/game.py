"""The contract of a game: facts and plain functions of values.

Nothing here or below knows Django, a clock, a disk or global randomness.
"""

from array import array
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import GenericAlias
from typing import Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar, get_args, get_type_hints

import msgspec

from cardroom.rules import defaults
from cardroom.rules.bot import RANDOM, Bot, named
from cardroom.rules.encoding import Actions, Layout
from cardroom.rules.lesson import Lesson
from cardroom.rules.option import OptionWords, Themes, words_of
from cardroom.rules.shuffles import Shuffle
from cardroom.rules.text import Words, named_for
from cardroom.rules.values import (
    AnyCard,
    BadOptions,
    Chances,
    Event,
    HistoryStep,
    Measure,
    Move,
    Options,
    Outcome,
    Pinned,
    Reasons,
    Redealt,
    Resigned,
    RolledBack,
    Seat,
    Setup,
    State,
    Step,
    View,
)

S = TypeVar("S", bound=State)
O = TypeVar("O", bound=Options)  # noqa: E741
V = TypeVar("V", bound=View)

RoundName: TypeAlias = Literal["deal", "game", "match", "round"]


class Feat(NamedTuple):
    """``event`` happens to a person's own seat; ``words``: the title for it."""

    event: type[Event]
    words: Words


class DailyTerms(NamedTuple):
    """A deal of the day: ``bots`` sit on the seats after the person's. ``feat`` gives a title."""

    options: Mapping[str, Any]
    bots: Sequence[str]
    feat: Feat | None = None


DERIVED: Any = None  # ``Game.__post_init__`` fills these from the facts that a game does state


@dataclass(frozen=True, eq=False, repr=False)
class Game(Generic[O, S, V]):
    """A set of rules. A simple game states the first twelve facts and overrides what differs."""

    slug: str
    name: str
    summary: str
    options: type[O]
    state: type[S]
    events: Any  # the union of the game's events; the first one opens every round

    start: Callable[[O, Sequence[Setup], Shuffle], Step[S]]
    to_act: Callable[[S], tuple[Seat, ...]]  # ascending
    legal_moves: Callable[[S, Seat], tuple[Move, ...]]
    play: Callable[[S, Seat, Move, Shuffle], Step[S]]
    outcome: Callable[[S], Outcome | None]
    view: Callable[[S, Seat | None], V]

    rules_version: int = 1
    # Of every earlier version, by its number, the facts that were different: matches go on by the
    # version that they began with. What changed is best read off the state (``by_version``).
    earlier: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    presets: Mapping[str, O] = field(default_factory=dict)
    quick_preset: str | None = None  # of a match that is opened with one press; none: the defaults
    # Options of *Play now*, over the quick preset: what ends within three minutes, and its words.
    short: Mapping[str, Any] = field(default_factory=dict)
    short_words: Words = ""
    bots: tuple[Bot[V], ...] = (RANDOM,)
    stand_in: str = DERIVED  # the bot that plays a resigned seat on: the strongest rated one
    view_type: type[V] = DERIVED  # the return annotation of ``view``
    opening: type[Event] = DERIVED  # the first event of every round: the first type of ``events``
    seats: Callable[[O], int] = DERIVED  # the option ``players``, without it two
    min_seats: int = DERIVED  # the bounds of that option
    max_seats: int = DERIVED
    sides: Callable[[O], tuple[tuple[Seat, ...], ...]] = DERIVED  # each seat alone
    cards: Callable[[S], Sequence[AnyCard]] = DERIVED  # every card of the running round
    redeal: Callable[[S, Sequence[HistoryStep], frozenset[Seat], Shuffle], Redealt[S]] = DERIVED
    # Facts for the default re-deal (cardroom/rules/redeal.py): cards that stay though
    # no view or event names them, each with its reason; the order of what lies sorted; at which
    # event a deck is dealt, where a step deals several.
    pinned: Callable[[S, Sequence[HistoryStep]], Sequence[Pinned]] = defaults.pinned
    arrange: Callable[[S], S] = defaults.arrange
    deals: Callable[[S, Event], bool] | None = None
    play_past: Callable[[S, Seat, Move, Shuffle], Step[S]] = DERIVED  # made before a re-deal
    deals_anew: bool = True  # no deck of an earlier round is in use, so a re-deal needs none of it
    # Whether a re-deal needs nothing of the running round that is older than these steps.
    redeal_suffices: Callable[[S, Sequence[HistoryStep]], bool] = defaults.redeal_suffices
    imagine: Callable[..., S] | None = None  # (view, rng, events=()) -> a possible world
    chances: Chances[S] | None = None  # how luck falls, for those who take it out of results
    reasons: Reasons[V] | None = None  # why a move is good or bad, for those who explain a match
    themes: Themes[V] | None = None  # what its exercises are about
    lesson: Lesson | None = None  # the guided hand for those who do not know the game

    card_text: Callable[[Any], str] = defaults.card_text
    label: Callable[[Move], Words] = defaults.label  # a move as a button says it: "Play 7♥"
    narrate: Callable[[Event, Sequence[str]], Words] = defaults.narrate  # with the seats' names
    quiet_events: tuple[type[Event], ...] = ()  # not announced where other events happened
    check_options: Callable[[O], None] = defaults.check_options  # raises BadOptions
    complete_setup: Callable[[O, Setup], Setup] = defaults.complete_setup  # raises BadSideDeck
    needs_side_deck: bool = False
    retired_seats: Callable[[S], frozenset[Seat]] = defaults.retired_seats  # they cannot resign
    autoplays: Callable[[S, Seat], bool] = defaults.autoplays  # the service moves for this seat
    # Whether a seat that moved and is to act again in this state has no new time for it.
    time_goes_on: Callable[[S], bool] = defaults.time_goes_on
    public_move: Callable[[Move], Move] = defaults.public_move  # the move as other seats read it
    represents_others: Callable[[Move], bool] = defaults.represents_others
    alike: Callable[[Move], Hashable] = defaults.alike  # of moves that are alike one is listed
    distinct_cards: bool = True  # no two cards of a round are equal, so each can be followed
    measures: tuple[Measure, ...] = ()  # what is counted in a match, beside plies and rounds
    # An outcome's points add up places: fewer are better. So says a game that has only a loser.
    points_are_places: bool = False
    # After the rounds with these scores: the sides in front, and those whom the next round, won as
    # rounds are, makes the winner.
    leaders: Callable[[Sequence[Sequence[int]]], Sequence[int]] = DERIVED
    match_point: Callable[[O, Sequence[Sequence[int]]], Sequence[int]] = defaults.match_point
    round_name: RoundName = "round"  # what players call a round
    limit_option: str | None = None  # the option that may stop a match undecided, if it is set
    length: str = "plies"  # the measure that players mean by the length of a match
    is_luck: bool = False  # nobody plays it better than another, so nobody is rated by it
    # Phrases of this game at the table, beside those of all games, by slugs that are sent.
    phrases: Mapping[str, Words] = field(default_factory=dict)
    preset_words: Mapping[str, Words] = field(default_factory=dict)  # what a preset is
    preset_names: Mapping[str, Words] = field(default_factory=dict)  # where its slug is no name

    daily: DailyTerms | None = None  # how its deal of the day is played; none: it has none

    # For programs that learn (cardroom/rules/encoding.py); cardroom/research needs all three.
    actions: Actions | None = None  # the numbers of the moves
    observation: Layout | None = None  # what stands where in ``observe(view)``
    observe: "Callable[[V], array[int]] | None" = None

    _derived: tuple[str, ...] = field(init=False, default=())  # the facts that were not stated

    def __post_init__(self) -> None:
        fewest, most = defaults.seat_bounds(self.options)
        derived: dict[str, Any] = {
            "stand_in": defaults.strongest(self.bots),
            "view_type": get_type_hints(self.view).get("return"),
            "opening": (get_args(self.events) or (self.events,))[0],
            "seats": defaults.seats,
            "min_seats": fewest,
            "max_seats": most,
            "sides": self._each_seat_alone,
            "cards": defaults.cards_of(self.state),
            "play_past": self.play,
            "leaders": defaults.leaders_by(self.points_are_places),
        }
        for name, value in derived.items():
            self._default(name, value)
        self._default("redeal", defaults.redeal_of(self))  # reads what was derived

    def _default(self, name: str, value: Any) -> None:
        if getattr(self, name) is None:
            object.__setattr__(self, name, value)
            object.__setattr__(self, "_derived", (*self._derived, name))

    def __repr__(self) -> str:
        return f"<Game {self.slug}>"

    def _each_seat_alone(self, options: O) -> tuple[tuple[Seat, ...], ...]:
        return defaults.each_seat_a_side(self.seats(options))

    def by_version(self, number: int) -> "Game[O, S, V]":
        """The game by this version of its rules; ``KeyError`` if it is not known here."""
        return self._versions[number]

    @cached_property
    def _versions(self) -> Mapping[int, "Game[O, S, V]"]:
        again = dict.fromkeys(self._derived, DERIVED)
        before = {
            number: replace(self, **again, **facts, rules_version=number, earlier={})
            for number, facts in self.earlier.items()
        }
        return before | {self.rules_version: self}

    @cached_property
    def option_words(self) -> Mapping[str, OptionWords]:
        """The name of each option and what it changes, from its declaration."""
        return words_of(self.options)

    # Text forms: every value of a game is JSON by msgspec and nothing else.

    @cached_property
    def _state_decoder(self) -> msgspec.json.Decoder[S]:
        return msgspec.json.Decoder(self.state)

    @cached_property
    def _events_decoder(self) -> msgspec.json.Decoder[tuple[Event, ...]]:
        return msgspec.json.Decoder(GenericAlias(tuple, (self.events | Resigned | RolledBack, ...)))

    def decode_state(self, data: bytes) -> S:
        return self._state_decoder.decode(data)

    def decode_events(self, data: bytes) -> tuple[Event, ...]:
        return self._events_decoder.decode(data)

    def decode_options(self, data: bytes) -> O:
        return msgspec.json.decode(data, type=self.options)

    def sides_of(self, options: O) -> tuple[tuple[Seat, ...], ...]:
        """The sides, each the seats that win together; a seat alone unless the game has teams."""
        return self.sides(options)

    def choose_options(
        self, values: Mapping[str, Any] | None = None, preset: str | None = None
    ) -> O:
        """Options from a preset (or the defaults) with ``values`` laid over; ``BadOptions``.

        Names every unknown option and every value that an option cannot have. Options that
        contradict each other are looked for only when there is none of these.
        """
        faults, values = dict(self._misfits(values or {})), dict(values or {})
        if preset is not None and preset not in self.presets:
            known = ", ".join(self.presets)
            faults["preset"] = f"{self.name} has no preset {preset!r}; there are: {known}."
        if faults:
            raise BadOptions(**faults)
        laid_under = self.options() if preset is None else self.presets[preset]
        options = msgspec.convert(msgspec.to_builtins(laid_under) | values, self.options)
        self.check_options(options)
        return options

    def _misfits(self, values: Mapping[str, Any]) -> Iterator[tuple[str, Words]]:
        """Every option that is unknown or cannot have this value, with a sentence that says so."""
        for name, value in values.items():
            try:
                msgspec.convert({name: value}, self.options)
            except msgspec.ValidationError as error:
                yield name, f"{error}."

    def recent_events(self, events: Sequence[Event], remembers: str) -> Sequence[Event]:
        """The part of a seat's events that a bot is given (``Bot.remembers``)."""
        if remembers == "match":
            return events
        if remembers == "nothing":
            return ()
        opened = (at for at in range(len(events) - 1, -1, -1) if type(events[at]) is self.opening)
        return events[next(opened, 0) :]

    def sentence(self, event: Event, names: Sequence[str], reader: Seat | None = None) -> Words:
        """The event in words, as the reader may know it.

        Acts of ``reader`` are in the second person: *You play 7♥.*
        """
        if reader is not None:
            names = named_for(reader, names)
        if isinstance(event, Resigned):
            return defaults.narrate_resignation(event, names)
        if isinstance(event, RolledBack):
            return defaults.narrate_roll_back(event, self.round_name)
        return self.narrate(event, names)

    def forced_move(self, state: S, seat: Seat) -> Move | None:
        """The only move of a seat, if it has exactly one that stands for no others."""
        moves = self.legal_moves(state, seat)
        return moves[0] if len(moves) == 1 and not self.represents_others(moves[0]) else None

    def may_be_stopped(self, options: O) -> bool:
        """Whether a match under these options can end at a limit, with reason ``limit``."""
        return self.limit_option is not None and getattr(options, self.limit_option) is not None

    def bot(self, name: str) -> Bot[V]:
        """The named bot, with the budget that the name may add; ``KeyError`` if there is none."""
        return named(self.bots, name)


AnyGame: TypeAlias = Game[Any, Any, Any]
