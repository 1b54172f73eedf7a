"""The accounts that are online: those that have a stream open, the site's pages included.

It is kept in the cache for seconds and nowhere else. Only friends are shown it, and nobody where
the person hides it.
"""

from collections.abc import Collection
from typing import Final
from uuid import UUID

from django.core.cache import cache

from accounts.social.models import Privacy

SECONDS: Final = 15  # streams are looked at every five


def note_presence(accounts: Collection[UUID]) -> None:
    if accounts:
        cache.set_many(dict.fromkeys(map(_key, accounts), 1), timeout=SECONDS)


def online(accounts: Collection[UUID]) -> set[UUID]:
    """Those of these accounts who are there and do not hide it."""
    keys = {_key(account): account for account in accounts}
    there = {keys[key] for key in cache.get_many(keys)} if keys else set()
    if not there:
        return there
    hidden = Privacy.objects.filter(account__in=there, hides_presence=True)
    return there - set(hidden.values_list("account_id", flat=True))


def _key(account: UUID) -> str:
    return f"online:{account}"
