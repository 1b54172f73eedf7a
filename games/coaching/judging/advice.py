"""What the coach advises a seat that is to move, from what it knows: every move with its cost."""

from collections.abc import Mapping
from typing import Any

import msgspec

from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from cardroom.rules.values import Move, Reason
from games.coaching.judging import weighing
from games.coaching.judging.decisions import Decision
from games.coaching.judging.verdicts import Grade, grade_of


class AdvisedMove(msgspec.Struct, frozen=True):
    """``chance`` to win with it, its standard error, and what it costs against the best move."""

    move: Move
    chance: float
    error: float
    cost: float
    grade: Grade
    reason: Reason | None = None


class Advice(msgspec.Struct, frozen=True):
    """``moves`` from the best to the worst; empty where the coach weighs nothing."""

    moves: tuple[AdvisedMove, ...]

    def of(self, game: AnyGame, move: Move) -> AdvisedMove | None:
        """The move, or the one of those listed that does the same."""
        same = game.alike(move)
        exact = (one for one in self.moves if one.move == move)
        alike = (one for one in self.moves if game.alike(one.move) == same)
        return next(exact, None) or next(alike, None)


def advise(game: AnyGame, bot: Bot[Any], decision: Decision, playouts: int) -> Advice:
    weighed = weighing.weigh(bot, decision, playouts)
    reasons: Mapping[Move, Reason] = {}
    if game.reasons is not None and weighed.moves:
        view, events = decision.view, decision.events
        reasons = game.reasons.of(view, events, weighing.stream(decision), weighed.moves)
    moves = []
    for choice in weighing.choices(weighed):
        cost = weighing.cost_of(weighed, choice.move)
        moves.append(
            AdvisedMove(
                move=choice.move,
                chance=choice.chance,
                error=choice.error,
                cost=cost.loss,
                grade=grade_of(cost),
                reason=reasons.get(choice.move),
            )
        )
    return Advice(tuple(moves))
