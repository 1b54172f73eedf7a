"""Making, changing and deleting webhooks, and their deliveries again by hand."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from accounts.notifications.hooks import signing
from accounts.notifications.kinds import MATCH
from accounts.notifications.models import Delivery, Endpoint
from accounts.notifications.outward.addresses import target_of
from accounts.notifications.refusals import (
    BadChoices,
    GuestsHaveNoWebhooks,
    NoSuchDelivery,
    NoSuchTopic,
    NoSuchWebhook,
    TooManyWebhooks,
    TopicIsOver,
    WebhookIsOff,
)
from accounts.services.locking import locked_accounts
from config import club
from config.offers import offered


def endpoints_of(account: UUID) -> QuerySet[Endpoint]:
    """Newest first."""
    return Endpoint.objects.filter(account=account)


def find(*, account: UUID, endpoint_id: UUID) -> Endpoint:
    """Raises ``NoSuchWebhook``, also for another person's."""
    row = endpoints_of(account).filter(pk=endpoint_id).first()
    if row is None:
        raise NoSuchWebhook
    return row


def create(
    *, user: User, url: str, kinds: Sequence[str] = (), name: str = "", match: UUID | None = None
) -> Endpoint:
    """Told of news of these kinds, and of what happens in one match from now on.

    Raises ``ForbiddenAddress``, ``TooManyWebhooks`` or ``GuestsHaveNoWebhooks``; ``BadChoices`` if
    it would be told nothing; of a match also ``NoSuchTopic``, where the account may not see it,
    and ``TopicIsOver``.
    """
    if user.is_guest:
        raise GuestsHaveNoWebhooks
    club.check_who("webhooks", user)
    target_of(url)
    if not kinds and match is None:
        raise BadChoices("Choose some news, or name one match.", faults=[])
    place = _place(user.pk, match) if match else ""
    most = settings.LIMITS["webhooks"]
    with locked_accounts(user.pk):
        if endpoints_of(user.pk).count() >= most:
            raise TooManyWebhooks(limit=most)
        return Endpoint.objects.create(
            account=user,
            url=url,
            kinds=_plain(kinds, match),
            name=name,
            nonce=signing.new_nonce(),
            topic=match,
            topic_at=place,
        )


def change(*, account: UUID, endpoint_id: UUID, **changes: Any) -> Endpoint:
    """``url``, ``kinds``, ``name``, ``enabled``. Turned on again it begins without failures."""
    with transaction.atomic():
        row = find(account=account, endpoint_id=endpoint_id)
        enabled = changes.pop("enabled", None)
        if "url" in changes:
            target_of(changes["url"])
        if "kinds" in changes:
            changes["kinds"] = _plain(changes["kinds"], row.topic)
        if enabled is not None and enabled is bool(row.disabled):
            changes |= {"disabled": "" if enabled else Endpoint.Disabled.OWNER, "failures": 0}
        endpoints_of(account).filter(pk=endpoint_id).update(**changes)
        if enabled is False:
            drop_waiting(endpoint_id)
    return find(account=account, endpoint_id=endpoint_id)


def rotate(*, account: UUID, endpoint_id: UUID) -> Endpoint:
    """A new secret; for a day calls are signed with the old one too."""
    row = find(account=account, endpoint_id=endpoint_id)
    row.old_nonce, row.nonce, row.rotated_at = row.nonce, signing.new_nonce(), timezone.now()
    row.save(update_fields=["old_nonce", "nonce", "rotated_at"])
    return row


def delete(*, account: UUID, endpoint_id: UUID) -> None:
    find(account=account, endpoint_id=endpoint_id).delete()


def drop_waiting(endpoint_id: UUID) -> None:
    """What it was still to be sent: a webhook that is off is sent nothing later either."""
    waiting = Delivery.objects.filter(endpoint=endpoint_id, state="waiting")
    waiting.update(state="skipped", why="off", next_at=None, done_at=timezone.now())


def deliveries_of(*, account: UUID, endpoint_id: UUID) -> QuerySet[Delivery]:
    """Newest first, each with its cause and its tries."""
    row = find(account=account, endpoint_id=endpoint_id)
    return Delivery.objects.filter(endpoint=row).select_related("cause").prefetch_related("tries")


def resend(*, account: UUID, endpoint_id: UUID, delivery_id: UUID) -> Delivery:
    """Sends a delivery again, with its id, whatever became of it."""
    row = find(account=account, endpoint_id=endpoint_id)
    if row.disabled:
        raise WebhookIsOff
    delivery = Delivery.objects.filter(endpoint=row, pk=delivery_id).first()
    if delivery is None:
        raise NoSuchDelivery
    return again(delivery)


def again(delivery: Delivery) -> Delivery:
    """Due now, and tried as often as at first."""
    delivery.state, delivery.next_at, delivery.attempts = "waiting", timezone.now(), 0
    delivery.why, delivery.done_at = "", None
    delivery.save(update_fields=["state", "next_at", "attempts", "why", "done_at"])
    return delivery


def _place(account: UUID, match: UUID) -> str:
    """How far the match has come. Whether the account may see it an app above knows."""
    for place_of in offered("topic_place"):
        place: str | None = place_of(account, match)
        if place is None:
            raise NoSuchTopic
        if not place:
            raise TopicIsOver
        return place
    raise NoSuchTopic


def _plain(kinds: Sequence[str], match: UUID | None) -> list[str]:
    return [*dict.fromkeys(kinds), *([MATCH] if match else [])]
