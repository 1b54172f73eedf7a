"""How a match went, from the scores of its rounds: who led, when it turned, who won in a row.

Pure: what every round ended with is all it takes. What it is to lead, and to be one round from
winning, is the game's to say (`Game.leaders`, `Game.match_point`).
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

import msgspec

from cardroom.rules.game import AnyGame
from cardroom.rules.values import Options

LEAST_STREAK: Final = 2

Scores = Sequence[int]


class RoundShape(msgspec.Struct, frozen=True):
    """A finished round: its scores, what they add up to by then, and the sides that led then.

    ``winner`` is the side that made most of the round, alone.
    """

    number: int
    scores: tuple[int, ...]
    totals: tuple[int, ...]
    winner: int | None
    leaders: tuple[int, ...]


class Streak(msgspec.Struct, frozen=True):
    """Rounds that one side won one after the other, from the round ``first`` on."""

    side: int
    first: int
    rounds: int


class MatchShape(msgspec.Struct, frozen=True):
    """``turning_point``: the round since which the one in front now has led, if others led before.

    ``lead_changes``: how often another side took the lead. ``match_point``: the sides that may win
    the match with the next round. Numbers of sides and rounds; ties do not count as a change.
    """

    rounds: tuple[RoundShape, ...]
    lead_changes: int
    turning_point: int | None
    streak: Streak | None
    match_point: tuple[int, ...]

    @property
    def leader(self) -> int | None:
        """The side that is in front now, alone."""
        return _alone(self.rounds[-1].leaders) if self.rounds else None

    @property
    def led_from_the_first(self) -> bool:
        """One side was in front after every round."""
        return self.leader is not None and all(
            each.leaders == (self.leader,) for each in self.rounds
        )


def match_shape(game: AnyGame, options: Options, scores: Sequence[Scores]) -> MatchShape:
    """``scores`` of the finished rounds in order, one number a side each."""
    rounds = tuple(_rounds(game, scores))
    leads = [(each.number, each.leaders[0]) for each in rounds if len(each.leaders) == 1]
    runs = [next(run) for _side, run in groupby(leads, key=lambda lead: lead[1])]
    return MatchShape(
        rounds=rounds,
        lead_changes=max(0, len(runs) - 1),
        turning_point=_turning_point(rounds, len(runs)),
        streak=_streak(rounds),
        match_point=tuple(game.match_point(options, scores)),
    )


def _rounds(game: AnyGame, scores: Sequence[Scores]) -> Iterator[RoundShape]:
    totals: list[int] = []
    for number, made in enumerate(scores, start=1):
        totals = [a + b for a, b in zip(totals or [0] * len(made), made, strict=True)]
        best = min(made) if game.points_are_places else max(made)
        yield RoundShape(
            number=number,
            scores=tuple(made),
            totals=tuple(totals),
            winner=_alone([side for side, score in enumerate(made) if score == best]),
            leaders=tuple(game.leaders(scores[:number])),
        )


def _turning_point(rounds: Sequence[RoundShape], leaders_so_far: int) -> int | None:
    """The first of the rounds at the end after which the same side led alone."""
    if leaders_so_far < 2 or len(rounds[-1].leaders) != 1:
        return None
    last = rounds[-1].leaders
    return 1 + next(each.number for each in reversed(rounds) if each.leaders != last)


def _streak(rounds: Sequence[RoundShape]) -> Streak | None:
    """The longest one, of equal ones the first."""
    best: Streak | None = None
    for side, run in groupby(rounds, key=lambda each: each.winner):
        won = list(run)
        if side is not None and len(won) > (best.rounds if best else LEAST_STREAK - 1):
            best = Streak(side, won[0].number, len(won))
    return best


def _alone(sides: Sequence[int]) -> int | None:
    return sides[0] if len(sides) == 1 else None
