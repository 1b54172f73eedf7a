"""Words of the coach: hints at the table, and verdicts on decisions."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from msgspec import structs

from accounts.models import User
from cardroom.rules.values import Move, Reason
from config.refusals import Refusal
from games.coaching import analyses
from games.coaching.analyses import LooksLikeABlunder
from games.coaching.judging import AdvisedMove, Choice, Cost, Grade, Verdict, grade_of
from games.coaching.models import Hint
from games.language import words
from games.matches.selectors.lists import has_played_before
from games.matches.snapshot import MatchSnapshot
from games.web.parts.table_page import TablePage
from games.web.parts.visitor import number
from games.web.tables import GamePage

SECONDS_WAITED: Final = 0.6  # seconds, for a worker


def coach_line(page: TablePage, game_page: GamePage) -> str:
    """Empty when there is nothing to say or the viewer knows the game."""
    if game_page.hint is None or not page.wants_hints or not page.is_your_turn or page.is_shared:
        return ""
    hint = game_page.hint(page.view)
    if hint is None or page.user is None:
        return ""
    match = page.match
    return "" if has_played_before(page.user, match.game, match.id) else words(hint)


@dataclass(frozen=True)
class CoachAtTable:
    """The coach of a running match, as its player sees it."""

    page: TablePage

    @cached_property
    def is_on(self) -> bool:
        return self.page.match.coached and bool(self.page.own_seats)

    @property
    def may_be_switched_on(self) -> bool:
        match = self.page.match
        return not match.coached and analyses.may_be_coached(match, self.page.user)

    @cached_property
    def may_be_asked(self) -> bool:
        view = self.page.view
        has_choice = view is not None and len(view.legal_moves) > 1
        return self.is_on and self.page.is_your_turn and has_choice

    @cached_property
    def _hint_row(self) -> Hint | None:
        return analyses.shown_hint(self.page.match, self.page.seat) if self.may_be_asked else None

    @property
    def is_thinking(self) -> bool:
        return self._hint_row is not None and self._hint_row.advice is None

    @property
    def hint(self) -> str:
        """The best move and why, if the player asked for it here."""
        advice = analyses.advice_of(self._hint_row) if self._hint_row else None
        if advice is None:
            return ""
        match = self.page.match
        return _hint(match, advice.moves[0]) if advice.moves else _("Nothing to weigh here.")


def _hint(match: MatchSnapshot, best: AdvisedMove) -> str:
    sentence = _("“%(move)s” is best: it wins in %(chance)d of 100 such positions.")
    if match.rules.points_are_places:
        sentence = _("“%(move)s” is best: you are not last in %(chance)d of 100 such positions.")
    label = words(match.rules.label(best.move))
    first = sentence % {"move": label, "chance": round(100 * best.chance)}
    return " ".join(filter(None, [first, _reason(match, best)]))


def _reason(match: MatchSnapshot, move: AdvisedMove) -> str:
    reasons = match.rules.reasons
    return words(reasons.words(move.reason)) if reasons and move.reason else ""


def warn(request: HttpRequest, match: MatchSnapshot, user: User, move: Move) -> None:
    """Raises ``LooksLikeABlunder`` the first time that this move is pressed at this version."""
    if not match.coached or number(request, "version") != match.version:
        return
    pressed, key = [match.version, move], f"warned:{match.id}"
    if request.session.get(key) == pressed:
        return
    try:
        row = analyses.ask_for_hint(match_id=match.id, user=user, shown=False)
    except Refusal:  # there is no choice, or the move itself will be refused
        return
    advised = analyses.blunder_of_hint(row, match, move, SECONDS_WAITED)
    if advised is None:
        return
    request.session[key] = pressed
    sentence = _("This costs about %(cost)d %% of your chance. Press it again to play it.") % {
        "cost": round(100 * advised.cost)
    }
    raise LooksLikeABlunder(" ".join(filter(None, [sentence, _reason(match, advised)])))


# The verdicts of the coach in words, for the replay and for the page of an analysis.

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
        """The gains, leavings and risks of the move, in the words of the game."""
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
