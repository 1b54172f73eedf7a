"""People who wait, and values that plans are made from."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.utils import timezone

from accounts import services
from accounts.models import User
from games.lobby import seeking
from games.lobby.models import Seek
from games.lobby.seeking import NewSeek
from games.lobby.selectors import Waiting


def guests(count: int) -> list[User]:
    return [services.open_guest() for _ in range(count)]


def waits(account: User, game: str = "pisti", pace: str = "normal", **more: Any) -> Seek:
    return seeking.seek(account=account, wish=NewSeek(game, pace, **more))


def began(seek: Seek, seconds: float) -> Seek:
    """The same, waiting for so long already; its person is there."""
    at = timezone.now() - timedelta(seconds=seconds)
    Seek.objects.filter(id=seek.id).update(created_at=at, seen_at=timezone.now())
    return now(seek)


def now(seek: Seek) -> Seek:
    return Seek.objects.select_related("match").get(id=seek.id)


def one(
    number: int, rating: float = 1500.0, waited: float = 0.0, after: int | None = None
) -> Waiting:
    return Waiting(UUID(int=100 + number), UUID(int=number), rating, waited, after)
