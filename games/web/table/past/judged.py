"""What the coach says beside a replay: the chance to win, the decision at a ply, the mistakes.

Whose cards are turned up, of those the coach speaks: one seat, every seat, or none for a reader
who looks on as a spectator does. A reader who wants to be asked first is told nothing of a
decision until they have answered.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from cardroom.rules.values import Seat
from games.coaching import selectors
from games.coaching.judging.decisions import judge_of
from games.coaching.judging.summary import SeatSummary
from games.coaching.judging.verdicts import Grade, Verdict
from games.coaching.models import Analysis
from games.language import words
from games.matches.snapshot import MatchSnapshot
from games.web.table.past.verdict_lines import DecisionLine

MISTAKES: Final[tuple[Grade, ...]] = ("mistake", "blunder")


@dataclass(frozen=True)
class Judged:
    """``seat`` is whose cards lie open; ``asks``: the reader answers before a decision is judged.

    ``then`` is the match at the ply that is looked at, ``answer`` the move that the reader chose.
    """

    then: MatchSnapshot
    row: Analysis
    ply: int
    last: int
    seat: Seat | None
    all_hands: bool
    asks: bool
    answer: str

    @property
    def sees_nobody(self) -> bool:
        return self.seat is None and not self.all_hands

    @cached_property
    def _verdicts(self) -> Sequence[Verdict]:
        """Those of the seats whose cards lie open."""
        every = selectors.verdicts_of(self.row)
        return [one for one in every if self.all_hands or one.seat == self.seat]

    @cached_property
    def verdict(self) -> Verdict | None:
        """Of the decision that is to be made at this ply."""
        return next((one for one in self._verdicts if one.version == self.ply), None)

    @property
    def is_asking(self) -> bool:
        return self.asks and self.verdict is not None and self.answered is None

    @cached_property
    def answered(self) -> "DecisionLine | None":
        """The decision as if the answer had been played; ``None`` without one that was weighed."""
        return self._line.with_move(self.answer) if self.asks and self._line else None

    @property
    def line(self) -> DecisionLine | None:
        """What was played, unless the reader is to answer first."""
        return None if self.is_asking else self._line

    @cached_property
    def _line(self) -> DecisionLine | None:
        return None if self.verdict is None else DecisionLine(self.then, self.verdict)

    @property
    def decider(self) -> str:
        return self.then.names[self.verdict.seat] if self.verdict else ""

    @property
    def choices(self) -> list[tuple[str, str]]:
        """The moves to choose from with their labels, in the order of the rules."""
        if self.verdict is None:
            return []
        rules, weighed = self.then.rules, {each.move for each in self.verdict.choices}
        legal = rules.legal_moves(self.then.state, self.verdict.seat)
        return [(move, words(rules.label(move))) for move in legal if move in weighed]

    @property
    def coach(self) -> str:
        """The computer that judges."""
        judge = judge_of(self.then.rules)
        return judge.name if judge else ""

    @cached_property
    def subject(self) -> Seat:
        """Whose chance is shown."""
        return self.seat or 0

    @property
    def name(self) -> str:
        return self.then.names[self.subject]

    @property
    def percent(self) -> int:
        """The chance of that seat, as far as its last decision tells, or how it ended."""
        return round(100 * min(1.0, max(0.0, self._chance)))

    @property
    def percent_left(self) -> int:
        return 100 - self.percent

    @property
    def _chance(self) -> float:
        summary = self._summary
        if self.ply >= self.last:
            return summary.result
        chance = summary.start
        for one in self._verdicts:
            if one.version > self.ply or (one.version == self.ply and self.is_asking):
                break
            value = one.best.chance - (one.cost if one.version < self.ply else 0)
            if one.seat in self._side:
                chance = value
            elif len(self.then.sides) == 2:
                chance = 1 - value
        return chance

    @cached_property
    def _summary(self) -> SeatSummary:
        return selectors.summary_of(self.row)[self.subject]

    @cached_property
    def _side(self) -> tuple[Seat, ...]:
        return next(side for side in self.then.sides if self.subject in side)

    @property
    def mistake_before(self) -> int | None:
        return max((ply for ply in self._mistakes if ply < self.ply), default=None)

    @property
    def mistake_after(self) -> int | None:
        return min((ply for ply in self._mistakes if ply > self.ply), default=None)

    @cached_property
    def _mistakes(self) -> list[int]:
        return [one.version for one in self._verdicts if one.grade in MISTAKES]
