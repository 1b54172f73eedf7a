"""What a program is sent: the facts of a cause as JSON, signed."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import msgspec

from accounts.notifications.hooks.signing import headers_of
from accounts.notifications.models import Cause, Delivery, Endpoint
from accounts.notifications.outward.calling import Answer, post
from accounts.notifications.wording import facts_of
from config.offers import offered_by_name


def _more(cause: Cause) -> dict[str, Any]:
    """What is read at the moment of the call, as the account may know it then."""
    more = offered_by_name("cause_facts").get(cause.kind)
    return {} if more is None else more(cause.account_id, cause.payload)


def body_of(cause: Cause, delivery_id: UUID) -> bytes:
    """As the ``webhooks`` of the OpenAPI document describe it."""
    return msgspec.json.encode(
        {
            "type": cause.kind,
            "id": str(delivery_id),
            "at": cause.created_at,
            "account": cause.account.username,
            "data": facts_of(cause) | _more(cause),
        }
    )


def call_of(delivery: Delivery, endpoint: Endpoint) -> Callable[[], Answer]:
    """The call, ready to be made in a thread that has no database."""
    body = body_of(delivery.cause, delivery.pk)
    url, headers = endpoint.url, headers_of(endpoint, delivery.pk, body)
    return lambda: post(url, body, headers)
