"""Blocking and unblocking accounts."""

from uuid import UUID

from django.conf import settings

from accounts.models import User
from accounts.services.locking import locked_accounts
from accounts.social.announcements import subscribers
from accounts.social.friends import end_for_a_block
from accounts.social.models import Block
from accounts.social.refusals import CannotBlockYourself, NotBlocked, TooManyBlocks


def block(*, owner: User, blocked: UUID) -> Block:
    """Blocks an account; it may be blocked already. Raises CannotBlockYourself or TooManyBlocks.

    Invitations and friendships take the lock of the owner too: what was written before is declined
    or ended here, and what comes later is refused.
    """
    if owner.pk == blocked:
        raise CannotBlockYourself
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
        raise NotBlocked


def _new_block(owner: User, blocked: UUID) -> Block:
    most = settings.LIMITS["blocks"]
    if Block.objects.filter(owner=owner).count() >= most:
        raise TooManyBlocks(limit=most)
    return Block.objects.create(owner=owner, blocked_id=blocked)
