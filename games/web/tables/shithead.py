"""Shithead's table beyond the view: who follows whom, the pile, how it ended."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import Final

from django.utils.translation import gettext as _

from cardroom.rules.cards import CARD, RANK, RANKS
from cardroom.rules.shithead import events as happened
from cardroom.rules.shithead.events import (
    Burned,
    GameOver,
    GameStarted,
    HiddenFailed,
    PickedUp,
    Played,
)
from cardroom.rules.shithead.narration import hint, label, match_causes, moments, why_refused  # noqa: F401 - found by name
from cardroom.rules.shithead.predicates import playable
from cardroom.rules.shithead.view import ShitheadView
from cardroom.rules.values import Event
from games.language import words
from games.web.parts.motions import (
    MOST_LYING,
    Candidate,
    Clip,
    Motion,
    Ply,
    Specimens,
    call,
    fly,
    rest,
    seat_spot,
    sweep,
)
from games.web.parts.table_page import MoveButton, SeatPanel, TablePage
from games.web.tables.any_game import SeatedScene

# The viewer's own cards at a table of Shithead: what may be chosen, played, and why not.


@dataclass(frozen=True)
class Card:
    """``why`` tells why it may not be played; ``may_choose``: it has a box to tick."""

    code: str
    why: str | None
    may_choose: bool

    @property
    def rank(self) -> str:
        return self.code[0]


@dataclass(frozen=True)
class Own:
    """``takes``: by rank, whether the pile takes a card of it now (R11)."""

    page: TablePage
    view: ShitheadView
    takes: tuple[bool, ...]

    @cached_property
    def exchanges(self) -> bool:
        return self.view.phase == "exchange" and self.page.is_your_turn

    @cached_property
    def may_swap(self) -> bool:
        """Whether a swap of this game is left (R5)."""
        return self.exchanges and self.view.legal_moves != ("ready",)

    @cached_property
    def plays(self) -> bool:
        return self.view.phase == "play" and self.page.is_your_turn

    @cached_property
    def stacks(self) -> list[list[Card]]:
        """The hand, equal ranks together."""
        may_choose = self.plays or self.may_swap
        return [
            [self._card(code, may_choose=may_choose) for code in equal]
            for _, equal in groupby(self.view.hand, key=itemgetter(0))
        ]

    @property
    def size(self) -> str:
        """The room that the hand needs: ``few``, ``some`` or ``many`` cards."""
        count = len(self.view.hand)
        return "few" if count < 7 else "some" if count < 13 else "many"

    @cached_property
    def tops(self) -> list[Card]:
        """The top cards; they may be chosen when they may be swapped or played."""
        seat = self.page.seat
        codes = () if seat is None else self.view.tops[seat]
        held = {card[0] for card in self.view.hand}
        return [
            self._card(
                code,
                may_choose=held <= {code[0]} if self.plays else self.may_swap,  # R9; R6: no hand
            )
            for code in codes
        ]

    def _card(self, code: str, *, may_choose: bool) -> Card:
        barred = self.plays and may_choose and not self.takes[RANK[CARD[code]]]
        why = why_refused(self.view, code) if barred else None
        return Card(code, words(why) if why else None, may_choose)

    @cached_property
    def play_buttons(self) -> list[MoveButton]:
        """The legal plays of cards, one for every rank and number."""
        moves = self.page.move_buttons if self.plays else []
        return [button for button in moves if not button.move.startswith(("pickup", "blind"))]

    @cached_property
    def reasons(self) -> list[str]:
        """The reasons, one for every rank that may not be played."""
        cards = [card for stack in self.stacks for card in stack] + self.tops
        barred = {card.rank: card.why for card in cards if card.why}
        return list(barred.values())

    @property
    def can_pick_up(self) -> bool:
        return self.plays and "pickup" in self.view.legal_moves

    @property
    def must_pick_up(self) -> bool:
        return self.plays and self.view.legal_moves == ("pickup",)

    @cached_property
    def slots(self) -> list[MoveButton]:
        """The hidden cards of which one is to be turned up now."""
        blind = [move for move in self.view.legal_moves if move.startswith("blind")]
        return [MoveButton(move, words(label(move))) for move in blind] if self.plays else []


# The outcome of the last turn at a table of Shithead, in words.

NOT_TOLD: Final = (happened.Dealt, happened.Drew, happened.GameStarted, happened.Turn)


@dataclass(frozen=True)
class Left:
    """The cards that a shed was left with."""

    name: str
    cards: tuple[str, ...]


@dataclass(frozen=True)
class Story:
    page: TablePage

    @cached_property
    def last_turn(self) -> list[str]:
        """The last turn and its effects in words, without what lies on the table."""
        events = self._since_last_turn
        return [self.page.narrated(event) for event in events if not isinstance(event, NOT_TOLD)]

    @property
    def burned(self) -> bool:
        return any(isinstance(event, happened.Burned) for event in self._since_last_turn)

    @property
    def left(self) -> list[Left]:
        """The last cards of the sheds of the game that ended last."""
        over = [event for event in self.page.recent_events if isinstance(event, happened.GameOver)]
        remaining = over[-1].remaining if over else ()
        names = self.page.match.names
        return [Left(names[r.seat], (*r.hand, *r.top, *r.hidden)) for r in remaining]

    @cached_property
    def _since_last_turn(self) -> list[Event]:
        events = self.page.recent_events
        return events[max(_beginnings(events), default=len(events)) :]


def _beginnings(events: Sequence[Event]) -> Iterator[int]:
    """Beginnings of turns: with a play, a hidden card turned up, or a pick-up after neither."""
    for at, event in enumerate(events):
        failed_before = at > 0 and isinstance(events[at - 1], happened.HiddenFailed)
        picks_up = isinstance(event, happened.PickedUp) and not failed_before
        if picks_up or isinstance(event, happened.Played | happened.HiddenFailed):
            yield at


# The best moments of a match of Shithead: the largest burns, then the largest pick-ups.


def candidates(plies: Iterable[Ply]) -> Iterator[Candidate]:
    pile: tuple[str, ...] = ()
    played: tuple[str, ...] = ()
    for version, events in plies:
        for event in events:
            match event:
                case GameStarted():
                    pile = ()
                case Played():
                    pile, played = (*pile, *event.cards), event.cards
                case HiddenFailed():
                    pile = (*pile, event.card)
                case Burned():
                    yield _burned(version, event, pile, played)
                    pile = ()
                case PickedUp():
                    clip = Clip(version, event.seat, pile[-MOST_LYING:], after=f"+{event.count}")
                    yield Candidate((0, event.count), event, clip)
                    pile = ()


def _burned(
    version: int, event: Burned, pile: tuple[str, ...], played: tuple[str, ...]
) -> Candidate:
    below = pile[: len(pile) - len(played)][-MOST_LYING:]
    clip = Clip(version, event.seat, below, played, after=f"−{event.count}", effect="burn")
    return Candidate((1, event.count), event, clip)


CLOSES: Final = GameOver
PILE_SHOWN: Final = 5
CROWDED: Final = 7


@dataclass(frozen=True)
class TableSeat:
    """A seat with its counts; ``place`` is 0 while it is in the game."""

    panel: SeatPanel
    tops: tuple[str, ...]
    hand: int
    hidden: tuple[int, ...]
    place: int
    is_next: bool
    is_ready: bool
    times_shed: int

    @property
    def hand_backs(self) -> range:
        return range(self.hand)


@dataclass(frozen=True)
class Rank:
    """``allowed``: it may be played on the pile as it lies."""

    name: str
    allowed: bool


@dataclass(frozen=True)
class Result:
    """A line of the final table."""

    seat: TableSeat
    place: int
    points: int
    is_shed: bool


@dataclass(frozen=True)
class Scene(SeatedScene[TableSeat]):
    view: ShitheadView

    @cached_property
    def own(self) -> Own:
        return Own(self.page, self.view, self.takes)

    @cached_property
    def takes(self) -> tuple[bool, ...]:
        """By rank, whether the pile takes a card of it now (R11)."""
        return playable([CARD[code] for code in self.view.pile], self.view.options)

    @cached_property
    def story(self) -> Story:
        return Story(self.page)

    @property
    def is_crowded(self) -> bool:
        return len(self.page.seat_panels) >= CROWDED

    @property
    def next_name(self) -> str | None:
        """The player who follows if nothing burns or turns round."""
        seat = self.view.next_seat
        return None if seat is None else self.page.match.names[seat]

    @property
    def pile_top(self) -> tuple[str, ...]:
        return self.view.pile[-PILE_SHOWN:]

    @property
    def pile_below(self) -> int:
        return max(0, len(self.view.pile) - PILE_SHOWN)

    @cached_property
    def ranks(self) -> list[Rank]:
        """Every rank of the pack and whether it may be played now."""
        ranks = RANKS if self.view.options.jokers else RANKS[:-1]
        named = [{"T": "10", "X": "★"}.get(rank, rank) for rank in ranks]
        return list(map(Rank, named, self.takes))

    @cached_property
    def anything_goes(self) -> bool:
        return all(self.takes[: len(self.ranks)])

    @property
    def sheds(self) -> list[str]:
        """The sheds of the game before; at the end of the match those of the last one."""
        return [self.page.match.names[seat] for seat in self.view.last_shed]

    @cached_property
    def results(self) -> list[Result]:
        """The final table, best first; empty while the match runs or if it was broken off."""
        outcome = self.page.match.outcome
        if self.view.phase != "over" or outcome is None:
            return []
        lines = [
            self._result(panel, outcome.places[panel.index]) for panel in self.page.seat_panels
        ]
        return sorted(lines, key=lambda line: line.place)

    def _result(self, panel: SeatPanel, place: int) -> Result:
        seat = panel.index
        is_shed = seat in self.view.last_shed
        return Result(self._seat(panel), place, self.view.points[seat], is_shed)

    def _seat(self, panel: SeatPanel) -> TableSeat:
        view, seat = self.view, panel.index
        return TableSeat(
            panel=panel,
            tops=view.tops[seat],
            hand=view.hand_counts[seat],
            hidden=view.hidden[seat],
            place=view.places[seat],
            is_next=seat == view.next_seat,
            is_ready=view.phase == "exchange" and view.ready[seat],
            times_shed=view.times_shed[seat],
        )


@dataclass(frozen=True)
class Leaving:
    """A seat in the order of going out; ``left`` are the cards a shed was left with."""

    panel: SeatPanel
    place: int
    is_shed: bool
    left: tuple[str, ...]


def ending(page: TablePage, event: GameOver) -> list[Leaving]:
    """The order of going out, the sheds last."""
    left = {one.seat: (*one.hand, *one.top, *one.hidden) for one in event.remaining}
    leaving = [
        Leaving(panel, event.places[seat], seat in event.shed, left.get(seat, ()))
        for seat, panel in enumerate(page.seat_panels)
    ]
    return sorted(leaving, key=lambda each: (each.place, each.is_shed))


def scene(page: TablePage) -> Scene:
    if not isinstance(page.view, ShitheadView):
        raise TypeError("This is not a table of Shithead.")
    return Scene(page, page.view)


def motions(events: Sequence[Event]) -> Iterator[Motion]:
    """Plays, pick-ups and draws fly; a burn burns; a failed card and going out are called out."""
    for event in events:
        match event:
            case happened.Played():
                for code in event.cards:
                    yield fly(seat_spot(event.seat), "pile", code)
            case happened.HiddenFailed():
                yield fly(seat_spot(event.seat), "pile", event.card)
                yield call(_("May not be played"), "red")
            case happened.PickedUp():
                yield sweep("pile", seat_spot(event.seat))
            case happened.Burned():
                yield call(_("Burned!"), "fire", effect="burn", at="pile")
                yield sweep("pile", "burned")
            case happened.GameOver():
                yield rest(1500)
            case _:
                yield from _given(event)


def _given(event: Event) -> Iterator[Motion]:
    """Cards that come from the stock, and the end of them."""
    match event:
        case happened.Dealt():
            yield fly("stock", seat_spot(event.seat), count=2 * len(event.top))
        case happened.Drew():
            yield fly("stock", seat_spot(event.seat))
        case happened.SeatOut():
            yield call(_("out in place %(place)d") % {"place": event.place}, "quiet")


SPECIMENS: Final = Specimens(
    lambda: [call(_("Burned!"), "fire", effect="burn", at="pile")],
    [Clip(1, 0, ("5C", "9D", "KS"), ("TH",), after="−12", effect="burn")],
)
