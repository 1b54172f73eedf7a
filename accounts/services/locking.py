"""What counts in a limit of an account is judged and written under the account's lock."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db import transaction

from accounts.models import User


@contextmanager
def locked_account(user_id: UUID) -> Iterator[None]:
    """A transaction in which nobody else writes under the same account's lock.

    Of several requests at once each counts what the one before has written.
    """
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).only("pk").get(pk=user_id)
        yield
