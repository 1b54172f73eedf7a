"""Webhooks of the caller and their deliveries: accounts/me/webhooks."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from drf_spectacular.utils import extend_schema
from msgspec import UNSET, Meta, Struct, UnsetType, structs
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.notifications.hooks import endpoints, signing
from accounts.notifications.kinds import MATCH, HookKind, Kind
from accounts.notifications.models import (
    NAME_LENGTH,
    NOT_CALLED,
    UNKNOWN,
    URL_LENGTH,
    Attempt,
    Delivery,
    Endpoint,
)
from accounts.notifications.refusals import (
    BadChoices,
    ForbiddenAddress,
    GuestsHaveNoWebhooks,
    NoSuchDelivery,
    NoSuchTopic,
    NoSuchWebhook,
    TooManyWebhooks,
    TopicIsOver,
    WebhookIsOff,
)
from accounts.signing_in.signed_in import signed_in
from config.api.json import body_of
from config.api.pagination import page
from config.api.schema import PAGE_PARAMETERS, refusals
from config.refusals import NotAllowed

Url = Annotated[str, Meta(max_length=URL_LENGTH)]
Name = Annotated[str, Meta(max_length=NAME_LENGTH)]
Kinds = Annotated[tuple[Kind, ...], Meta(min_length=1, max_length=16)]


class Webhook(Struct):
    """``disabled`` says why it is not called: ``failures``, ``gone`` (it answered 410), ``owner``.

    With a ``match`` it is told what happens in it, too. ``failures`` counts failed calls in a row.
    """

    id: UUID
    name: str
    url: str
    kinds: list[Kind]
    match: UUID | None
    disabled: Literal["failures", "gone", "owner"] | None
    failures: int
    created_at: datetime

    @classmethod
    def of(cls, row: Endpoint) -> "Webhook":
        return cls(**_fields(row))


class WebhookSecret(Struct):
    """The ``secret`` is shown now and never again."""

    webhook: Webhook
    secret: str

    @classmethod
    def of(cls, row: Endpoint) -> "WebhookSecret":
        return cls(Webhook.of(row), signing.secret_of(row))


class NewWebhook(Struct, forbid_unknown_fields=True):
    """``kinds`` of your news, none if it is called for a ``match`` alone."""

    url: Url
    kinds: Annotated[tuple[Kind, ...], Meta(max_length=16)]
    match: UUID | None = None
    name: Name = ""


class WebhookChange(Struct, forbid_unknown_fields=True):
    """A field that is left out stays as it is."""

    url: Url | UnsetType = UNSET
    kinds: Kinds | UnsetType = UNSET
    name: Name | UnsetType = UNSET
    enabled: bool | UnsetType = UNSET

    def changes(self) -> dict[str, Any]:
        given = {name: getattr(self, name) for name in self.__struct_fields__}
        return {name: value for name, value in given.items() if value is not UNSET}


class DeliveryTry(Struct):
    """A call: the status of the answer, or ``why`` there was none."""

    at: datetime
    status: int | None
    milliseconds: int
    why: str

    @classmethod
    def of(cls, row: Attempt) -> "DeliveryTry":
        why, milliseconds = row.for_owner()
        return cls(row.at, row.status, milliseconds, why)


class WebhookDelivery(Struct):
    """``id`` is what the program reads as ``webhook-id``. ``next_at``: when it is tried next."""

    id: UUID
    kind: HookKind
    state: Literal["waiting", "sent", "failed", "skipped"]
    why: str
    created_at: datetime
    next_at: datetime | None
    tries: list[DeliveryTry]

    @classmethod
    def of(cls, row: Delivery) -> "WebhookDelivery":
        kind: Any = row.cause.kind
        state: Any = row.state
        tries = [DeliveryTry.of(one) for one in row.tries.all()]
        why = UNKNOWN if row.why in NOT_CALLED else row.why
        return cls(row.pk, kind, state, why, row.created_at, row.next_at, tries)


class WebhookDeliveryPage(Struct):
    results: list[WebhookDelivery]
    next: str | None


class WebhooksView(APIView):
    read_scope = "account"
    write_scope = "account"
    own_key_only = ("POST",)

    @extend_schema(
        operation_id="webhooks",
        summary="List your webhooks",
        tags=["accounts"],
        responses={200: list[Webhook]},
    )
    def get(self, request: Request) -> Response:
        """Newest first."""
        rows = endpoints.endpoints_of(signed_in(request).pk)
        return Response([Webhook.of(row) for row in rows])

    @extend_schema(
        operation_id="create_webhook",
        summary="Have a program of yours called",
        tags=["accounts"],
        request=NewWebhook,
        responses={
            201: WebhookSecret,
            **refusals(
                *(BadChoices, NotAllowed, GuestsHaveNoWebhooks, NoSuchTopic, TooManyWebhooks),
                *(TopicIsOver, ForbiddenAddress),
            ),
        },
    )
    def post(self, request: Request) -> Response:
        """The address is called with a POST for each piece of news of these kinds.

        The body is ``{type, id, at, account, data}``. ``webhook-id``, ``webhook-timestamp`` and
        ``webhook-signature`` are those of Standard Webhooks: HMAC-SHA256 over id, time and body. An
        answer of 2xx within ten seconds is a success; no redirect is followed. Else it is tried
        again for two days, with the same id: a call may come twice, and the id says so.

        With a `match` that you may see the type is `match`, and `data` holds its `status` and the
        `events` after the version `after` up to `version`, as you see them at the table at the
        moment of the call: with a delay where it has one, and nothing once you may not see it.
        """
        body = body_of(request, NewWebhook)
        me = signed_in(request)
        row = endpoints.create(user=me, **structs.asdict(body))
        return Response(WebhookSecret.of(row), status=201)


class WebhookView(APIView):
    write_scope = "account"
    own_key_only = ("PATCH",)

    @extend_schema(
        operation_id="change_webhook",
        summary="Change a webhook, turn it off or on",
        tags=["accounts"],
        request=WebhookChange,
        responses={
            200: Webhook,
            **refusals(NotAllowed, NoSuchWebhook, ForbiddenAddress),
        },
    )
    def patch(self, request: Request, webhook_id: UUID) -> Response:
        """Turned off it is sent nothing, also not later. Turned on it begins without failures."""
        changes = body_of(request, WebhookChange).changes()
        me = signed_in(request).pk
        return Response(Webhook.of(endpoints.change(account=me, endpoint_id=webhook_id, **changes)))

    @extend_schema(
        operation_id="delete_webhook",
        summary="Delete a webhook",
        tags=["accounts"],
        responses={204: None, **refusals(NoSuchWebhook)},
    )
    def delete(self, request: Request, webhook_id: UUID) -> Response:
        """With the log of its deliveries."""
        endpoints.delete(account=signed_in(request).pk, endpoint_id=webhook_id)
        return Response(status=204)


class SecretView(APIView):
    write_scope = "account"
    own_key_only = ("POST",)

    @extend_schema(
        operation_id="rotate_webhook",
        summary="Make a new secret for a webhook",
        tags=["accounts"],
        request=None,
        responses={200: WebhookSecret, **refusals(NotAllowed, NoSuchWebhook)},
    )
    def post(self, request: Request, webhook_id: UUID) -> Response:
        """For a day calls carry two signatures, that of the new secret first."""
        me = signed_in(request).pk
        return Response(WebhookSecret.of(endpoints.rotate(account=me, endpoint_id=webhook_id)))


class DeliveriesView(APIView):
    read_scope = "account"

    @extend_schema(
        operation_id="webhook_deliveries",
        summary="List what a webhook was sent",
        tags=["accounts"],
        parameters=PAGE_PARAMETERS,
        responses={200: WebhookDeliveryPage, **refusals(NoSuchWebhook)},
    )
    def get(self, request: Request, webhook_id: UUID) -> Response:
        """Newest first, each with its tries: when, what was answered, how long it took."""
        me = signed_in(request).pk
        sent = endpoints.deliveries_of(account=me, endpoint_id=webhook_id)
        rows, following = page(sent, request)
        return Response(WebhookDeliveryPage([WebhookDelivery.of(row) for row in rows], following))


class ResendView(APIView):
    write_scope = "account"

    @extend_schema(
        operation_id="resend_delivery",
        summary="Send a delivery again",
        tags=["accounts"],
        request=None,
        responses={
            200: WebhookDelivery,
            **refusals(NoSuchWebhook, NoSuchDelivery, WebhookIsOff),
        },
    )
    def post(self, request: Request, webhook_id: UUID, delivery_id: UUID) -> Response:
        """At once and with its id, whatever became of it."""
        me = signed_in(request).pk
        row = endpoints.resend(account=me, endpoint_id=webhook_id, delivery_id=delivery_id)
        return Response(WebhookDelivery.of(row))


def _fields(row: Endpoint) -> dict[str, Any]:
    names = ("name", "url", "kinds", "failures", "created_at")
    own = {name: getattr(row, name) for name in names}
    own["kinds"] = [kind for kind in row.kinds if kind != MATCH]
    return {"id": row.pk, "match": row.topic, "disabled": row.disabled or None, **own}
