"""The page of an analysis: asking for it, its chart, its lines."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from config.refusals import Refusal
from config.words import sentence_of
from games.absent import check_installed
from games.coaching import analyses
from games.coaching.judging import SeatSummary, Verdict
from games.coaching.models import Analysis
from games.matches.snapshot import MatchSnapshot
from games.web.parts.visitor import current_or_guest_user, user_id
from games.web.table.coach import COSTLY, GRADE_WORDS, DecisionLine
from games.web.table.page import visible_match

# A seat's chance to win over the match, drawn with what chance did and what the seat did.
#
# Between two decisions of the seat the cards and the others move the chance; at a decision only
# the seat does, downwards by what it cost.

WIDTH: Final = 600
HEIGHT: Final = 180


@dataclass(frozen=True)
class Chart:
    """``chance`` and ``play`` are the paths of the two kinds of steps; ``marks`` costly moves."""

    chance: str
    play: str
    marks: list[tuple[int, int, int]] = field(default_factory=list)  # x, y, version
    width: int = WIDTH
    height: int = HEIGHT
    middle: int = HEIGHT // 2


def chart(summary: SeatSummary, verdicts: Sequence[Verdict], last: int) -> Chart:
    """``verdicts`` are those of the seat, ``last`` is the version at the end of the match."""
    chance, play = [f"M0 {_y(summary.start)}"], []
    marks = []
    for verdict in verdicts:
        x, before, after = round(WIDTH * verdict.version / max(1, last)), _y(verdict.best.chance), 0
        after = _y(verdict.best.chance - verdict.cost)
        chance.append(f"L{x} {before}M{x} {after}")
        if after != before:
            play.append(f"M{x} {before}V{after}")
        if verdict.grade in ("mistake", "blunder"):
            marks.append((x, after, verdict.version))
    chance.append(f"L{WIDTH} {_y(summary.result - summary.unplayed)}")
    return Chart("".join(chance), "".join(play), marks)


def _y(chance: float) -> int:
    return round(HEIGHT * (1 - min(1.0, max(0.0, chance))))


# The page of an analysis: the seats, and their decisions as lines.


@dataclass(frozen=True)
class SeatLine:
    """The figures of a seat, in percent."""

    match: MatchSnapshot
    summary: SeatSummary

    @property
    def name(self) -> str:
        return self.match.names[self.summary.seat]

    @property
    def grades(self) -> list[tuple[str, str, int]]:
        counted = self.summary.grades
        return [(grade, str(name), counted.get(grade, 0)) for grade, name in GRADE_WORDS.items()]

    @property
    def luck(self) -> float:
        return 100 * self.summary.luck

    @property
    def play(self) -> float:
        return 100 * self.summary.play

    @property
    def rivals(self) -> float:
        return 100 * self.summary.rivals

    @property
    def unplayed(self) -> float:
        return 100 * self.summary.unplayed


@dataclass(frozen=True)
class AnalysisPage:
    """``seat`` is whose decisions are shown; ``shows_all``: also those that cost nothing."""

    match: MatchSnapshot
    row: Analysis
    seat: int
    shows_all: bool

    @cached_property
    def seats(self) -> list[SeatLine]:
        return [SeatLine(self.match, summary) for summary in analyses.summary_of(self.row)]

    @property
    def one(self) -> SeatLine:
        return self.seats[self.seat]

    @cached_property
    def _own(self) -> Sequence[Verdict]:
        return [one for one in analyses.verdicts_of(self.row) if one.seat == self.seat]

    @property
    def chart(self) -> Chart:
        return chart(self.one.summary, self._own, self.match.version)

    @property
    def lines(self) -> list[DecisionLine]:
        shown = [one for one in self._own if self.shows_all or one.grade in COSTLY]
        return [DecisionLine(self.match, one) for one in shown]

    @property
    def has_best_moment(self) -> bool:
        return self.one.summary.best_moment is not None

    @property
    def has_two_sides(self) -> bool:
        return len(self.match.sides) == 2

    @property
    def was_given_up(self) -> bool:
        return any(seat.summary.unplayed for seat in self.seats)

    @property
    def percent_done(self) -> int:
        return 100 * self.row.reached // max(1, self.row.decisions or 1)


@never_cache
@require_http_methods(["GET", "POST"])
def analysis(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """The analysis, or how far it is; a press of the button begins it."""
    match = visible_match(request, match_id)
    check_installed(match.rules)
    if request.method == "POST":
        return _begin(request, match)
    return render(request, "games/analysis.html", _context(request, match))


@require_POST
def stop_analysis(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """Throws a running analysis away; of somebody else's nothing changes."""
    match = visible_match(request, match_id)
    try:
        analyses.stop(match=match, user=current_or_guest_user(request))
    except Refusal as refusal:
        return _refused(request, match, refusal)
    return redirect("table", match_id)


def _begin(request: HttpRequest, match: MatchSnapshot) -> HttpResponse:
    try:
        analyses.analyse(match=match, user=current_or_guest_user(request))
    except Refusal as refusal:
        return _refused(request, match, refusal)
    return redirect("analysis", match.id)


def _refused(request: HttpRequest, match: MatchSnapshot, refusal: Refusal) -> HttpResponse:
    context = _context(request, match) | {"fault": sentence_of(refusal)}
    return render(request, "games/analysis.html", context, status=refusal.status)


def _context(request: HttpRequest, match: MatchSnapshot) -> dict[str, Any]:
    context: dict[str, Any] = {"match": match, "game": match.rules}
    try:
        analyses.check_may_read(match, user_id(request))
    except Refusal as refusal:
        return context | {"fault": sentence_of(refusal)}
    row = analyses.find_analysis(match.id)
    if row is None:
        return context
    seat = _seat(request, match)
    page = AnalysisPage(match, row, seat, shows_all=request.GET.get("show") == "all")
    return context | {"page": page, "row": row, "is_own": row.requester_id == user_id(request)}


def _seat(request: HttpRequest, match: MatchSnapshot) -> int:
    """The seat that the address names, else the reader's own, else the first."""
    text, user = request.GET.get("seat", ""), user_id(request)
    if text.isascii() and text.isdecimal() and int(text) < len(match.seats):
        return int(text)
    own = [seat.index for seat in match.seats if user is not None and seat.user_id == user]
    return own[0] if own else 0
