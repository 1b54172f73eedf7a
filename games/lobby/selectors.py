"""Every read of the lobby: seeks, in groups; and the refusals."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.social.models import Block
from config.api.errors import KeyReused
from config.postgres.replicas import list_connection
from config.refusals import NotFound, Refusal
from games.lobby.models import Seek

# People who sit down together, of those who wait for the same match: a plan, from values alone.
#
# The one who waits longest is seated first, with those nearest in rating. The window of ratings
# widens with waiting. Two who blocked each other never meet. Two who met twice in a row do not
# meet a third time while either could meet somebody else.

WINDOW: Final = 100.0  # points of rating, at once
WIDENS_BY: Final = 10.0  # with each second
ANYBODY_AFTER: Final = 60.0  # seconds; then ratings do not matter

Pair = frozenset[UUID]  # of two accounts


@dataclass(frozen=True)
class Waiting:
    """One seek as pairing sees it; ``waited`` and ``computers_after`` are seconds."""

    seek: UUID
    account: UUID
    rating: float
    waited: float
    computers_after: int | None = None
    is_bot: bool = False

    @property
    def window(self) -> float:
        if self.waited >= ANYBODY_AFTER:
            return float("inf")
        return WINDOW + WIDENS_BY * self.waited

    @property
    def takes_computers(self) -> bool:
        return self.computers_after is not None

    @property
    def is_tired(self) -> bool:
        """Computers may sit down now."""
        return self.computers_after is not None and self.waited >= self.computers_after


@dataclass(frozen=True)
class Table:
    """People who sit down together, the longest waiting first; computers fill the table."""

    people: tuple[Waiting, ...]
    computers: int = 0


@dataclass(frozen=True)
class Company:
    """People who may meet: ``blocked`` never, ``twice`` only if there is nobody else."""

    blocked: Collection[Pair] = frozenset()
    twice: Collection[Pair] = frozenset()

    def may_meet(self, one: Waiting, other: Waiting) -> bool:
        if one.is_bot != other.is_bot and not (other if one.is_bot else one).is_tired:
            return False  # a bot account is a computer to a person who waits for people
        return frozenset((one.account, other.account)) not in self.blocked

    def is_third_time(self, one: Waiting, other: Waiting) -> bool:
        return frozenset((one.account, other.account)) in self.twice


def tables(waiting: Sequence[Waiting], seats: int, company: Company) -> Iterator[Table]:
    """The tables that can begin now. Each account is at one of them at most."""
    left = sorted(waiting, key=lambda one: -one.waited)
    for first in list(left):
        if first not in left:
            continue
        group = _full(first, left, seats, company) or _with_computers(first, left, seats, company)
        if group:
            left = [one for one in left if one not in group.people]
            yield group


def _full(first: Waiting, left: Sequence[Waiting], seats: int, company: Company) -> Table | None:
    people = _company_of(first, left, seats, company)
    return Table(people) if len(people) == seats else None


def _with_computers(
    first: Waiting, left: Sequence[Waiting], seats: int, company: Company
) -> Table | None:
    """People first: everybody sits down who takes computers at all, also before their time."""
    if not first.is_tired:
        return None
    people = _company_of(first, [one for one in left if one.takes_computers], seats, company)
    return Table(people, seats - len(people))


def _company_of(
    first: Waiting, left: Sequence[Waiting], seats: int, company: Company
) -> tuple[Waiting, ...]:
    people = [first]
    near = sorted(left, key=lambda one: abs(one.rating - first.rating))
    for one in near:
        if len(people) == seats:
            break
        if one not in people and _fits(one, people, left, seats, company):
            people.append(one)
    return tuple(sorted(people, key=lambda one: -one.waited))


def _fits(
    one: Waiting,
    people: Sequence[Waiting],
    left: Sequence[Waiting],
    seats: int,
    company: Company,
) -> bool:
    first = people[0]
    if abs(one.rating - first.rating) > max(one.window, first.window):
        return False
    return all(
        company.may_meet(one, other) and not _had_enough(one, other, left, seats, company)
        for other in people
    )


def _had_enough(
    one: Waiting, other: Waiting, left: Sequence[Waiting], seats: int, company: Company
) -> bool:
    """Whether these two met twice in a row, and one of them finds a table without the other."""
    if not company.is_third_time(one, other):
        return False
    others = [third for third in left if third not in (one, other)]
    return any(
        sum(company.may_meet(third, either) for third in others) >= seats - 1
        for either in (one, other)
    )


# Why a seek or a challenge is refused.


class NoSuchSeek(NotFound):
    """There is no such seek, or it is not yours."""


class AlreadyPaired(Refusal, status=409, members={"match_id": str}):
    """Somebody was found already, and the match has begun."""


class KeyOfAnotherSeek(KeyReused):
    """This idempotency key belongs to another seek; use a new key for each seek."""


class NoSuchChallenge(NotFound):
    """There is no such challenge, or it is not yours."""


class ChallengeIsOver(Refusal, status=409, members={"ending": str}):
    """This challenge does not wait for an answer any more."""


class KeyOfAnotherChallenge(KeyReused):
    """This idempotency key belongs to another challenge; use a new key for each challenge."""


class StaysAway(Refusal, status=409):
    """You made no first move in several matches of the last day. Until tomorrow, play unrated."""


SHOWN: Final = timedelta(minutes=10)  # a seek that waits no longer
MOST_SHOWN: Final = 20
OPENS: Final = timedelta(seconds=60)  # a page that was away learns of its match

_QUEUES = """
SELECT game, pace, count(*) FILTER (WHERE match_id IS NULL),
    array_agg(id) FILTER (WHERE match_id IS NULL AND account_id = %s),
    percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM paired_at - created_at))
        FILTER (WHERE match_id IS NOT NULL)
FROM lobby_seek
WHERE ended_at IS NULL AND (match_id IS NULL OR paired_at > now() - interval '1 hour')
GROUP BY game, pace ORDER BY game, pace
"""

# The last two matches of each account, and who was paired into both of them.
_TWICE = """
WITH last AS (
    SELECT person.id AS account_id, found.match_id FROM unnest(%s::uuid[]) AS person(id), LATERAL (
        SELECT match_id FROM lobby_seek
        WHERE account_id = person.id AND match_id IS NOT NULL ORDER BY id DESC LIMIT 2
    ) AS found
)
SELECT last.account_id, other.account_id FROM last
JOIN lobby_seek other ON other.match_id = last.match_id AND other.account_id <> last.account_id
GROUP BY 1, 2 HAVING count(*) = 2
"""


class Queue(NamedTuple):
    """How many people wait for a game at a pace, and how long it took lately, in seconds."""

    game: str
    pace: str
    waiting: int
    seconds: int | None
    own: tuple[UUID, ...] = ()  # the seeks of the reader among them


def waiting() -> QuerySet[Seek]:
    return Seek.objects.filter(match__isnull=True, ended_at__isnull=True)


def seeks_of(account: UUID) -> QuerySet[Seek]:
    """Waiting seeks, and those that ended or were paired a while ago, the newest first."""
    since = timezone.now() - SHOWN
    shown = Q(match__isnull=True, ended_at__isnull=True)
    shown |= Q(paired_at__gt=since) | Q(ended_at__gt=since)
    return Seek.objects.filter(shown, account=account).order_by("-id")


def seek_of(account: UUID | None, seek_id: UUID) -> Seek:
    """Raises NoSuchSeek."""
    rows = Seek.objects.filter(id=seek_id, account=account).first()
    if rows is None:
        raise NoSuchSeek
    return rows


def queues(reader: UUID | None = None) -> list[Queue]:
    """Of each game and pace for which somebody waits, or was paired in the last hour."""
    with list_connection().cursor() as cursor:
        cursor.execute(_QUEUES, [reader])
        return [
            Queue(game, pace, count, None if median is None else round(median), tuple(own or ()))
            for game, pace, count, own, median in cursor.fetchall()
        ]


def queue_of(seek: Seek) -> Queue:
    """The queue in which a seek waits, or waited."""
    return queue_among(queues(), seek)


def queue_among(queues: Iterable[Queue], seek: Seek) -> Queue:
    rows = (one for one in queues if (one.game, one.pace) == (seek.game, seek.pace))
    return next(rows, Queue(seek.game, seek.pace, 0, None))


def paired_lately(accounts: Collection[UUID]) -> dict[UUID, UUID]:
    """The newest match into which each of these accounts was paired a moment ago."""
    lately = Seek.objects.filter(
        account__in=accounts,
        paired_at__gt=timezone.now() - OPENS,
        match__status="active",
    ).order_by("paired_at")
    rows: dict[UUID, UUID] = dict(lately.values_list("account_id", "match_id"))
    return rows


def company_of(accounts: Collection[UUID]) -> Company:
    """Pairs of these accounts that blocked each other, and that met twice in a row."""
    if len(accounts) < 2:
        return Company()
    return Company(blocks_among(accounts), _met_twice(accounts))


def blocks_among(accounts: Collection[UUID]) -> set[Pair]:
    rows = Block.objects.filter(owner__in=accounts, blocked__in=accounts)
    return {frozenset(pair) for pair in rows.values_list("owner_id", "blocked_id")}


def _met_twice(accounts: Collection[UUID]) -> set[Pair]:
    with connection.cursor() as cursor:
        cursor.execute(_TWICE, [list(accounts)])
        rows: list[tuple[Any, Any]] = cursor.fetchall()
    return {frozenset(pair) for pair in rows}
