"""What Pişti's table shows beyond the view: who played what last, and what was just captured."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from django.utils.translation import gettext as _

from cardroom.rules.cause import Cause
from cardroom.rules.pisti.events import (
    Captured,
    CardPlayed,
    CentreDealt,
    DealScored,
    DealStarted,
    HandDealt,
    LeftoverAwarded,
    Pisti,
    SideScore,
)
from cardroom.rules.pisti.options import PistiOptions
from cardroom.rules.pisti.predicates import PLAYS_PER_DEAL
from cardroom.rules.pisti.recap import causes, hint, match_causes, moments, sure_points
from cardroom.rules.pisti.view import PistiView
from cardroom.rules.values import Event
from games.web.parts.motions import Motion, call, fly, rest, seat_spot, sweep
from games.web.parts.table_page import SeatPanel, TablePage
from games.web.tables.pisti_best import candidates

__all__ = [
    "CLOSES", "PLIES_READ", "candidates", "ending", "hint",
    "match_causes", "moments", "motions", "scene",
]  # fmt: skip

CLOSES: Final = DealScored
PLIES_READ: Final = PLAYS_PER_DEAL + 1  # a whole deal: who took which cards


@dataclass(frozen=True)
class TableSeat:
    """A seat with its counts; ``last`` is the card it played last in this deal.

    ``total`` are the points of the deals before, ``sure`` those of this deal that are certain.
    """

    panel: SeatPanel
    cards: int
    heap: int | None
    total: int
    sure: int
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
        """The seat that took the pile and the card it played, while nothing lies there again."""
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
            sure=self._sure[side],
            pistis=view.pistis[side],
            doubles=view.doubles[side],
            last=card,
            captured=captured,
            made=made,
        )

    @cached_property
    def _sure(self) -> tuple[int, ...]:
        return sure_points(self.view, self.page.recent_events)

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


@dataclass(frozen=True)
class DealEnding:
    """One side's deal; ``target`` is what ends the match, ``None`` where one deal is played."""

    panels: list[SeatPanel]
    is_yours: bool
    causes: list[Cause]
    points: int
    total: int
    target: int | None

    @property
    def before(self) -> int:
        """Its points before this deal."""
        return self.total - self.points


def ending(page: TablePage, event: DealScored) -> list[DealEnding]:
    """Every side's points of the deal by cause, the viewer's side first."""
    match = page.match
    if not isinstance(match.options, PistiOptions):
        raise TypeError("This is not a table of Pişti.")
    sides = [
        _side_ending([page.seat_panels[seat] for seat in side], score, match.options, page)
        for side, score in zip(match.sides, event.sides, strict=True)
    ]
    return sorted(sides, key=lambda side: not side.is_yours)


def _side_ending(
    panels: list[SeatPanel], score: SideScore, options: PistiOptions, page: TablePage
) -> DealEnding:
    return DealEnding(
        panels=panels,
        is_yours=not page.is_shared and any(panel.is_you for panel in panels),
        causes=causes(score, options),
        points=score.deal_points,
        total=score.total,
        target=options.target_score,
    )


def scene(page: TablePage) -> Scene:
    if not isinstance(page.view, PistiView):
        raise TypeError("This is not a table of Pişti.")
    return Scene(page, page.view)


def motions(events: Sequence[Event]) -> Iterator[Motion]:
    """A card flies to the pile; a pişti bursts; a capture sweeps; hands come from the stock."""
    for event in events:
        match event:
            case CardPlayed():
                yield fly(seat_spot(event.seat), "pile", event.card)
            case Captured():
                yield from (_cry(made) for made in events if isinstance(made, Pisti))
                yield sweep("pile", seat_spot(event.seat))
            case LeftoverAwarded():
                yield rest(1500)
                yield sweep("pile", seat_spot(event.seat))
            case DealScored():
                yield rest(1500)
            case HandDealt():
                yield fly("stock", seat_spot(event.seat), count=event.count)
            case CentreDealt():
                yield fly("stock", "pile", count=event.count - 1)
                yield fly("stock", "pile", event.top)


def _cry(made: Pisti) -> Motion:
    if made.kind == "double":
        return call(_("Double pişti!"), effect="double", at="pile")
    return call(_("Pişti!"), effect="burst", at="pile")
