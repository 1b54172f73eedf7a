"""The people who have a page open. Kept in the cache for seconds and nowhere else.

A program that listens with a key looks at no page.
"""

from collections.abc import Collection
from typing import Final
from uuid import UUID

from django.core.cache import cache

SECONDS: Final = 15  # streams are looked at every five


def note_looking(accounts: Collection[UUID]) -> None:
    if accounts:
        cache.set_many(dict.fromkeys(map(_key, accounts), 1), timeout=SECONDS)


def is_looking(account: UUID) -> bool:
    return cache.get(_key(account)) is not None


def _key(account: UUID) -> str:
    return f"looking:{account}"
