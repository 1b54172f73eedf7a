"""The intervals of contests: how often they hold the truth, from matches that are really played."""

from statistics import stdev
from typing import Any

from cardroom.arena import ranking
from cardroom.arena.request import Part, describe, run_part
from cardroom.arena.statistics import Z95, Interval

CONTESTS, MATCHES, TRUTH = 1000, 100, 200_000
MARGIN_CONTESTS, MARGIN_TRUTH = 1000, 100_000
Row = tuple[str, str, bool]


def _score(games: int, seed: int) -> Interval:
    request = describe(
        "pisti", preset="single", bots=["greedy", "random"], games=games, seed=seed, swap=True
    )
    return ranking.score(run_part(request, Part(0, games)), "greedy")


def coverage() -> Row:
    """Pişti, greedy against random: 95 % intervals of 1,000 contests of 100 mirrored matches"""
    truth = _score(TRUTH, 1).value
    found = [_score(MATCHES, 2 + contest) for contest in range(CONTESTS)]
    held = sum(each.low <= truth <= each.high for each in found) / CONTESTS
    width = sum(each.high - each.low for each in found) / CONTESTS
    return f"{held:.1%}, {width:.1%} wide on average", "93–97 %", 0.93 <= held <= 0.97


def _margins(game: str, bots: list[str], pairs_played: int, **values: Any) -> Row:
    """How often the interval of a margin holds it, and its reach over that of the estimates."""
    matches = 2 * pairs_played

    def margin(games: int, seed: int) -> Interval:
        request = describe(game, values=values, bots=bots, games=games, seed=seed, swap=True)
        found = ranking.pair_margin(run_part(request, Part(0, games)), bots[0])
        assert found is not None
        return found

    truth = margin(MARGIN_TRUTH, 1).value
    found = [margin(matches, 2 + contest) for contest in range(MARGIN_CONTESTS)]
    held = sum(each.low <= truth <= each.high for each in found) / len(found)
    reach = sum(each.high - each.low for each in found) / len(found) / 2
    ratio = reach / (Z95 * stdev(each.value for each in found))
    figure = f"{held:.1%}, {ratio:.2f} times as wide as the estimates spread"
    return figure, "93–98 %, ≤ 1.25", 0.93 <= held <= 0.98 and ratio <= 1.25


def margins_at_pazaak() -> Row:
    """Pazaak, gambler against rookie: 95 % intervals of the margin in contests of 30 pairs"""
    return _margins("pazaak", ["gambler", "rookie"], 30)


def margins_at_pisti() -> Row:
    """Pişti to 151, greedy against random: 95 % intervals of the margin in contests of 30 pairs"""
    return _margins("pisti", ["greedy", "random"], 30)


ROWS = [coverage, margins_at_pazaak, margins_at_pisti]
