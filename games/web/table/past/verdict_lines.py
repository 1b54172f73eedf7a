"""The verdicts of the coach in words, for the replay and for the page of an analysis."""

from dataclasses import dataclass, replace
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from msgspec import structs

from cardroom.rules.reason import Reason
from cardroom.rules.values import Move
from games.coaching.judging.verdicts import Grade, Verdict, grade_of
from games.coaching.judging.weighing import Choice, Cost
from games.language import words
from games.matches.snapshot import MatchSnapshot

GRADE_WORDS: Final[dict[Grade, Promise]] = {
    "best": gettext_lazy("best move"),
    "fine": gettext_lazy("fine"),
    "slip": gettext_lazy("slip"),
    "mistake": gettext_lazy("mistake"),
    "blunder": gettext_lazy("blunder"),
}
COSTLY: Final[tuple[Grade, ...]] = ("slip", "mistake", "blunder")


@dataclass(frozen=True)
class MoveLine:
    """A move that the seat had, with its chance in percent."""

    label: str
    chance: float
    error: float
    is_played: bool
    is_best: bool


@dataclass(frozen=True)
class DecisionLine:
    """A judged decision, in words."""

    match: MatchSnapshot
    verdict: Verdict

    def with_move(self, move: Move) -> "DecisionLine | None":
        """The same decision, had this move been played; ``None`` if it was not weighed."""
        chances = {choice.move: choice.chance for choice in self.verdict.choices}
        if move not in chances:
            return None
        if move == self.verdict.move:
            return self
        best = self.verdict.best
        cost = max(0.0, best.chance - chances[move])
        judged = structs.replace(
            self.verdict,
            move=move,
            cost=cost,
            grade=grade_of(Cost(cost, 0.0)),
            reason=self.verdict.best_reason if move == best.move else None,
        )
        return replace(self, verdict=judged)

    @property
    def played(self) -> str:
        return self._label(self.verdict.move)

    @property
    def grade(self) -> str:
        return str(GRADE_WORDS[self.verdict.grade])

    @property
    def cost(self) -> float:
        return 100 * self.verdict.cost

    @property
    def best(self) -> str:
        return self._label(self.verdict.best.move)

    @property
    def is_best(self) -> bool:
        return self.verdict.grade == "best"

    @property
    def why(self) -> str:
        """What the move takes, leaves or risks, in the words of the game."""
        return self._in_words(self.verdict.reason)

    @property
    def why_best(self) -> str:
        return self._in_words(self.verdict.best_reason)

    @property
    def reason(self) -> str:
        """One sentence, with what the moves are worth; empty for a move that was the best."""
        if self.verdict.grade == "best":
            return ""
        best = self.verdict.best
        return _("“%(best)s” wins in %(better)d of 100 such positions, this in %(worse)d.") % {
            "best": self._label(best.move),
            "better": round(100 * best.chance),
            "worse": round(100 * (best.chance - self.verdict.cost)),
        }

    @property
    def moves(self) -> list[MoveLine]:
        return [self._line(choice) for choice in self.verdict.choices]

    def _line(self, choice: Choice) -> MoveLine:
        return MoveLine(
            label=self._label(choice.move),
            chance=100 * choice.chance,
            error=100 * choice.error,
            is_played=choice.move == self.verdict.move,
            is_best=choice is self.verdict.best,
        )

    def _in_words(self, reason: Reason | None) -> str:
        reasons = self.match.rules.reasons
        return words(reasons.words(reason)) if reason and reasons else ""

    def _label(self, move: str) -> str:
        return words(self.match.rules.label(move))
