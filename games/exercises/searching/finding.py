"""Finding exercises: decisions in which one move is clearly best, by two searches.

A quick search looks at every decision, two longer ones with other worlds have to agree where it
found something. All of them know what the seat knew, and nothing else.
"""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any, Final

from msgspec import structs

from cardroom.arena import compiled_code
from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from cardroom.rules.values import Move, Options, Weighing
from games.coaching.judging import weighing
from games.coaching.judging.decisions import Decision, judge_of
from games.coaching.judging.verdicts import Verdict
from games.coaching.judging.weighing import Choice
from games.exercises.searching.positions import Position, raw, reasons_of, without_names

QUICK: Final = 256  # playouts of each move
LONG: Final = 1024
MARGIN: Final = 0.08  # of chance to win, over the second best move
MISTAKE: Final = 0.05  # what a person's move has to cost in both searches
SURE: Final = 3  # standard errors
OTHER_WORLDS: Final = 1_000_000  # worlds are drawn by the number of the decision


def themes_of(game: AnyGame) -> tuple[str, ...]:
    """The themes of a game's exercises; empty where there are none."""
    return tuple(game.themes.names) if game.themes and judge_of(game) else ()


def finder(game: AnyGame) -> "Finder | None":
    """``None`` where nobody can judge the game, or where it names no themes."""
    judge = judge_of(game)
    if judge is None or game.themes is None:
        return None
    return Finder(game, compiled_code.quick(game, judge))


class Finder:
    """Looks at the decisions of one game."""

    def __init__(self, game: AnyGame, judge: Bot[Any]) -> None:
        self.game = game
        self.judge = judge
        self._easier = [
            bot
            for bot in game.bots
            if bot.rated and bot.suggested and bot.level < judge.level and bot.cost == "quick"
        ]

    def clear(
        self, decision: Decision, options: Options, verdict: Verdict | None = None
    ) -> Position | None:
        """The position if one move is clearly best and some easier computer misses it.

        ``verdict`` is what an analysis said of it: it saves the quick search.
        """
        quick = verdict.choices if verdict else self._quick(decision)
        if not self._all_weighed(decision, quick) or quick[0].chance - quick[1].chance < MARGIN:
            return None
        both = self._both(decision)
        if not all(_leads(each, quick[0].move) for each in both):
            return None
        position = self._position(decision, options, both)
        return position if position.missed and self.theme_of(position) else None

    def mistake(self, decision: Decision, options: Options, verdict: Verdict) -> Position | None:
        """The position if both searches find the move that was played a mistake, too."""
        if not self._all_weighed(decision, verdict.choices):
            return None
        both = self._both(decision)
        if not all(_costs(each, verdict.move) for each in both):
            return None
        return structs.replace(self._position(decision, options, both), played=verdict.move)

    def theme_of(self, position: Position) -> str:
        """Empty for a position that none of the game's themes fits."""
        themes, moves = self.game.themes, [one.move for one in position.choices]
        if themes is None or len(moves) < 2:
            return ""
        return themes.of(position.seen, position.remembered, moves) or ""

    def _all_weighed(self, decision: Decision, choices: Sequence[Choice]) -> bool:
        """Whether nothing that can be answered is without a worth."""
        alike = self.game.alike
        weighed = {alike(one.move) for one in choices}
        legal = {alike(move) for move in decision.view.legal_moves}
        return len(weighed) > 1 and legal <= weighed

    def _quick(self, decision: Decision) -> Sequence[Choice]:
        return weighing.choices(weighing.weigh(self.judge, decision, QUICK))

    def _both(self, decision: Decision) -> tuple[Weighing, Weighing]:
        one, other = (
            weighing.weigh(
                self.judge, replace(decision, version=decision.version + n * OTHER_WORLDS), LONG
            )
            for n in (1, 2)
        )
        return one, other

    def _position(
        self, decision: Decision, options: Options, both: tuple[Weighing, Weighing]
    ) -> Position:
        choices = _together(*both)
        moves = [one.move for one in choices]
        reasons: Any = {}
        if self.game.reasons is not None:
            view, events = decision.view, decision.events
            reasons = self.game.reasons.of(view, events, weighing.stream(decision), moves)
        return Position(
            game=self.game.slug,
            rules_version=self.game.rules_version,
            options=raw(options),
            seat=decision.seat,
            round=decision.round,
            view=raw(decision.view),
            events=raw(without_names(decision.events)),
            choices=choices,
            reasons=reasons_of(reasons, choices),
            missed=self._missed(decision, choices[0].move),
        )

    def _missed(self, decision: Decision, best: Move) -> float:
        """The share of the easier computers that play something else."""
        alike, missing = self.game.alike, 0
        for bot in self._easier:
            known = self.game.recent_events(decision.events, bot.remembers)
            chance = Random(f"{bot.slug} {decision.seat} {decision.version}")
            move = bot.choose(decision.view, known, chance)
            missing += alike(move) != alike(best)
        return missing / len(self._easier) if self._easier else 0.5


def _leads(weighed: Weighing, move: Move) -> bool:
    """Whether the move is best by the margin, and by more than chance would make of it."""
    choices = weighing.choices(weighed)
    if not choices or choices[0].move != move:
        return False
    cost = weighing.cost_of(weighed, choices[1].move)
    return cost.loss >= MARGIN and cost.loss >= SURE * cost.error


def _costs(weighed: Weighing, move: Move) -> bool:
    if move not in weighed.moves:
        return False
    cost = weighing.cost_of(weighed, move)
    return cost.loss >= MISTAKE and cost.loss >= SURE * cost.error


def _together(one: Weighing, other: Weighing) -> tuple[Choice, ...]:
    """What both searches found, as if they were one."""
    by_move = dict(zip(other.moves, other.means, strict=True))
    joined = Weighing(
        one.moves,
        tuple(
            (*means, *by_move.get(move, means))
            for move, means in zip(one.moves, one.means, strict=True)
        ),
    )
    return tuple(
        Choice(each.move, round(each.chance, 4), round(each.error, 4))
        for each in weighing.choices(joined)
    )
