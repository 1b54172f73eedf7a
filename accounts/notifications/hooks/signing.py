"""The signature of a call, as Standard Webhooks has it: HMAC-SHA256 over id, time and body.

The secret follows from the key of the installation and the nonce of the endpoint, so that no table
and no backup holds it. While a key or a nonce is being replaced, a call is signed with both.
"""

import hmac
import secrets
from base64 import b64encode
from collections.abc import Iterator
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.conf import settings
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.notifications.models import Endpoint

PREFIX: Final = "whsec_"
BOTH_HOLD: Final = timedelta(hours=24)
_SALT: Final = "accounts.notifications.hooks"


def new_nonce() -> str:
    return secrets.token_urlsafe(32)


def secret_of(endpoint: Endpoint) -> str:
    """What its owner is shown, once."""
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
