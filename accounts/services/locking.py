"""What counts in a limit of an account is judged and written under the account's lock.

A suspension or an erasure locks the account against all of these, so that somebody takes a seat
either before it, and then it finds the seat, or not at all. Locks are taken in one order: matches,
then accounts by their ids.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db import connection, transaction

from accounts.models import User
from accounts.suspensions import refusal_of


@contextmanager
def locked_accounts(*user_ids: UUID) -> Iterator[frozenset[UUID]]:
    """A transaction in which nobody else writes under the lock of one of these accounts.

    Of several requests at once each counts what the one before has written. All take the locks in
    the same order, so that two do not wait for each other. Gives those who may play.
    """
    with transaction.atomic():
        rows = User.objects.select_for_update(no_key=True).filter(pk__in=user_ids).order_by("pk")
        yield frozenset(pk for pk, is_active in rows.values_list("pk", "is_active") if is_active)


def may_play(user_id: UUID) -> bool:
    """Whether an account is active, which stays so until the transaction ends.

    The lock holds up a suspension and nothing else; a foreign key takes the same one.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT is_active FROM accounts_user WHERE id = %s FOR KEY SHARE", [user_id])
        row = cursor.fetchone()
    return bool(row and row[0])


def check_may_play(user_id: UUID) -> None:
    """Raises ``Suspended``, or ``NotSignedIn`` for an account that is nobody's any more."""
    if not may_play(user_id):
        raise refusal_of(user_id)


@contextmanager
def closing_account(user_id: UUID) -> Iterator[User]:
    """A transaction of its own in which an account stops to be active.

    It waits for everybody who is taking a seat with it; who comes later sees that it is not active.
    It is durable, since matches are left only when others can see that.
    """
    with transaction.atomic(durable=True):
        user = User.objects.select_for_update().get(pk=user_id)
        yield user
        User.objects.filter(pk=user_id).update(is_active=False)
