"""Notified addresses: endpoints of webhooks with their secrets, browsers with their keys."""

import hmac
import secrets
from base64 import b64encode, urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import lru_cache
from typing import Any, Final
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac
from py_vapid import Vapid02

from accounts.locking import locked_accounts
from accounts.models import User
from accounts.notifications import refusals
from accounts.notifications.models import (
    MATCH,
    PING,
    Cause,
    Delivery,
    Endpoint,
    Subscription,
)
from accounts.notifications.outward import target_of
from config import club
from config.offers import offered
from config.uuid7 import uuid7

# The signature of a call, as Standard Webhooks has it: HMAC-SHA256 over id, time and body.
#
# The secret follows from the key of the installation and the nonce of the endpoint, so that no
# table and no backup holds it. While a key or a nonce is being replaced, a call is signed with
# both.

PREFIX: Final = "whsec_"
BOTH_HOLD: Final = timedelta(hours=24)
_SALT: Final = "accounts.notifications.channels"


def new_nonce() -> str:
    return secrets.token_urlsafe(32)


def secret_of(endpoint: Endpoint) -> str:
    """The secret, which its owner is shown once."""
    return PREFIX + b64encode(_secret(endpoint, endpoint.nonce, settings.SECRET_KEY)).decode()


def headers_of(endpoint: Endpoint, delivery: UUID, body: bytes) -> dict[str, str]:
    """``webhook-id`` stays the same when a delivery is repeated."""
    name, at = str(delivery), int(timezone.now().timestamp())
    content = f"{name}.{at}.".encode() + body
    signatures = [
        f"v1,{b64encode(hmac.digest(secret, content, 'sha256')).decode()}"
        for secret in _secrets(endpoint)
    ]
    return {
        "webhook-id": name,
        "webhook-timestamp": str(at),
        "webhook-signature": " ".join(signatures),
        "content-type": "application/json",
        "user-agent": "Cardroom",
    }


def _secrets(endpoint: Endpoint) -> Iterator[bytes]:
    nonces = [endpoint.nonce]
    if endpoint.rotated_at is not None and timezone.now() - endpoint.rotated_at < BOTH_HOLD:
        nonces.append(endpoint.old_nonce)
    for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        for nonce in nonces:
            yield _secret(endpoint, nonce, key)


def _secret(endpoint: Endpoint, nonce: str, key: str) -> bytes:
    value = f"{endpoint.pk}:{nonce}"
    return salted_hmac(_SALT, value, secret=key, algorithm="sha256").digest()


def endpoints_of(account: UUID) -> QuerySet[Endpoint]:
    """Newest first."""
    return Endpoint.objects.filter(account=account)


def find(*, account: UUID, endpoint_id: UUID) -> Endpoint:
    """Raises ``NoSuchWebhook``, also for another person's."""
    row = endpoints_of(account).filter(pk=endpoint_id).first()
    if row is None:
        raise refusals.NoSuchWebhook
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
        raise refusals.GuestsHaveNoWebhooks
    club.check_who("webhooks", user)
    target_of(url)
    if not kinds and match is None:
        raise refusals.BadChoices("Choose some news, or name one match.", faults=[])
    place = _place(user.pk, match) if match else ""
    most = settings.LIMITS["webhooks"]
    with locked_accounts(user.pk):
        if endpoints_of(user.pk).count() >= most:
            raise refusals.TooManyWebhooks(limit=most)
        return Endpoint.objects.create(
            account=user,
            url=url,
            kinds=_plain(kinds, match),
            name=name,
            nonce=new_nonce(),
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
    row.old_nonce, row.nonce, row.rotated_at = row.nonce, new_nonce(), timezone.now()
    row.save(update_fields=["old_nonce", "nonce", "rotated_at"])
    return row


def delete(*, account: UUID, endpoint_id: UUID) -> None:
    find(account=account, endpoint_id=endpoint_id).delete()


def drop_waiting(endpoint_id: UUID) -> None:
    """Deliveries that still wait: a webhook that is off is sent nothing later either."""
    waiting = Delivery.objects.filter(endpoint=endpoint_id, state="waiting")
    waiting.update(state="skipped", why="off", next_at=None, done_at=timezone.now())


def deliveries_of(*, account: UUID, endpoint_id: UUID) -> QuerySet[Delivery]:
    """Newest first, each with its cause and its tries."""
    row = find(account=account, endpoint_id=endpoint_id)
    known = Delivery.objects.filter(endpoint=row).select_related("cause__account")
    return known.prefetch_related("tries")


def resend(*, account: UUID, endpoint_id: UUID, delivery_id: UUID) -> Delivery:
    """Sends a delivery again, with its id, whatever became of it."""
    row = find(account=account, endpoint_id=endpoint_id)
    if row.disabled:
        raise refusals.WebhookIsOff
    delivery = Delivery.objects.filter(endpoint=row, pk=delivery_id).first()
    if delivery is None:
        raise refusals.NoSuchDelivery
    return again(delivery)


def ping(*, account: UUID, endpoint_id: UUID, url: str) -> Delivery:
    """A call to see that it arrives, made at once and not again; one that waits stays the one.

    ``url`` is the path of the page of the webhook.
    """
    with transaction.atomic():
        row = endpoints_of(account).select_for_update().filter(pk=endpoint_id).first()
        if row is None:
            raise refusals.NoSuchWebhook
        if row.disabled:
            raise refusals.WebhookIsOff
        waiting = Delivery.objects.filter(endpoint=row, cause__kind=PING, state="waiting").first()
        if waiting is not None:
            return waiting
        now = timezone.now()
        cause = Cause.objects.create(
            key=f"{PING}:{uuid7()}",
            account_id=account,
            kind=PING,
            payload={"url": url},
            created_at=now,
            routed_at=now,
        )
        return Delivery.objects.create(
            cause=cause, channel="hook", endpoint=row, next_at=now, created_at=now
        )


def again(delivery: Delivery) -> Delivery:
    """Due now, and tried as often as at first."""
    delivery.state, delivery.next_at, delivery.attempts = "waiting", timezone.now(), 0
    delivery.why, delivery.done_at = "", None
    delivery.save(update_fields=["state", "next_at", "attempts", "why", "done_at"])
    return delivery


def _place(account: UUID, match: UUID) -> str:
    """The progress of the match. Whether the account may see it an app above knows."""
    for place_of in offered("topic_place"):
        place: str | None = place_of(account, match)
        if place is None:
            raise refusals.NoSuchTopic
        if not place:
            raise refusals.TopicIsOver
        return place
    raise refusals.NoSuchTopic


def _plain(kinds: Sequence[str], match: UUID | None) -> list[str]:
    return [*dict.fromkeys(kinds), *([MATCH] if match else [])]


# The browsers that an account wants messages in. Without a key of the service there are none.

POINT: Final = 65  # bytes of a public key, not compressed
AUTH: Final = 16


def push_key() -> str:
    """The key that a browser subscribes with; empty where the operators have set no key."""
    return key_of(settings.VAPID_PRIVATE_KEY) if settings.VAPID_PRIVATE_KEY else ""


@lru_cache(maxsize=2)
def vapid(private_key: str) -> Vapid02:
    return Vapid02.from_string(private_key)


@lru_cache(maxsize=2)
def key_of(private_key: str) -> str:
    """The public key to a private one."""
    key = vapid(private_key).public_key
    content = key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return urlsafe_b64encode(content).rstrip(b"=").decode()


def browsers_of(account: UUID) -> QuerySet[Subscription]:
    """Newest first."""
    return Subscription.objects.filter(account=account)


def subscribe_browser(
    *, user: User, endpoint: str, p256dh: str, auth: str, browser: str = ""
) -> Subscription:
    """A browser that another account had subscribed is this one's from now on."""
    if not settings.VAPID_PRIVATE_KEY:
        raise refusals.ChannelIsOff
    target_of(endpoint)
    _check(p256dh, auth)
    most = settings.LIMITS["browsers"]
    with locked_accounts(user.pk):
        if browsers_of(user.pk).exclude(endpoint=endpoint).count() >= most:
            raise refusals.TooManyBrowsers(limit=most)
        values = {"account": user, "p256dh": p256dh, "auth": auth, "browser": browser}
        Subscription.objects.filter(endpoint=endpoint).exclude(account=user).delete()
        return Subscription.objects.update_or_create(endpoint=endpoint, defaults=values)[0]


def unsubscribe(*, account: UUID, endpoint: str) -> None:
    """It is no error if it was not subscribed."""
    browsers_of(account).filter(endpoint=endpoint).delete()


def remove_browser(*, account: UUID, browser_id: UUID) -> None:
    browsers_of(account).filter(pk=browser_id).delete()


def _check(p256dh: str, auth: str) -> None:
    """A point of the curve and sixteen bytes: anything else could not be encrypted for."""
    try:
        point, secret = _bytes(p256dh), _bytes(auth)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:
        raise refusals.BadSubscription from None
    if len(point) != POINT or len(secret) != AUTH:
        raise refusals.BadSubscription


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
