"""The browsers that an account wants messages in. Without a key of the service there are none."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import lru_cache
from typing import Final
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.db.models import QuerySet
from py_vapid import Vapid02

from accounts.models import User
from accounts.notifications.models import Subscription
from accounts.notifications.outward.addresses import target_of
from accounts.notifications.refusals import BadSubscription, ChannelIsOff, TooManyBrowsers
from accounts.services.locking import locked_accounts

POINT: Final = 65  # bytes of a public key, not compressed
AUTH: Final = 16


def public_key() -> str:
    """What a browser subscribes with; empty where the operators have set no key."""
    return key_of(settings.VAPID_PRIVATE_KEY) if settings.VAPID_PRIVATE_KEY else ""


@lru_cache(maxsize=2)
def vapid(private_key: str) -> Vapid02:
    return Vapid02.from_string(private_key)


@lru_cache(maxsize=2)
def key_of(private_key: str) -> str:
    """The public key to a private one."""
    key = vapid(private_key).public_key
    return _text(key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


def browsers_of(account: UUID) -> QuerySet[Subscription]:
    """Newest first."""
    return Subscription.objects.filter(account=account)


def subscribe(
    *, user: User, endpoint: str, p256dh: str, auth: str, browser: str = ""
) -> Subscription:
    """A browser that another account had subscribed is this one's from now on."""
    if not settings.VAPID_PRIVATE_KEY:
        raise ChannelIsOff
    target_of(endpoint)
    _check(p256dh, auth)
    most = settings.LIMITS["browsers"]
    with locked_accounts(user.pk):
        if browsers_of(user.pk).exclude(endpoint=endpoint).count() >= most:
            raise TooManyBrowsers(limit=most)
        values = {"account": user, "p256dh": p256dh, "auth": auth, "browser": browser}
        Subscription.objects.filter(endpoint=endpoint).exclude(account=user).delete()
        return Subscription.objects.update_or_create(endpoint=endpoint, defaults=values)[0]


def unsubscribe(*, account: UUID, endpoint: str) -> None:
    """It is no error if it was not subscribed."""
    browsers_of(account).filter(endpoint=endpoint).delete()


def remove(*, account: UUID, browser_id: UUID) -> None:
    browsers_of(account).filter(pk=browser_id).delete()


def _check(p256dh: str, auth: str) -> None:
    """A point of the curve and sixteen bytes: anything else could not be encrypted for."""
    try:
        point, secret = _bytes(p256dh), _bytes(auth)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:
        raise BadSubscription from None
    if len(point) != POINT or len(secret) != AUTH:
        raise BadSubscription


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))


def _text(content: bytes) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode()
