"""The class of a decision, by what it cost in chance to win.

``best``: nothing better was found, or the difference is as good as none (under half a percent, or
under its own standard error). A decision that is close to that is weighed again with more playouts
(``weighing.CLOSER``). Then by the loss of winning chance: ``fine`` under 2 %, ``slip``
under 5 %, ``mistake`` under 10 %, ``blunder`` from there on.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias, get_args

import msgspec

from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from cardroom.rules.values import Move, Reason, Seat
from games.coaching.judging import weighing
from games.coaching.judging.decisions import Decision
from games.coaching.judging.weighing import Choice, Cost

Grade: TypeAlias = Literal["best", "fine", "slip", "mistake", "blunder"]
GRADES: Final[tuple[Grade, ...]] = get_args(Grade)
BOUNDS: Final[tuple[tuple[float, Grade], ...]] = ((0.02, "fine"), (0.05, "slip"), (0.10, "mistake"))


class Verdict(msgspec.Struct, frozen=True):
    """A decision judged: ``version`` is that of the match before the move.

    ``choices`` are all moves from the best to the worst; ``cost`` is the loss of winning chance by
    the move that was played, ``error`` its standard error. ``reason`` says what speaks for or
    against the move that was played, ``best_reason`` the same of the best one.
    """

    version: int
    round: int
    seat: Seat
    move: Move
    grade: Grade
    cost: float
    error: float
    choices: tuple[Choice, ...]
    reason: Reason | None = None
    best_reason: Reason | None = None

    @property
    def best(self) -> Choice:
        return self.choices[0]

    @property
    def played(self) -> Choice:
        return next(choice for choice in self.choices if choice.move == self.move)


def judge(
    game: AnyGame,
    bot: Bot[Any],
    decision: Decision,
    playouts: int,
    closer: Sequence[int] = weighing.CLOSER,
) -> Verdict | None:
    """``None`` where the bot weighs nothing, or all moves do the same."""
    weighed = weighing.weigh_closely(game, bot, decision, playouts, closer)
    if weighed is None:
        return None
    move = weighed.move
    cost, listed = weighing.cost_of(weighed.weighing, move), weighing.choices(weighed.weighing)
    reasons = _reasons(game, decision, (move, listed[0].move))
    return Verdict(
        version=decision.version,
        round=decision.round,
        seat=decision.seat,
        move=move,
        grade=grade_of(cost),
        cost=cost.loss,
        error=cost.error,
        choices=tuple(listed),
        reason=reasons.get(move),
        best_reason=reasons.get(listed[0].move),
    )


def _reasons(game: AnyGame, decision: Decision, moves: Sequence[Move]) -> Mapping[Move, Reason]:
    if game.reasons is None:
        return {}
    view, events = decision.view, decision.events
    return game.reasons.of(view, events, weighing.stream(decision), list(dict.fromkeys(moves)))


def grade_of(cost: Cost) -> Grade:
    if cost.loss < weighing.AS_GOOD or cost.loss <= cost.error:
        return "best"
    return next((grade for bound, grade in BOUNDS if cost.loss < bound), "blunder")
