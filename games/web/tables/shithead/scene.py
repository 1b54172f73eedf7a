"""What Shithead's table shows beyond the view: who follows whom, the pile, how it ended."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from django.utils.translation import gettext as _

from cardroom.rules.shithead import events as happened
from cardroom.rules.shithead.events import GameOver
from cardroom.rules.shithead.narration import why_not
from cardroom.rules.shithead.recap import hint, match_causes, moments
from cardroom.rules.shithead.view import ShitheadView
from cardroom.rules.values import Event
from games.web.parts.motions import Motion, call, fly, rest, seat_spot, sweep
from games.web.parts.table_page import SeatPanel, TablePage
from games.web.tables.seated import SeatedScene
from games.web.tables.shithead.best import candidates
from games.web.tables.shithead.own import Own
from games.web.tables.shithead.story import Story

__all__ = [
    "CLOSES", "candidates", "ending", "hint", "match_causes", "moments", "motions", "scene",
]  # fmt: skip

CLOSES: Final = GameOver
RANKS: Final = "23456789TJQKAX"
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
        return Own(self.page, self.view)

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
        """Every rank of the pack and whether it may be played now (R11)."""
        ranks = RANKS if self.view.options.jokers else RANKS[:-1]
        return [Rank(_spelled(rank), why_not(self.view, _one_of(rank)) is None) for rank in ranks]

    @property
    def anything_goes(self) -> bool:
        return all(rank.allowed for rank in self.ranks)

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


def _one_of(rank: str) -> str:
    return "X1" if rank == "X" else f"{rank}C"


def _spelled(rank: str) -> str:
    return {"T": "10", "X": "★"}.get(rank, rank)


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
