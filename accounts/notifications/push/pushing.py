"""One message to one browser: encrypted for it alone, signed with the key of the service.

A newer message of the same subject replaces one that the push service still holds (``Topic``) and
one that the browser still shows (``tag``), so a message that is sent twice is seen once.
"""

from base64 import urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256
from time import time
from typing import Final
from urllib.parse import urlsplit

import msgspec
from django.conf import settings

from accounts.notifications.models import Delivery, Subscription
from accounts.notifications.outward.calling import Answer, post
from accounts.notifications.push.browsers import vapid
from accounts.notifications.wording import message_of

KEPT: Final = 24 * 3600  # seconds, by the push service while the browser is away
SIGNED_FOR: Final = 3600
LONGEST: Final = 1000  # letters of the body: services take 4096 bytes


def call_of(delivery: Delivery, subscription: Subscription, zone: str) -> Callable[[], Answer]:
    from pywebpush import WebPusher  # here: it brings an HTTP client of ten megabytes

    message = message_of(delivery.cause, zone)
    shown = message._replace(body=message.body[:LONGEST])
    keys = {"p256dh": subscription.p256dh, "auth": subscription.auth}
    pusher = WebPusher({"endpoint": subscription.endpoint, "keys": keys})
    encoded = pusher.encode(msgspec.json.encode(shown._asdict()), content_encoding="aes128gcm")
    headers = {
        "content-encoding": "aes128gcm",
        "content-type": "application/octet-stream",
        "ttl": str(KEPT),
        "topic": urlsafe_b64encode(sha256(message.tag.encode()).digest())[:32].decode(),
        "urgency": "normal",
        **_signature(subscription.endpoint),
    }
    body, url = bytes(encoded["body"]), subscription.endpoint
    return lambda: post(url, body, headers)


def _signature(endpoint: str) -> dict[str, str]:
    parts = urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "sub": settings.VAPID_CONTACT,
        "exp": int(time()) + SIGNED_FOR,
    }
    signed: dict[str, str] = vapid(settings.VAPID_PRIVATE_KEY).sign(claims)
    return signed
