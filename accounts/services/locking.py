"""The lock of an account: whatever a limit of the account counts is checked and written under it.

A suspension and an erasure take the same lock. So a seat is either taken before, and then they find
it, or not at all. Locks are taken in one order: matches, then accounts by their ids.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from uuid import UUID

from django.db import connection, transaction

from accounts.models import User
from accounts.suspensions import refusal_of

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
