"""The intervals of contests: how often they hold the truth, from matches that are really played."""

from games.arena.ranking import pairs
from games.arena.request import Part, describe, run_part
from games.arena.statistics import Interval

CONTESTS, MATCHES, TRUTH = 1000, 100, 200_000
Row = tuple[str, str, bool]


def _score(games: int, seed: int) -> Interval:
    request = describe(
        "pisti", preset="single", bots=["greedy", "random"], games=games, seed=seed, swap=True
    )
    return pairs.score(run_part(request, Part(0, games)), "greedy")


def coverage() -> Row:
    """Pişti, greedy against random: 95 % intervals of 1,000 contests of 100 mirrored matches"""
    truth = _score(TRUTH, 1).value
    found = [_score(MATCHES, 2 + contest) for contest in range(CONTESTS)]
    held = sum(each.low <= truth <= each.high for each in found) / CONTESTS
    width = sum(each.high - each.low for each in found) / CONTESTS
    return f"{held:.1%}, {width:.1%} wide on average", "93–97 %", 0.93 <= held <= 0.97


ROWS = [coverage]
