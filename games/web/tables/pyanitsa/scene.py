"""What Pyanitsa's table shows beyond the view: the trick by levels, the last one, the curve."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from django.utils.translation import gettext as _

from cardroom.rules.pyanitsa.events import CardLaid, Dealt, Dispute, MatchOver, TrickTaken
from cardroom.rules.pyanitsa.moves import FLIP
from cardroom.rules.pyanitsa.recap import hint, match_causes, moments
from cardroom.rules.pyanitsa.view import PyanitsaView
from cardroom.rules.values import Event
from games.language import words
from games.web.parts.motions import (
    Motion,
    call,
    clear,
    deal_everybody,
    fly,
    lay,
    rest,
    seat_spot,
    sweep,
)
from games.web.parts.table_page import SeatPanel, TablePage
from games.web.tables.pyanitsa.best import candidates
from games.web.tables.pyanitsa.curve import Curve, drawn_curve
from games.web.tables.pyanitsa.trick import Lay, Level, Taken, last_dispute, last_taken, levels
from games.web.tables.seated import SeatedScene

__all__ = [
    "CLOSES",
    "PLIES_READ",
    "REPEATS",
    "brief_motions",
    "candidates",
    "ending",
    "hint",
    "match_causes",
    "moments",
    "motions",
    "scene",
]

CLOSES: Final = MatchOver
REPEATS: Final = TrickTaken
BRIEFLY: Final = 60  # milliseconds of the calm pace; `make e2e` prints what 120 tricks take
MOST_DEALT: Final = 5  # cards of a heap of twenty-six that are seen to fly
PLIES_READ: Final = 48  # a trick of eight players with two disputes


@dataclass(frozen=True)
class TableSeat:
    """A seat with its cards."""

    panel: SeatPanel
    draw: int
    won: int
    out_in: int
    leads: bool
    disputes: bool

    @property
    def held(self) -> int:
        return self.draw + self.won


@dataclass(frozen=True)
class Scene(SeatedScene[TableSeat]):
    view: PyanitsaView

    @property
    def cards(self) -> int:
        """How many cards take part."""
        return self.view.options.deck - self.view.set_aside

    @cached_property
    def levels(self) -> list[Level]:
        """The trick on the table: the circle, then its disputes."""
        laid = [(each.seat, each.card, each.level) for each in self.view.table]
        rows = levels(laid, self.page.match.names)
        waiting = [Lay(seat, self.page.match.names[seat], []) for seat in self.view.to_lay]
        if not rows or self.view.level > rows[-1].number:
            rows.append(Level(self.view.level, [], []))
        return [*rows[:-1], rows[-1].with_waiting(waiting)]

    @cached_property
    def last(self) -> Taken | None:
        """The trick that was taken last."""
        return last_taken(self.page)

    @property
    def is_fresh(self) -> bool:
        """Nothing lies in this trick yet."""
        return not self.view.table

    @property
    def can_flip(self) -> bool:
        return self.page.is_your_turn and self.view.legal_moves == (FLIP,)

    @property
    def lays_two(self) -> bool:
        """A mortgage level: one card face down, one face up."""
        return self.view.mortgage and self.you is not None and self.you.held > 1

    @property
    def can_collect(self) -> bool:
        return self.page.is_your_turn and self.view.phase == "collect"

    @property
    def is_automatic(self) -> bool:
        return self.view.options.pace == "auto"

    @cached_property
    def trick(self) -> list[str]:
        """The cards to collect in the order they were laid; the taker sees every one."""
        return [each.card for each in self.view.table if each.card is not None]

    @property
    def as_laid(self) -> str:
        return " ".join(["collect", *self.trick])

    @property
    def high_first(self) -> str:
        ranked = sorted(self.trick, key=lambda code: "23456789TJQKAX".index(code[0]), reverse=True)
        return " ".join(["collect", *ranked])

    @cached_property
    def curve(self) -> Curve | None:
        return drawn_curve(self.page)

    def _seat(self, panel: SeatPanel) -> TableSeat:
        view, seat = self.view, panel.index
        return TableSeat(
            panel=panel,
            draw=view.draw_counts[seat],
            won=view.won_counts[seat],
            out_in=view.out_in[seat],
            leads=seat == view.leader and view.phase != "over",
            disputes=seat in view.disputing,
        )


@dataclass(frozen=True)
class Heap:
    """What a seat holds at the end, of so many cards in play; ``before``: what it was dealt."""

    panel: SeatPanel
    held: int
    before: int
    cards: int


@dataclass(frozen=True)
class MatchResult:
    """The trick that decided: the last one with a dispute that the last plies tell of, or none."""

    sentence: str
    heaps: list[Heap]
    dispute: Taken | None


def ending(page: TablePage, event: MatchOver) -> MatchResult:
    spoken = words(page.match.rules.sentence(event, page.match.names))
    return MatchResult(spoken, _heaps(page), last_dispute(page))


def _heaps(page: TablePage) -> list[Heap]:
    """The largest first."""
    table = scene(page)
    view, cards = table.view, table.cards
    dealt = cards // len(page.seat_panels)
    held = [draw + won for draw, won in zip(view.draw_counts, view.won_counts, strict=True)]
    heaps = [Heap(panel, held[panel.index], dealt, cards) for panel in page.seat_panels]
    return sorted(heaps, key=lambda heap: -heap.held)


def scene(page: TablePage) -> Scene:
    if not isinstance(page.view, PyanitsaView):
        raise TypeError("This is not a table of Pyanitsa.")
    return Scene(page, page.view)


def motions(events: Sequence[Event]) -> Iterator[Motion]:
    """Hands are dealt, cards fly into the trick, its taker sweeps it; a dispute piles up."""
    for event in events:
        match event:
            case Dealt():
                yield deal_everybody(min(event.cards_per_seat, MOST_DEALT))
            case CardLaid():
                yield fly(seat_spot(event.seat), f"lay-{event.level}-{event.seat}", event.card)
            case Dispute():
                yield call(_("Dispute!"), "fire", effect="dispute", at="trick")
            case TrickTaken():
                yield rest(1500 if event.reason != "highest" else 400)
                yield sweep("trick", seat_spot(event.seat))


def brief_motions(events: Sequence[Event]) -> Iterator[Motion]:
    """Of many tricks: each lies there for a moment."""
    for event in events:
        match event:
            case CardLaid():
                yield lay(f"lay-{event.level}-{event.seat}", event.card)
            case TrickTaken():
                yield rest(BRIEFLY)
                yield clear("trick")
