"""What a program is sent: the facts of a cause as JSON, signed."""

from collections.abc import Callable

import msgspec

from accounts.notifications.hooks.signing import headers_of
from accounts.notifications.models import Delivery, Endpoint
from accounts.notifications.outward.calling import Answer, post
from accounts.notifications.wording import facts_of


def call_of(delivery: Delivery, endpoint: Endpoint) -> Callable[[], Answer]:
    """The call, ready to be made in a thread that has no database."""
    cause = delivery.cause
    body = msgspec.json.encode(
        {
            "type": cause.kind,
            "id": str(delivery.pk),
            "at": cause.created_at,
            "account": cause.account.username,
            "data": facts_of(cause),
        }
    )
    url, headers = endpoint.url, headers_of(endpoint, delivery.pk, body)
    return lambda: post(url, body, headers)
