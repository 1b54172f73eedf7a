"""Asking for a friendship, accepting it, ending it, and what an account shows of itself.

Both accounts are locked: of two who ask each other at once one accepts, and after a block nobody
asks.
"""

from typing import Final
from uuid import UUID

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from accounts.notifications.outbox import owe
from accounts.services.locking import locked_accounts
from accounts.social.announcements import announce_friends
from accounts.social.models import Block, Friendship, Privacy
from accounts.social.refusals import (
    CannotBefriendYourself,
    GuestsHaveNoFriends,
    NoSuchAccount,
    TooManyFriends,
    YouBlockThem,
)
from accounts.social.selectors import friendship_between
from config.tasks import after_commit

REQUESTED, ACCEPTED = Friendship.State.REQUESTED, Friendship.State.ACCEPTED
DECLINED, WITHDRAWN = Friendship.State.DECLINED, Friendship.State.WITHDRAWN
_SENT: Final = (REQUESTED, ACCEPTED, DECLINED)


def befriend(*, user: User, other: UUID) -> Friendship:
    """Asks for a friendship, or accepts it if the other has asked; again is no error.

    Raises NoSuchAccount also where the other has blocked the user, who does not learn of it.
    """
    if user.pk == other:
        raise CannotBefriendYourself
    if user.is_guest:
        raise GuestsHaveNoFriends
    with locked_accounts(user.pk, other) as active:
        if other not in active or Block.objects.filter(owner=other, blocked=user).exists():
            raise NoSuchAccount
        if Block.objects.filter(owner=user, blocked=other).exists():
            raise YouBlockThem
        row = friendship_between(user.pk, other)
        return _first_request(user, other) if row is None else _next_request(row, user)


def end(*, user: UUID, other: UUID) -> None:
    """Ends a friendship, declines or withdraws what was asked. It is no error if there is none."""
    with locked_accounts(user, other):
        row = friendship_between(user, other)
        if row is None or row.state == WITHDRAWN:
            return
        if row.state == ACCEPTED or (row.state == REQUESTED and row.sender_id == user):
            row.delete()
        elif row.state == REQUESTED:
            _change(row, DECLINED)
        elif row.sender_id == user:
            _change(row, WITHDRAWN)
    announce_friends(user, other)


def end_for_a_block(owner: UUID, blocked: UUID) -> None:
    """Nothing of what the two asked or agreed is left. Called under the lock of the owner."""
    pair = Q(sender=owner, recipient=blocked) | Q(sender=blocked, recipient=owner)
    if Friendship.objects.filter(pair).delete()[0]:
        after_commit.when_committed(lambda: announce_friends(owner, blocked))


def set_privacy(
    *,
    user: User,
    hides_profile: bool | None = None,
    hides_presence: bool | None = None,
    hides_titles: bool | None = None,
) -> Privacy:
    """None leaves a choice as it is."""
    given = {
        "hides_profile": hides_profile,
        "hides_presence": hides_presence,
        "hides_titles": hides_titles,
    }
    chosen = {name: value for name, value in given.items() if value is not None}
    return Privacy.objects.update_or_create(account=user, defaults=chosen)[0]


def _first_request(user: User, other: UUID) -> Friendship:
    if not User.objects.filter(pk=other, is_guest=False).exists():
        raise NoSuchAccount
    most = settings.LIMITS["friends"]
    mine = Q(sender=user, state__in=_SENT) | Q(recipient=user, state=ACCEPTED)
    if Friendship.objects.filter(mine).count() >= most:
        raise TooManyFriends(limit=most)
    row = Friendship.objects.create(sender=user, recipient_id=other)
    _owe(other, "asked", user)
    after_commit.when_committed(lambda: announce_friends(user.pk, other))
    return row


def _next_request(row: Friendship, user: User) -> Friendship:
    """The sender changes nothing; the recipient accepts, whatever they thought before."""
    if row.sender_id == user.pk:
        if row.state == WITHDRAWN:
            _change(row, DECLINED)
    elif row.state != ACCEPTED:
        if row.state == WITHDRAWN:
            row.delete()
            return _first_request(user, row.sender_id)
        row.accepted_at = timezone.now()
        _change(row, ACCEPTED)
        _owe(row.sender_id, "accepted", user)
        after_commit.when_committed(lambda: announce_friends(row.sender_id, row.recipient_id))
    return row


def _owe(account: UUID, what: str, by: User) -> None:
    """At most once a day, so that a loop of requests and withdrawals sends one message."""
    key = f"friend:{what}:{by.pk}:{account}:{timezone.now():%Y-%m-%d}"
    owe(account, "friend", key, {"what": what, "person": str(by.pk)})


def _change(row: Friendship, state: Friendship.State) -> None:
    row.state = state
    row.save(update_fields=["state", "accepted_at"])
