"""An answer in words: what each move is worth and why, and what the answer came to."""

from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _

from cardroom.rules.values import Move
from games.coaching.judging.weighing import Choice
from games.exercises.searching.positions import Position
from games.exercises.solving import Answer
from games.language import words
from games.ratings.scale import rating
from games.web.table.past.verdict_lines import GRADE_WORDS


@dataclass(frozen=True)
class ChoiceLine:
    """A move that the seat had, with its chance in percent and what speaks for or against it."""

    label: str
    chance: float
    error: float
    is_best: bool
    is_chosen: bool
    why: str


@dataclass(frozen=True)
class AnswerLines:
    answer: Answer

    @property
    def position(self) -> Position:
        return self.answer.position

    @cached_property
    def _chosen(self) -> Choice | None:
        return self.position.choice_of(self.answer.move)

    @property
    def chosen(self) -> str:
        return self.label(self.answer.move)

    @property
    def best(self) -> str:
        return self.label(self.position.best.move)

    @property
    def is_best(self) -> bool:
        return self._chosen == self.position.best

    @property
    def grade(self) -> str:
        return str(GRADE_WORDS[self.position.grade_of(self._chosen)]) if self._chosen else ""

    @property
    def cost(self) -> float:
        return 100 * self.position.cost_of(self._chosen) if self._chosen else 0.0

    @property
    def why_chosen(self) -> str:
        return self._why(self._chosen.move) if self._chosen else ""

    @property
    def why_best(self) -> str:
        return self._why(self.position.best.move)

    @property
    def comparison(self) -> str:
        """What the best move is worth, beside the one that was chosen."""
        best, rules = self.position.best, self.position.rules
        if self.is_best or self._chosen is None:
            sentence = _("“%(best)s” wins in %(better)d of 100 such positions.")
            if rules.points_are_places:
                sentence = _(
                    "With “%(best)s” you are not last in %(better)d of 100 such positions."
                )
            return sentence % {"best": self.best, "better": round(100 * best.chance)}
        sentence = _("“%(best)s” wins in %(better)d of 100 such positions, this in %(worse)d.")
        if rules.points_are_places:
            sentence = _(
                "With “%(best)s” you are not last in %(better)d of 100 such positions,"
                " with this in %(worse)d."
            )
        return sentence % {
            "best": self.best,
            "better": round(100 * best.chance),
            "worse": round(100 * self._chosen.chance),
        }

    @property
    def moves(self) -> list[ChoiceLine]:
        return [
            ChoiceLine(
                label=self.label(one.move),
                chance=100 * one.chance,
                error=100 * one.error,
                is_best=one is self.position.best,
                is_chosen=one == self._chosen,
                why=self._why(one.move),
            )
            for one in self.position.choices
        ]

    @property
    def played(self) -> str:
        """What the reader played in the match whose mistake this was."""
        return self.label(self.position.played) if self.position.played else ""

    @property
    def before(self) -> int | None:
        return round(rating(self.answer.before.mean)) if self.answer.before else None

    @property
    def after(self) -> int | None:
        return round(rating(self.answer.after.mean)) if self.answer.after else None

    @property
    def source(self) -> str:
        """The address of the moment in its match, which the reader may see by now."""
        row = self.answer.exercise
        return f"/matches/{row.match_id}?ply={row.version}" if row.match_id else ""

    def label(self, move: Move) -> str:
        return words(self.position.rules.label(move))

    def _why(self, move: Move) -> str:
        reasons, reason = self.position.rules.reasons, self.position.reasons.get(move)
        return words(reasons.words(reason)) if reasons and reason else ""
