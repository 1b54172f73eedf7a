"""The rules of leagues: points, tiers and weeks, as plain functions.

A match gives up to ``FULL`` points: the share of the opponents whom the player finished ahead of,
an equal place counting half. Against the same opponent the first ``MEETINGS`` matches of the week
count, so that two cannot feed each other; and of all matches the first ``MATCHES``, so that more
play alone does not win.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from itertools import groupby, pairwise
from typing import Final, NamedTuple
from uuid import UUID

FULL: Final = 10
MEETINGS: Final = 3
MATCHES: Final = 30


class Seated(NamedTuple):
    account: UUID
    side: int
    place: int


class Played(NamedTuple):
    """A match that counts, with the seats as they ended."""

    at: datetime
    match: UUID
    seats: tuple[Seated, ...]


class Score(NamedTuple):
    points: int = 0
    matches: int = 0


def score_of(account: UUID, matches: Iterable[Played], since: datetime) -> Score:
    """Of the matches that ended since then, in the order of their ends."""
    met: Counter[UUID] = Counter()
    points = counted = 0
    for match in sorted(matches):
        opponents = _opponents(account, match)
        fresh = [each for each in opponents if met[each[0]] < MEETINGS]
        if match.at < since or not fresh:
            continue
        points += _points([halves for _, halves in fresh], len(opponents))
        counted += 1
        met.update(opponent for opponent, _ in opponents)
        if counted == MATCHES:
            break
    return Score(points, counted)


def _opponents(account: UUID, match: Played) -> list[tuple[UUID, int]]:
    """Everybody on another side; 2 for those who finished lower, 1 for an equal place."""
    own = next((seat for seat in match.seats if seat.account == account), None)
    if own is None:
        return []
    others = [seat for seat in match.seats if seat.side != own.side]
    return [
        (seat.account, 2 if own.place < seat.place else 1 if own.place == seat.place else 0)
        for seat in others
    ]


def _points(halves: Sequence[int], opponents: int) -> int:
    """Rounded, a half upwards."""
    return (FULL * sum(halves) + opponents) // (2 * opponents)


# Places in a division, those who go up and down, and the divisions that follow.
#
# Tier 1 is the top. Each tier has divisions of about ``SIZE``; on Monday the first of each
# division go a tier up and the last a tier down. How many tiers there are follows from the number
# of players, each twice as large as the one above it. All pure.

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
    """The end of a week for one player."""

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
    """The numbers of a division that go up and down: one in four, at most five."""
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
    """Their tier in a week with so many tiers."""
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


# Weeks of UTC, each named by its Monday.

ONE_WEEK: Final = timedelta(weeks=1)


def monday_of(at: datetime) -> date:
    day = at.astimezone(UTC).date()
    return day - timedelta(days=day.weekday())


def beginning_of(monday: date) -> datetime:
    return datetime.combine(monday, time(), UTC)


def end_of(monday: date) -> datetime:
    return beginning_of(monday + ONE_WEEK)
