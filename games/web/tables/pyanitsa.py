"""Pyanitsa's table beyond the view: the trick by levels, the last one, the curve."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any, Final
from uuid import UUID

import msgspec
from django.core.cache import cache
from django.http import HttpRequest
from django.utils.translation import gettext as _

from cardroom.rules.pyanitsa.events import CardLaid, Dealt, Dispute, MatchOver, TrickTaken
from cardroom.rules.pyanitsa.narration import hint, match_causes, moments  # noqa: F401 - found by name
from cardroom.rules.pyanitsa.predicates import COLLECT, FLIP
from cardroom.rules.pyanitsa.view import PyanitsaView
from cardroom.rules.values import Event, RolledBack, Seat
from games.matches import bot_turns, moves
from games.matches.selectors.log import events_for, standing_entries
from games.matches.snapshot import MatchSnapshot
from games.web.parts.motions import (
    MOST_LYING,
    Candidate,
    Clip,
    Motion,
    Ply,
    Specimens,
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
from games.web.parts.visitor import mover
from games.web.parts.visitor import number as posted_number
from games.web.tables import Action
from games.web.tables.any_game import SeatedScene

# A trick of Pyanitsa as it is laid out: a row for the circle, one for every dispute.

Laid = tuple[Seat, str | None, int]  # seat, card (None: face down), level


@dataclass(frozen=True)
class Lay:
    """The cards that one seat laid at a level, ``None`` where one lies face down."""

    seat: Seat
    name: str
    cards: list[str | None]


@dataclass(frozen=True)
class Level:
    """``number`` 0 is the circle; ``waiting`` are those who are still to lay."""

    number: int
    lays: list[Lay]
    waiting: list[Lay]

    def with_waiting(self, waiting: list[Lay]) -> "Level":
        return replace(self, waiting=waiting)


@dataclass(frozen=True)
class Taken:
    """A trick that somebody took; ``sentence`` tells it in words."""

    levels: list[Level]
    taker: Seat
    sentence: str


def levels(laid: Sequence[Laid], names: Sequence[str]) -> list[Level]:
    """Cards in the order laid as rows; the cards of a seat at a level lie together."""
    rows = []
    for number, row in groupby(laid, key=lambda each: each[2]):
        lays = [
            Lay(seat, names[seat], [card for _, card, _ in cards])
            for seat, cards in groupby(row, key=lambda each: each[0])
        ]
        rows.append(Level(number, lays, []))
    return rows


def last_taken(page: TablePage) -> Taken | None:
    """The trick taken last, as far as the page's events tell it; ``None`` in the first trick."""
    return next(_taken_last_first(page), None)


def last_dispute(page: TablePage) -> Taken | None:
    """The last trick with a dispute, as far as the page's events tell of one."""
    return next((trick for trick in _taken_last_first(page) if len(trick.levels) > 1), None)


def _taken_last_first(page: TablePage) -> Iterator[Taken]:
    seen = page.recent_events
    ends = [at for at, event in enumerate(seen) if isinstance(event, TrickTaken)]
    for begins, end in reversed([*pairwise([-1, *ends])]):
        trick = _taken(seen[begins + 1 : end], seen[end], page)
        if trick is not None:
            yield trick


def _taken(events: Sequence[Event], taken: Event, page: TablePage) -> Taken | None:
    if not isinstance(taken, TrickTaken):
        return None
    laid = [(e.seat, e.card, e.level) for e in events if isinstance(e, CardLaid)]
    return Taken(levels(laid, page.match.names), taken.seat, page.narrated(taken))


# How many cards every seat held after each trick, as lines to draw.
#
# The counts are cached and continued from the new plies: a match may have ten thousand tricks,
# and its page is updated every half second. A long curve keeps every second, fourth, eighth …
# trick.

MOST_POINTS = 240
KEPT_SECONDS = 3600
WIDTH, HEIGHT = 600, 150


class Counts(msgspec.Struct):
    """The curve as far as ``version``: ``points`` are (trick, cards of every seat).

    ``held`` leaves out what lies on the table just now, ``last`` are the counts after ``trick``.
    """

    version: int = -1
    trick: int = 0
    step: int = 1
    held: list[int] = []
    last: list[int] = []
    points: list[tuple[int, list[int]]] = []

    def follow(self, event: Event, seats: int) -> None:
        match event:
            case Dealt():
                self.held = [event.cards_per_seat] * seats
                self.points = [(0, list(self.held))]
            case CardLaid():
                self.held[event.seat] -= 1
            case TrickTaken():
                self.held[event.seat] += event.count
                self.trick += 1
                self.last = list(self.held)
                self._mark()

    def _mark(self) -> None:
        if self.trick % self.step == 0:
            self.points.append((self.trick, self.last))
        if len(self.points) > MOST_POINTS:
            self.points = self.points[::2]
            self.step *= 2


@dataclass(frozen=True)
class Line:
    """``held`` is the number of cards now, as the bars show it: those on the table left out.

    ``points`` are those of a polyline of SVG.
    """

    seat: int
    name: str
    held: int
    points: str


@dataclass(frozen=True)
class Curve:
    width: int
    height: int
    tricks: int
    cards: int
    lines: list[Line]


def drawn_curve(page: TablePage) -> Curve | None:
    """The lines up to the last trick; ``None`` before the first one is taken."""
    counts = _up_to_date(page)
    if counts.trick == 0:
        return None
    cards = sum(counts.last)
    marks = counts.points
    if marks[-1][0] != counts.trick:
        marks = [*marks, (counts.trick, counts.last)]
    lines = [
        Line(seat, name, counts.held[seat], _line(marks, seat, counts.trick, cards))
        for seat, name in enumerate(page.match.names)
    ]
    return Curve(WIDTH, HEIGHT, counts.trick, cards, lines)


def _line(marks: list[tuple[int, list[int]]], seat: int, tricks: int, cards: int) -> str:
    return " ".join(
        f"{trick / tricks * WIDTH:.1f},{(1 - held[seat] / cards) * HEIGHT:.1f}"
        for trick, held in marks
    )


def _up_to_date(page: TablePage) -> Counts:
    """The cached counts, continued with what everybody may know of the new plies."""
    match = page.match
    name = f"curve:{match.id}"
    kept = cache.get(name)
    counts = msgspec.convert(kept, Counts) if kept else Counts()
    if counts.version > match.version:
        counts = Counts()
    if counts.version < match.version:
        entries = page.entries_after(counts.version)
        if any(isinstance(event, RolledBack) for entry in entries for event in entry.events):
            counts, entries = Counts(), standing_entries(match, until=match.version)
        for entry in entries:
            for event in events_for(match, entry, None):
                counts.follow(event, len(match.seats))
        counts.version = match.version
        cache.set(name, msgspec.to_builtins(counts), KEPT_SECONDS)
    return counts


# The best moments of a match of Pyanitsa: the deepest dispute, then the largest trick.


def candidates(plies: Iterable[Ply]) -> Iterator[Candidate]:
    laid: list[CardLaid] = []
    for version, events in plies:
        for event in events:
            match event:
                case CardLaid():
                    laid.append(event)
                case TrickTaken():
                    yield _cards_taken(version, event, laid)
                    laid = []


def _cards_taken(version: int, event: TrickTaken, laid: Sequence[CardLaid]) -> Candidate:
    """The last row: what the others laid, and what took it."""
    level = max((each.level for each in laid), default=0)
    row = [each for each in laid if each.level == level and each.card]
    clip = Clip(
        version,
        event.seat,
        tuple([each.card or "" for each in row if each.seat != event.seat])[-MOST_LYING:],
        tuple([each.card or "" for each in row if each.seat == event.seat]),
        after=f"+{event.count}",
        effect="dispute" if level else "",
    )
    return Candidate((level, event.count), event, clip)


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
        """The number of cards that take part."""
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
    """The cards of a seat at the end, of so many in play; ``before``: as many as it was dealt."""

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
    return MatchResult(page.narrated(event), _heaps(page), last_dispute(page))


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


# Two forms that only Pyanitsa's table has: turning up many cards, ordering a trick by numbers.

SECONDS_PER_PAGE: Final = 3.0  # without JavaScript: as long as a person may wait for a page
SECONDS_PER_STEP: Final = 0.3  # with it the page asks again by itself, and the curve grows
MOST_TRICKS: Final = 1_000_000  # more than a match can have
TRICKS_PER_STEP: Final = 20  # so many are shown before Stop stops


def run(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    """Turns cards up to the end of the trick, or of the match if the form says so."""
    trick = posted_number(request, "trick") or 0
    by_script = bool(getattr(request, "htmx", False))
    tricks = 1
    if request.POST.get("until") == "end":
        tricks = TRICKS_PER_STEP if by_script else MOST_TRICKS

    def is_far_enough(match: MatchSnapshot) -> bool:
        state: Any = match.state
        return bool(state.trick_no >= trick + tricks)

    return bot_turns.play_forced_moves(
        match_id=match_id,
        move=FLIP,
        until=is_far_enough,
        seconds=SECONDS_PER_STEP if by_script else SECONDS_PER_PAGE,
        **mover(request),
    )


def collect(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    """Collects the cards by the numbers written beside them, equal ones as they were laid."""
    cards, numbers = request.POST.getlist("card"), request.POST.getlist("place")
    places = [int(n) if n.isdecimal() and len(n) < 4 else 1000 for n in numbers]
    ordered = [card for _, card in sorted(zip(places, cards, strict=False), key=itemgetter(0))]
    text = " ".join([COLLECT, *ordered])
    return moves.play(match_id=match_id, move=text, **mover(request)).match


ACTIONS: Final[Mapping[str, Action]] = {"run": run, "collect": collect}


SPECIMENS: Final = Specimens(
    lambda: [call(_("Dispute!"), "fire", effect="dispute", at="trick")],
    [Clip(1, 0, ("9C",), ("KD",), after="+10", effect="dispute")],
)
