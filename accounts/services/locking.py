"""What counts in a limit of an account is judged and written under the account's lock."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db import transaction

from accounts.models import User


@contextmanager
def locked_accounts(*user_ids: UUID) -> Iterator[None]:
    """A transaction in which nobody else writes under the lock of one of these accounts.

    Of several requests at once each counts what the one before has written. All take the locks in
    the same order, so that two do not wait for each other.
    """
    with transaction.atomic():
        rows = User.objects.select_for_update(no_key=True).filter(pk__in=user_ids).order_by("pk")
        list(rows.values_list("pk"))
        yield
