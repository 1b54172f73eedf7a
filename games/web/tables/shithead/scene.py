"""What Shithead's table shows beyond the view: who follows whom, the pile, how it ended."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from games.rules.shithead.narration import why_not
from games.rules.shithead.view import ShitheadView
from games.web.table_page import SeatPanel, TablePage
from games.web.tables.seated import SeatedScene
from games.web.tables.shithead.own import Own
from games.web.tables.shithead.story import Story

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
        """Who follows if nothing burns or turns round."""
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
        """Who was the shed of the game before, at the end of the match of the last one."""
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


def _one_of(rank: str) -> str:
    return "X1" if rank == "X" else f"{rank}C"


def _spelled(rank: str) -> str:
    return {"T": "10", "X": "★"}.get(rank, rank)


def scene(page: TablePage) -> Scene:
    if not isinstance(page.view, ShitheadView):
        raise TypeError("This is not a table of Shithead.")
    return Scene(page, page.view)
