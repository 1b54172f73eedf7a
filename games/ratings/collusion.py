"""Pairs and farms: people who may have got their points from those who gave them up.

Nobody is judged by one match. Two are compared with what was to be expected of them: how often one
gave up to the other (resigned, or let the time run out, after however many moves), how often one
won by the ratings before each match, and how short their matches were. A farm is a person most of
whose points come from several accounts of one address, from accounts that were made on one day and
gave up, or from many accounts, however far spread, that do little else than give up. It proves
nothing: an operator reads the matches, and takes them out of the ratings.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from math import exp, lgamma, log, pi, sqrt
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import connection
from django.utils import timezone

from accounts.models import User
from games.ratings.scale import UNIT

SINCE: Final = timedelta(days=30)
LEAST: Final = 4  # matches between two
MOST: Final = 100  # that are listed
RARELY: Final = (0.05, 0.3)  # the share of given-up matches that is usual is taken within these
CHANCE: Final = 0.05  # of so many given-up matches; less is surprising
SURPRISING: Final = 3.0  # deviations of the number of wins
SHORT: Final = 4  # times shorter than the others' matches
COMPARED: Final = 20  # matches of others, to say what is usual
HALF: Final = 0.5  # of the points of a person
CROWD: Final = 3  # accounts of one day
SPREAD: Final = 6  # accounts that have nothing in common but that they give up
NEARLY_ALL: Final = 0.75  # of the matches of such an account

_PAIRS: Final = """
WITH met AS (
    SELECT split_part(m.board, '/', 1) AS game, m.match_id, m.at,
        one.account_id AS one, other.account_id AS other, one.place < other.place AS won,
        s.resigned_at IS NOT NULL AS given_up,
        extract(epoch FROM g.finished_at - g.started_at)::float8 AS seconds,
        greatest(0, one.mean - one.mean_before) / (
            SELECT count(*) FROM ratings_ratedseat each
            WHERE each.rated_match_id = m.match_id AND each.side <> one.side) AS gain,
        1 / (1 + exp((other.mean_before - one.mean_before)
            / sqrt(1 + %s * (other.variance_before + one.variance_before)))) AS chance
    FROM ratings_ratedmatch m
    JOIN games_match g ON g.id = m.match_id
    JOIN ratings_ratedseat one ON one.rated_match_id = m.match_id
    JOIN ratings_ratedseat other ON other.rated_match_id = m.match_id AND other.side <> one.side
    LEFT JOIN games_seat s ON s.match_id = m.match_id AND s.index = other.seat
        AND s.user_id = other.account_id
    WHERE m.at > %s AND m.annulled_at IS NULL AND m.board LIKE '%%/people'
        AND one.account_id IS NOT NULL AND other.account_id IS NOT NULL
)
SELECT game, one, other, count(*), count(*) FILTER (WHERE won),
    count(*) FILTER (WHERE given_up AND won), sum(chance), sum(chance * (1 - chance)), sum(gain),
    sum(seconds), max(at), array_agg(match_id ORDER BY at)
FROM met GROUP BY game, one, other
"""


class Met(NamedTuple):
    """One person's results against another in a game; ``gain`` in log odds."""

    game: str
    one: UUID
    other: UUID
    matches: int
    won: int
    given_up: int
    expected: float
    variance: float
    gain: float
    seconds: float
    last: datetime
    ids: Sequence[UUID]


class Pair(NamedTuple):
    """``one`` has ``points`` from the other; ``reasons`` are what is not to be expected."""

    game: str
    one: UUID
    other: UUID
    met: int
    won: int
    given_up: int
    points: int
    last: datetime
    reasons: tuple[str, ...]
    matches: Sequence[UUID]


class Farm(NamedTuple):
    """``account`` has ``points`` from ``others``, whose matches these are."""

    account: UUID
    points: int
    others: int
    last: datetime
    reasons: tuple[str, ...]
    matches: Sequence[UUID]


class Suspicions(NamedTuple):
    pairs: list[Pair]
    farms: list[Farm]


def suspicions() -> Suspicions:
    """The pairs of the last month, with the most points first."""
    with connection.cursor() as cursor:
        cursor.execute(_PAIRS, [pi / 8, timezone.now() - SINCE])
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    all_met = [Met(*row) for row in rows]
    usual = _Usual(all_met)
    pairs = [pair for met in all_met if (pair := _pair(met, usual))]
    pairs.sort(key=lambda pair: (-pair.points, -pair.won))
    return Suspicions(pairs[:MOST], _farms(all_met, usual))


class _Usual:
    """The usual figures of a game, by the matches that others play."""

    def __init__(self, all_met: Iterable[Met]) -> None:
        self.matches: defaultdict[str, int] = defaultdict(int)
        self.given_up: defaultdict[str, int] = defaultdict(int)
        self.seconds: defaultdict[str, float] = defaultdict(float)
        for met in all_met:
            self.matches[met.game] += met.matches
            self.given_up[met.game] += 2 * met.given_up  # each match stands there twice
            self.seconds[met.game] += met.seconds

    def share_given_up(self, game: str, but: Sequence[Met]) -> float:
        matches = self.matches[game] - 2 * sum(met.matches for met in but)
        given_up = self.given_up[game] - 2 * sum(met.given_up for met in but)
        least, most = RARELY
        return min(most, max(least, given_up / matches)) if matches >= COMPARED else most

    def length(self, met: Met) -> float | None:
        """In seconds; nothing is known where few others play."""
        others = self.matches[met.game] - 2 * met.matches
        return (self.seconds[met.game] - 2 * met.seconds) / others if others >= COMPARED else None

    def is_given(self, game: str, given: Sequence[Met]) -> bool:
        """Whether so many of these matches were given up that it is hardly chance."""
        matches, given_up = sum(one.matches for one in given), sum(one.given_up for one in given)
        usual = self.share_given_up(game, given)
        return given_up >= LEAST and _at_least(given_up, matches, usual) < CHANCE


def _at_least(count: int, of: int, share: float) -> float:
    """The probability of so many or more; by logarithms, since two may meet a thousand times."""
    one, other = log(share), log(1 - share)
    return sum(exp(_ways(of, n) + n * one + (of - n) * other) for n in range(count, of + 1))


def _ways(of: int, count: int) -> float:
    return lgamma(of + 1) - lgamma(count + 1) - lgamma(of - count + 1)


def _pair(met: Met, usual: _Usual) -> Pair | None:
    if met.matches < LEAST:
        return None
    reasons = tuple(_reasons(met, usual))
    points = round(UNIT * met.gain)
    return (
        Pair(*met[:6], points=points, last=met.last, reasons=reasons, matches=met.ids)
        if reasons
        else None
    )


def _reasons(met: Met, usual: _Usual) -> Iterator[str]:
    if usual.is_given(met.game, [met]):
        yield f"{met.given_up} of {met.matches} matches were given up"
    surprise = (met.won - met.expected) / sqrt(met.variance) if met.variance else 0.0
    if surprise >= SURPRISING:
        yield f"won {met.won} of {met.matches}, where {met.expected:.1f} was to be expected"
    length, own = usual.length(met), met.seconds / met.matches
    if length is not None and SHORT * own < length and 2 * met.won > met.matches:
        yield f"a match takes {own:.0f} s, those of others {length:.0f} s"


def _farms(all_met: Sequence[Met], usual: _Usual) -> list[Farm]:
    by_person: defaultdict[UUID, list[Met]] = defaultdict(list)
    for met in all_met:
        if met.gain:
            by_person[met.one].append(met)
    several = {one: mine for one, mine in by_person.items() if len(mine) > 1}
    ids = {*several, *(met.other for mine in several.values() for met in mine)}
    people = User.objects.in_bulk(ids)
    givers = _givers(all_met)
    each = (_farm(one, mine, people, usual, givers) for one, mine in several.items())
    farms = [farm for farm in each if farm is not None]
    return sorted(farms, key=lambda farm: -farm.points)[:MOST]


def _givers(all_met: Iterable[Met]) -> set[UUID]:
    """The accounts that gave up nearly all that they played, to any opponent."""
    matches, given_up = defaultdict[UUID, int](int), defaultdict[UUID, int](int)
    for met in all_met:
        matches[met.other] += met.matches
        given_up[met.other] += met.given_up
    return {one for one, count in matches.items() if given_up[one] >= NEARLY_ALL * count}


def _farm(
    account: UUID,
    mine: Sequence[Met],
    people: dict[UUID, User],
    usual: _Usual,
    givers: Collection[UUID],
) -> Farm | None:
    """By the crowds that gave half of the points: of one address, of one day who gave up, or, where
    there are none, of many who do little else.
    """
    reasons, given_by = [], dict[tuple[UUID, str], Met]()
    points = sum(met.gain for met in mine)
    own = people[account].joined_from
    for address, crowd in _crowds(mine, lambda one: people[one].joined_from):
        accounts = {met.other for met in crowd} | ({account} if address == own else set())
        if address and len(accounts) >= CROWD and _share(crowd, points) >= HALF:
            reasons.append(_reason_of_crowd(crowd, points, "accounts of one address"))
            given_by |= {(met.other, met.game): met for met in crowd}
    for day, crowd in _crowds(mine, lambda one: f"{people[one].date_joined:%Y-%m-%d}"):
        gave = [game for game in {met.game for met in crowd} if _gave(game, crowd, usual)]
        if len({met.other for met in crowd}) >= CROWD and gave and _share(crowd, points) >= HALF:
            reasons.append(
                _reason_of_crowd(crowd, points, f"accounts of one day ({day}) who gave up")
            )
            given_by |= {(met.other, met.game): met for met in crowd}
    crowd = [] if given_by else [met for met in mine if met.other in givers]
    gave = [game for game in {met.game for met in crowd} if _gave(game, crowd, usual)]
    if gave and len({met.other for met in crowd}) >= SPREAD and _share(crowd, points) >= HALF:
        what = "accounts that gave up nearly all they played"
        reasons.append(_reason_of_crowd(crowd, points, what))
        given_by |= {(met.other, met.game): met for met in crowd}
    if not given_by:
        return None
    given = list(given_by.values())
    ids = list(dict.fromkeys(one for met in given for one in met.ids))
    whole = round(UNIT * sum(met.gain for met in given))
    others = len({met.other for met in given})
    return Farm(account, whole, others, max(met.last for met in given), tuple(reasons), ids)


def _gave(game: str, crowd: Sequence[Met], usual: _Usual) -> bool:
    return usual.is_given(game, [met for met in crowd if met.game == game])


def _crowds(mine: Iterable[Met], of: Any) -> list[tuple[str, list[Met]]]:
    crowds: defaultdict[str, list[Met]] = defaultdict(list)
    for met in mine:
        crowds[of(met.other)].append(met)
    return list(crowds.items())


def _share(crowd: Iterable[Met], points: float) -> float:
    return sum(met.gain for met in crowd) / points


def _reason_of_crowd(crowd: Sequence[Met], points: float, what: str) -> str:
    return f"{_share(crowd, points):.0%} of the points from {len({m.other for m in crowd})} {what}"
