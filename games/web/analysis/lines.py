"""What the page of an analysis says: the seats, and their decisions as lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from games.coaching import selectors
from games.coaching.judging.summary import SeatSummary
from games.coaching.judging.verdicts import Verdict
from games.coaching.models import Analysis
from games.matches.snapshot import MatchSnapshot
from games.web.analysis.chart import Chart, chart
from games.web.table.past.verdict_lines import COSTLY, GRADE_WORDS, DecisionLine


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
        return [SeatLine(self.match, summary) for summary in selectors.summary_of(self.row)]

    @property
    def one(self) -> SeatLine:
        return self.seats[self.seat]

    @cached_property
    def _own(self) -> Sequence[Verdict]:
        return [one for one in selectors.verdicts_of(self.row) if one.seat == self.seat]

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
