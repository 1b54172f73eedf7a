"""Every read of a block."""

from collections.abc import Collection
from uuid import UUID

from django.db.models import QuerySet

from accounts.models import User
from accounts.social.models import Block
from accounts.social.refusals import NoSuchAccount


def blocks_of(user: User) -> QuerySet[Block]:
    """The blocks of a user, newest first."""
    return Block.objects.filter(owner=user).select_related("blocked").order_by("-id")


def blocked_by(user_id: UUID) -> QuerySet[Block, UUID]:
    """The ids of the accounts that the user has blocked, for a subquery."""
    return Block.objects.filter(owner=user_id).values_list("blocked_id", flat=True)


def who_blocked(user_id: UUID, among: Collection[UUID]) -> set[UUID]:
    """Those ``among`` these accounts who have blocked the user."""
    blocks = Block.objects.filter(owner__in=among, blocked=user_id)
    return set(blocks.values_list("owner_id", flat=True))


def account_by_username(username: str) -> User:
    """Raises NoSuchAccount."""
    user = User.objects.filter(username__iexact=username, is_active=True).first()
    if user is None:
        raise NoSuchAccount
    return user
