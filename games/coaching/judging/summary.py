"""What the verdicts of a match say of each seat: accuracy, costly moments, luck and play.

A seat begins with the chance that all seats have, and ends with what it came to. In between its own
decisions cost something, and so do those of its rivals where there are two sides; the rest is luck:
the cards, and with more sides also how the others played. A match that somebody gave up was not
played to its end: what that end made of the chance at the last decision is neither luck nor play.
So the parts of a seat add up to its result exactly.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from cardroom.rules.values import Seat
from games.coaching.judging.decisions import Played
from games.coaching.judging.verdicts import GRADES, Grade, Verdict

COSTLIEST: Final = 3
MATTERS: Final = 0.01  # of chance between the best and the worst move: less is no choice
TWO: Final = 2
GIVEN_UP: Final = frozenset({"resigned", "timeout", "aborted"})


class SeatSummary(msgspec.Struct, frozen=True):
    """``accuracy``: from 0 to 100, how much of what its choices decided the seat kept.

    ``start`` + ``play`` + ``rivals`` + ``luck`` + ``unplayed`` = ``result``, all in chance to win.
    ``costliest`` and ``best_moment`` are versions of the match.
    """

    seat: Seat
    decisions: int
    grades: dict[Grade, int]
    accuracy: float | None
    start: float
    play: float
    rivals: float
    luck: float
    unplayed: float
    result: float
    costliest: tuple[int, ...]
    best_moment: int | None


def summaries(played: Played, verdicts: Sequence[Verdict]) -> list[SeatSummary]:
    seats = sorted(seat for side in played.sides for seat in side)
    return [_summary(played, verdicts, seat) for seat in seats]


def _summary(played: Played, verdicts: Sequence[Verdict], seat: Seat) -> SeatSummary:
    own = [verdict for verdict in verdicts if verdict.seat == seat]
    side = next(side for side in played.sides if seat in side)
    start, result = start_of(played), result_of(played, seat)
    play = -sum(verdict.cost for verdict in verdicts if verdict.seat in side)
    rivals = 0.0
    if len(played.sides) == TWO:
        rivals = sum(verdict.cost for verdict in verdicts if verdict.seat not in side)
    unplayed = result - _last_chance(played, verdicts, seat)
    return SeatSummary(
        seat=seat,
        decisions=len(own),
        grades={grade: sum(verdict.grade == grade for verdict in own) for grade in GRADES},
        accuracy=accuracy(own),
        start=start,
        play=play,
        rivals=rivals,
        luck=result - unplayed - start - play - rivals,
        unplayed=unplayed,
        result=result,
        costliest=_costliest(own),
        best_moment=_best_moment(own),
    )


def _last_chance(played: Played, verdicts: Sequence[Verdict], seat: Seat) -> float:
    """The result, but of a match that was given up the seat's chance at the last decision."""
    if played.outcome.reason not in GIVEN_UP:
        return result_of(played, seat)
    side = next(side for side in played.sides if seat in side)
    two = len(played.sides) == TWO
    known = [verdict for verdict in verdicts if two or verdict.seat in side]
    if not known:
        return start_of(played)
    chance = known[-1].best.chance - known[-1].cost
    return chance if known[-1].seat in side else 1 - chance


def accuracy(verdicts: Sequence[Verdict]) -> float | None:
    """The mean share of what lay between the worst and the best move; of choices that matter."""
    kept = [
        1 - min(1.0, verdict.cost / span)
        for verdict in verdicts
        if (span := verdict.choices[0].chance - verdict.choices[-1].chance) >= MATTERS
    ]
    return 100 * sum(kept) / len(kept) if kept else None


def start_of(played: Played) -> float:
    """The chance of each side before anything is dealt; not to be the only loser, where so."""
    sides = len(played.sides)
    return 1 - 1 / sides if played.game.points_are_places else 1 / sides


def result_of(played: Played, seat: Seat) -> float:
    """What the match came to for a seat, as its chances are counted."""
    outcome = played.outcome
    side = next(side for side in played.sides if seat in side)
    if played.game.points_are_places:
        last = max(outcome.places, default=1)
        return 0.0 if outcome.places and outcome.places[seat] == last else 1.0
    winning = [each for each in played.sides if set(each) & set(outcome.winners)]
    if not winning:
        return start_of(played)
    return 1 / len(winning) if side in winning else 0.0


def _costliest(own: Sequence[Verdict]) -> tuple[int, ...]:
    costly = [verdict for verdict in own if verdict.grade in ("slip", "mistake", "blunder")]
    worst = sorted(costly, key=lambda verdict: -verdict.cost)[:COSTLIEST]
    return tuple(verdict.version for verdict in worst)


def _best_moment(own: Sequence[Verdict]) -> int | None:
    """Where the best move was played and the second best was worth least beside it."""
    good = [verdict for verdict in own if verdict.grade == "best"]
    best = max(good, key=_lead, default=None)
    return None if best is None or _lead(best) < MATTERS else best.version


def _lead(verdict: Verdict) -> float:
    """Over the best move that is worth something else."""
    worse = [choice.chance for choice in verdict.choices if choice.chance < verdict.best.chance]
    return verdict.played.chance - worse[0] if worse else 0.0
