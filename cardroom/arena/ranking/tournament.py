"""Round robins: every strategy against every other one."""

from collections.abc import Mapping, Sequence
from itertools import combinations, permutations
from typing import TypeAlias

import msgspec

from cardroom.arena.errors import BadRequest
from cardroom.arena.figures import Figures
from cardroom.arena.ranking.pairs import score
from cardroom.arena.statistics import Interval

Pairing: TypeAlias = tuple[str, ...]  # two bots


class RankingRow(msgspec.Struct, frozen=True):
    """A bot's row of the ranking: its score is the mean of its pairings' shares."""

    bot: str
    score: float
    against: dict[str, Interval]


def pairings(bots: Sequence[str], sides: int) -> tuple[Pairing, ...]:
    """The pairings: with two sides each pair once, with more each bot alone against each other.

    The second of a pairing takes all sides that are left.
    """
    if len(set(bots)) != len(bots) or len(bots) < 2:
        raise BadRequest("A round robin needs two or more different bots.")
    return tuple(combinations(bots, 2) if sides == 2 else permutations(bots, 2))


def ranking(results: Mapping[Pairing, Figures]) -> tuple[RankingRow, ...]:
    """The bots by the mean share of matches won (draws count half), best first.

    With more than two sides only the pairings count in which a bot sits alone.
    """
    shares: dict[str, dict[str, Interval]] = {}
    for (one, other), figures in results.items():
        shares.setdefault(one, {})[other] = score(figures, one)
        if (other, one) not in results:
            shares.setdefault(other, {})[one] = score(figures, other)
    rows = (
        RankingRow(bot, sum(share.value for share in against.values()) / len(against), against)
        for bot, against in shares.items()
    )
    return tuple(sorted(rows, key=lambda row: (-row.score, row.bot)))
