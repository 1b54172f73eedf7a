"""News of friends in the stream of an account: new requests, and those that were accepted. In the
stream of a page that lists friends: that the list has changed. News of analyses come the same way.

A friendship that was declined or has ended is no news.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, Literal, NamedTuple
from uuid import UUID
from zlib import crc32

import msgspec
from django.db.models import Q
from django.utils import timezone

from accounts.social.friend_lines import state_of_list
from accounts.social.models import Friendship
from accounts.social.selectors import friendships_of
from games.live.analysis_news import AnalysisNews, analysis_news, requesters_with_news

FriendKind = Literal["friend_request", "friend_accepted"]
MISSED: Final = timedelta(seconds=30)


class FriendNews(msgspec.Struct, frozen=True):
    """``username`` asks to be your friend, or has accepted that you asked."""

    type: FriendKind
    username: str
    display_name: str
    at: datetime

    @property
    def key(self) -> int:
        return crc32(f"{self.type} {self.username} {self.at.timestamp()}".encode())


class Since(NamedTuple):
    user: UUID
    at: datetime


OtherNews = FriendNews | AnalysisNews


def read_other_news(queries: Sequence[Since]) -> list[list[OtherNews]]:
    return [_sorted([*_news(*query), *analysis_news(*query)]) for query in queries]


def _sorted(news: list[OtherNews]) -> list[OtherNews]:
    return sorted(news, key=lambda each: each.at)


def _news(user: UUID, since: datetime) -> list[FriendNews]:
    asks = Q(recipient=user, state="requested", requested_at__gt=since)
    accepted = Q(sender=user, state="accepted", accepted_at__gt=since)
    rows = friendships_of(user).filter(asks | accepted)
    return [_of(row, user) for row in rows]


def _of(row: Friendship, user: UUID) -> FriendNews:
    if row.sender_id == user:
        person, at = row.recipient, row.accepted_at or row.requested_at
        return FriendNews("friend_accepted", person.username, person.display_name, at)
    person = row.sender
    return FriendNews("friend_request", person.username, person.display_name, row.requested_at)


def read_with_other_news(queries: Sequence[list[UUID]]) -> list[set[UUID]]:
    """Those of these accounts for whom there may be such news since a moment ago."""
    since = timezone.now() - MISSED
    return [_changed(users, since) for users in queries]


def _changed(users: Sequence[UUID], since: datetime) -> set[UUID]:
    if not users:
        return set()
    requested = Friendship.objects.filter(recipient__in=users, requested_at__gt=since)
    accepted = Friendship.objects.filter(sender__in=users, accepted_at__gt=since)
    return {
        *requested.values_list("recipient_id", flat=True),
        *accepted.values_list("sender_id", flat=True),
        *requesters_with_news(users, since),
    }


def read_friend_lists(queries: Sequence[UUID]) -> list[str]:
    states = {user: state_of_list(user) for user in set(queries)}
    return [states[user] for user in queries]
