"""Blocks, friends and privacy, and who is notified of a change."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

import redis
from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from accounts.locking import locked_accounts
from accounts.models import User
from accounts.notifications.outbox import owe
from accounts.social import selectors
from accounts.social.models import Block, Friendship, Privacy
from config.tasks import after_commit

# Announces blocks and friendships.
#
# An app that knows of invitations subscribes to blocks in ``AppConfig.ready``. What changes
# between friends is published with no more than the ids of their accounts; streams read the rest.

# Called with the ids of the owner and the blocked account, in the transaction of the block.
subscribers: "list[Callable[[UUID, UUID], None]]" = []

CHANNEL: Final = "accounts"


@dataclass(frozen=True)
class FriendsChanged:
    """Something changed between these accounts, or there is other news for them alone."""

    accounts: tuple[UUID, ...]

    def send(self, broker: "redis.Redis") -> None:
        self.send_all([self], broker)

    @classmethod
    def send_all(cls, several: Sequence["FriendsChanged"], broker: "redis.Redis") -> None:
        accounts = dict.fromkeys(id_ for one in several for id_ in one.accounts)
        broker.publish(CHANNEL, "\n".join(map(str, accounts)))


def announce_friends(*accounts: UUID) -> None:
    after_commit.announce(FriendsChanged(accounts))


def accounts_in(message: bytes) -> Iterator[UUID]:
    """The accounts of a message."""
    return map(UUID, message.decode().splitlines())


# Asking for a friendship, accepting it, ending it, and what an account shows of itself.
#
# Both accounts are locked: of two who ask each other at once one accepts, and after a block
# nobody asks.

REQUESTED, ACCEPTED = Friendship.State.REQUESTED, Friendship.State.ACCEPTED
DECLINED, WITHDRAWN = Friendship.State.DECLINED, Friendship.State.WITHDRAWN
_SENT: Final = (REQUESTED, ACCEPTED, DECLINED)


def befriend(*, user: User, other: UUID) -> Friendship:
    """Asks for a friendship, or accepts it if the other has asked; again is no error.

    Raises NoSuchAccount also where the other has blocked the user, who does not learn of it.
    """
    if user.pk == other:
        raise selectors.CannotBefriendYourself
    if user.is_guest:
        raise selectors.GuestsHaveNoFriends
    with locked_accounts(user.pk, other) as active:
        if other not in active or Block.objects.filter(owner=other, blocked=user).exists():
            raise selectors.NoSuchAccount
        if Block.objects.filter(owner=user, blocked=other).exists():
            raise selectors.YouBlockThem
        row = selectors.friendship_between(user.pk, other)
        return _first_request(user, other) if row is None else _next_request(row, user)


def end_friendship(*, user: UUID, other: UUID) -> None:
    """Ends a friendship, declines or withdraws what was asked. It is no error if there is none."""
    with locked_accounts(user, other):
        row = selectors.friendship_between(user, other)
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
        raise selectors.NoSuchAccount
    most = settings.LIMITS["friends"]
    mine = Q(sender=user, state__in=_SENT) | Q(recipient=user, state=ACCEPTED)
    if Friendship.objects.filter(mine).count() >= most:
        raise selectors.TooManyFriends(limit=most)
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


def block(*, owner: User, blocked: UUID) -> Block:
    """Blocks an account; it may be blocked already. Raises CannotBlockYourself or TooManyBlocks.

    Invitations and friendships take the lock of the owner too: what was written before is declined
    or ended here, and what comes later is refused.
    """
    if owner.pk == blocked:
        raise selectors.CannotBlockYourself
    with locked_accounts(owner.pk):
        row = Block.objects.filter(owner=owner, blocked=blocked).first()
        row = row or _new_block(owner, blocked)
        end_for_a_block(owner.pk, blocked)
        for subscriber in subscribers:
            subscriber(owner.pk, blocked)
    return row


def unblock(*, owner: User, blocked: UUID) -> None:
    """Raises NotBlocked. Invitations that were declined do not come back."""
    deleted, _ = Block.objects.filter(owner=owner, blocked=blocked).delete()
    if not deleted:
        raise selectors.NotBlocked


def _new_block(owner: User, blocked: UUID) -> Block:
    most = settings.LIMITS["blocks"]
    if Block.objects.filter(owner=owner).count() >= most:
        raise selectors.TooManyBlocks(limit=most)
    return Block.objects.create(owner=owner, blocked_id=blocked)
