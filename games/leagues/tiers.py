"""Places in a division, those who go up and down, and the divisions that follow.

Tier 1 is the top. Each tier has divisions of about ``SIZE``; on Monday the first of each division
go a tier up and the last a tier down. How many tiers there are follows from the number of players,
each twice as large as the one above it. All pure.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from typing import Final, NamedTuple
from uuid import UUID

from games.leagues.points import Score

SIZE: Final = 24  # of a division when its week begins
ROOM: Final = 30  # with those who come during the week
HIGHEST: Final = 5  # tiers
UP, DOWN, STAYS = "up", "down", "stays"


class Standing(NamedTuple):
    """``slot`` is the place in the division when the week began, or later for newcomers."""

    account: UUID
    slot: int
    score: Score


class Ended(NamedTuple):
    """How a week ended for one player."""

    account: UUID
    tier: int
    points: int
    move: str


class Position(NamedTuple):
    account: UUID
    tier: int
    division: int
    slot: int


def tiers_for(players: int) -> int:
    """24 players have one tier, 72 two, 168 three."""
    tiers = 1
    while tiers < HIGHEST and players > SIZE * (2**tiers - 1):
        tiers += 1
    return tiers


def moving(players: int) -> int:
    """How many of a division go up, and how many down: one in four, at most five."""
    return min(5, players // 4)


def ranked(standings: Iterable[Standing]) -> list[Standing]:
    """More points first; of equal ones fewer matches but not none, then who stood before."""
    return sorted(standings, key=_order)


def _order(one: Standing) -> tuple[int, bool, int, int]:
    points, matches = one.score
    return -points, matches == 0, matches, one.slot


def moves(order: Sequence[Standing], tier: int, lowest: int) -> list[str]:
    """By place. Nobody goes up without a point; nobody leaves the ends of the league."""
    many, size = moving(len(order)), len(order)
    return [
        UP
        if tier > 1 and at < many and one.score.points
        else DOWN
        if tier < lowest and at >= size - many
        else STAYS
        for at, one in enumerate(order)
    ]


def next_tier(ended: Ended, lowest: int) -> int:
    """Where they belong in a week with so many tiers."""
    return min(lowest, ended.tier + {UP: -1, DOWN: 1, STAYS: 0}[ended.move])


def arranged(ended: Iterable[Ended]) -> list[Position]:
    """The divisions of the next week: who has played as much is together in a tier."""
    everybody = list(ended)
    lowest = tiers_for(len(everybody))
    wanted = sorted((next_tier(one, lowest), -one.points, one.account) for one in everybody)
    return [
        Position(account, tier, division, slot)
        for tier, members in groupby(wanted, key=lambda one: one[0])
        for division, group in enumerate(_groups([one[2] for one in members]), start=1)
        for slot, account in enumerate(group)
    ]


def _groups(accounts: Sequence[UUID]) -> list[Sequence[UUID]]:
    """In order, as few and as even as they can be."""
    count = -(-len(accounts) // SIZE)
    ends = [len(accounts) * at // count for at in range(count + 1)]
    return [accounts[begin:end] for begin, end in pairwise(ends)]


def tier_of_newcomer(rating: float | None, medians: dict[int, float], lowest: int) -> int:
    """The highest tier of which they are as strong as the middle; the lowest without a rating."""
    if rating is None:
        return lowest
    fitting = [tier for tier, middle in medians.items() if rating >= middle]
    return min([*fitting, lowest])


def division_of_newcomer(players: dict[int, int]) -> int:
    """Of the divisions of a tier that with the fewest players; a new one if all are full."""
    free = [(count, number) for number, count in players.items() if count < ROOM]
    return min(free)[1] if free else max(players, default=0) + 1
