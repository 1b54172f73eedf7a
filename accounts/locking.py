"""Locks of accounts, limits that neighbours share, and who may not act at all.

A suspension and an erasure take the same lock. So a seat is either taken before, and then they find
it, or not at all. Locks are taken in one order: matches, then accounts by their ids.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final, Literal, NamedTuple
from uuid import UUID

import redis
import structlog
from django.conf import settings
from django.db import connection, transaction
from django.utils.translation import gettext

from accounts.audit.models import Suspension
from accounts.models import User
from config.counting import PATIENCE, present_address
from config.refusals import NotSignedIn, Refusal
from config.valkey import valkey_client

# Accounts at the same address: all guests of an address share the limits of one account.
#
# An account costs a guest nothing, so a limit for each guest would be no limit. The accounts seen
# at an address are kept in Valkey for a day and nowhere else; without Valkey each counts alone.

KEPT: Final = 24 * 3600  # seconds
MOST: Final = 500  # the newest; an address makes fewer guests in an hour

log = structlog.get_logger(__name__)


class Together(NamedTuple):
    """Accounts that count as one, or as ``share`` of them."""

    ids: list[UUID]
    share: int = 1

    def most(self, of_one: int) -> int:
        return of_one * self.share


def counted_with(user_id: UUID) -> Together:
    """The account alone; for a guest, all guests who were seen at the same address."""
    if not present_address() or not User.objects.filter(pk=user_id, is_guest=True).exists():
        return Together([user_id])
    return Together(_seen("guests", user_id), settings.LIMITS["guests"])


def hosts_with(user_id: UUID) -> list[UUID]:
    """All who opened tables at the address of this request."""
    return _seen("hosts", user_id) if present_address() else [user_id]


def _seen(kind: Literal["guests", "hosts"], user_id: UUID) -> list[UUID]:
    """The accounts seen at the address of this request, with this one."""
    key, now = f"cardroom:{kind}:{present_address()}", time.time()
    try:
        with _client(settings.VALKEY_URL).pipeline() as together:
            together.zadd(key, {str(user_id): now})
            together.zremrangebyscore(key, 0, now - KEPT)
            together.zremrangebyrank(key, 0, -MOST - 1)
            together.expire(key, KEPT)
            together.zrange(key, 0, -1)
            *_, ids = together.execute()
    except redis.RedisError as error:
        log.debug("neighbours_not_known", cause=type(error).__name__)
        return [user_id]
    return [UUID(one.decode()) for one in ids]


@lru_cache(maxsize=1)
def _client(url: str) -> "redis.Redis":
    return valkey_client(url, **PATIENCE)


# The refusal for a suspended person, with the reason and the end.


class Suspended(Refusal, status=403, members={"reason": str, "until": datetime | None}):
    """Your account is suspended."""

    number: int | None = None  # of the suspension


def suspension_of(user_id: UUID) -> Suspended | None:
    """The refusal for a person who is suspended now; ``until`` is null for good."""
    row = Suspension.objects.filter(user_id=user_id, lifted_at=None).first()
    if row is None:
        return None
    refusal = Suspended(_sentence(row), reason=row.reason, until=row.until)
    refusal.number = row.pk
    return refusal


def refusal_of(user_id: UUID) -> Refusal:
    """For an account that is not active: it is suspended or closed."""
    return suspension_of(user_id) or NotSignedIn()


def _sentence(suspension: Suspension) -> str:
    if suspension.until is None:
        return gettext("Your account is suspended for good. The reason: {reason}").format(
            reason=suspension.reason
        )
    return gettext("Your account is suspended until {until} UTC. The reason: {reason}").format(
        until=f"{suspension.until.astimezone(UTC):%Y-%m-%d %H:%M}", reason=suspension.reason
    )


_KIND: Final = ("pk", "is_active", "is_house", "is_bot")


class Active(frozenset[UUID]):
    """The ids of accounts that may play; ``bots`` are those among them that are programs'."""

    bots: frozenset[UUID] = frozenset()


@contextmanager
def locked_accounts(*user_ids: UUID) -> Iterator[Active]:
    """A transaction in which nobody else writes under the lock of one of these accounts.

    Of several requests each counts what the one before has written. All take the locks in the same
    order, so that no two wait for each other. Yields the ids of the accounts that may play; that of
    the house may whatever was done with it.
    """
    with transaction.atomic():
        rows = User.objects.select_for_update(no_key=True).filter(pk__in=user_ids).order_by("pk")
        known = rows.values_list(*_KIND)
        kinds = [(pk, is_bot) for pk, active, house, is_bot in known if active or house]
        active = Active(pk for pk, _ in kinds)
        active.bots = frozenset(pk for pk, is_bot in kinds if is_bot)
        yield active


def may_play(user_id: UUID) -> bool:
    """Whether an account is active; if so, it stays active until the transaction ends.

    The lock delays a suspension and nothing else; a foreign key takes the same one.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT is_active FROM accounts_user WHERE id = %s FOR KEY SHARE", [user_id])
        row = cursor.fetchone()
    return bool(row and row[0])


def check_may_play(user_id: UUID) -> None:
    """Raises ``Suspended``, or ``NotSignedIn`` if the account is closed."""
    if not may_play(user_id):
        raise refusal_of(user_id)


@contextmanager
def closing_account(user_id: UUID) -> Iterator[User]:
    """A transaction of its own that makes an account inactive.

    It waits for requests that are taking a seat with the account; later ones see that it is not
    active. It is durable, because matches are left only when others can see that.
    """
    with transaction.atomic(durable=True):
        user = User.objects.select_for_update().get(pk=user_id)
        yield user
        User.objects.filter(pk=user_id).update(is_active=False)
