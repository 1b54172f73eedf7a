"""What Pişti's table shows beyond the view: who played what last, and what was just captured."""

from dataclasses import dataclass
from functools import cached_property

from games.rules.pisti.events import Captured, CardPlayed, DealStarted, Pisti
from games.rules.pisti.view import PistiView
from games.web.table_page import SeatPanel, TablePage


@dataclass(frozen=True)
class TableSeat:
    """A seat with its counts; ``last`` is the card it played last in this deal."""

    panel: SeatPanel
    cards: int
    heap: int | None
    total: int
    pistis: int
    doubles: int
    last: str | None
    captured: int
    made: str

    @property
    def backs(self) -> range:
        return range(self.cards)


@dataclass(frozen=True)
class Scene:
    page: TablePage
    view: PistiView

    @cached_property
    def others(self) -> list[TableSeat]:
        """Left to right: play goes on to the right of each seat (R1)."""
        return [self._seat(panel) for panel in reversed(self.page.others)]

    @property
    def you(self) -> TableSeat | None:
        return self._seat(self.page.you) if self.page.you else None

    @property
    def pile_depth(self) -> range:
        """How many cards the drawing of the pile shows below its top."""
        size = self.view.pile_size
        return range(min((2 if size is None else size) - 1, 3)) if self.view.top else range(0)

    @cached_property
    def last_capture(self) -> tuple[SeatPanel, str] | None:
        """Who took the pile with which card, while nothing lies on it again."""
        if self.view.top:
            return None
        for panel in self.page.seat_panels:
            card, count, _ = self._last(panel.index)
            if count and panel.index == self.view.last_capturer and card:
                return panel, card
        return None

    def _seat(self, panel: SeatPanel) -> TableSeat:
        view, seat = self.view, panel.index
        side = seat % len(view.totals)  # R2
        card, captured, made = self._last(seat)
        return TableSeat(
            panel=panel,
            cards=view.hand_sizes[seat],
            heap=None if view.heap_sizes is None else view.heap_sizes[seat],
            total=view.totals[side],
            pistis=view.pistis[side],
            doubles=view.doubles[side],
            last=card,
            captured=captured,
            made=made,
        )

    def _last(self, seat: int) -> tuple[str | None, int, str]:
        """A seat's last card, how many cards it captured with it, and whether it was a pişti."""
        card, captured, made = None, 0, ""
        for event in self.page.recent_events:
            match event:
                case DealStarted():
                    card, captured, made = None, 0, ""
                case CardPlayed() if event.seat == seat:
                    card, captured, made = event.card, 0, ""
                case Captured() if event.seat == seat:
                    captured = event.count
                case Pisti() if event.seat == seat:
                    made = event.kind
        return card, captured, made


def scene(page: TablePage) -> Scene:
    if not isinstance(page.view, PistiView):
        raise TypeError("This is not a table of Pişti.")
    return Scene(page, page.view)
