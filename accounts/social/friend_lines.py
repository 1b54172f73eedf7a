"""A friendship as one of the two sees it."""

from collections.abc import Iterable
from datetime import datetime
from hashlib import blake2b
from typing import Literal, NamedTuple
from uuid import UUID

from django.db.models import Q

from accounts.models import User
from accounts.social.models import Friendship
from accounts.social.presence import online
from accounts.social.selectors import friendships_of


class FriendLine(NamedTuple):
    """``online`` is None unless they are friends: nobody else is shown it."""

    person: User
    state: Literal["friend", "asks_you", "you_asked"]
    online: bool | None
    since: datetime


def lines_of(me: UUID, rows: Iterable[Friendship]) -> list[FriendLine]:
    """With the other person of each; one that was declined looks like one that waits."""
    rows = list(rows)
    others = [row.recipient if row.sender_id == me else row.sender for row in rows]
    accepted = [row.state == Friendship.State.ACCEPTED for row in rows]
    there = online([person.pk for person, yes in zip(others, accepted, strict=True) if yes])
    return [
        FriendLine(person, _state(row, me), person.pk in there if is_friend else None, _since(row))
        for row, person, is_friend in zip(rows, others, accepted, strict=True)
    ]


def state_of_list(me: UUID) -> str:
    """Names what the account may see of its friends now; another name, something changed."""
    lines = lines_of(me, friendships_of(me))
    text = " ".join(f"{line.person.pk} {line.state} {line.online}" for line in lines)
    return blake2b(text.encode(), digest_size=8).hexdigest()


def _state(row: Friendship, me: UUID) -> Literal["friend", "asks_you", "you_asked"]:
    if row.state == Friendship.State.ACCEPTED:
        return "friend"
    return "you_asked" if row.sender_id == me else "asks_you"


def _since(row: Friendship) -> datetime:
    return row.accepted_at or row.requested_at


def line_between(me: UUID, other: User) -> FriendLine | None:
    """What is between the two, as the first one may know it."""
    rows = friendships_of(me).filter(Q(sender=other) | Q(recipient=other))
    return next(iter(lines_of(me, rows)), None)
