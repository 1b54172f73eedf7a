"""Notifications outside the pages: the caller's choices, browsers, webhooks."""

from datetime import datetime, time
from typing import Annotated, Any, Literal
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from accounts.models import User
from accounts.notifications import channels, choices, endpoints, models
from accounts.notifications import refusals as notifications
from config.api.components import deprecated
from config.api.json import Pages
from config.api.operations import Api, Nothing, answer, given

api = Api("accounts")


Kinds = Annotated[tuple[models.Kind, ...], Meta(max_length=16)]
SomeKinds = Annotated[tuple[models.Kind, ...], Meta(min_length=1, max_length=16)]
Clock = Annotated[str, Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$", description="HH:MM")]
Zone = Annotated[str, Meta(max_length=64, description="Such as Europe/Istanbul")]
TIMES = ("quiet_from", "quiet_until", "daily_time")
COLUMNS = {"daily_time": "daily_at"}  # what ends in _at is a moment in this API


class NotificationChoices(Struct):
    """What you are told elsewhere than on the pages and streams, by kind.

    ``mail`` comes at once, ``daily`` in one mail a day at ``daily_time`` (null: 08:00), ``push`` in
    the browsers that you subscribed. Quiet hours hold for these three. ``confirmed``: whether the
    owner of your e-mail address agreed; nothing is written before.
    """

    mail: list[models.Kind]
    daily: list[models.Kind]
    push: list[models.Kind]
    confirmed: bool
    time_zone: str
    quiet_from: str | None
    quiet_until: str | None
    daily_time: str | None

    @classmethod
    def of(cls, row: models.Choices, user: User) -> "NotificationChoices":
        times: Any = {name: _text(row, name) for name in TIMES}
        return answer(cls, row, confirmed=choices.may_be_mailed(row, user), **times)


class NotificationChange(Struct, forbid_unknown_fields=True):
    """A field that is left out stays as it is."""

    mail: Kinds | UnsetType = UNSET
    daily: Kinds | UnsetType = UNSET
    push: Kinds | UnsetType = UNSET
    time_zone: Zone | UnsetType = UNSET
    quiet_from: Clock | UnsetType | None = UNSET
    quiet_until: Clock | UnsetType | None = UNSET
    daily_time: Clock | UnsetType | None = UNSET

    def changes(self) -> dict[str, Any]:
        return {COLUMNS.get(name, name): time_value(name, one) for name, one in given(self).items()}


@api.get("accounts/me/notifications", scope="account")
def notification_choices(user: User) -> NotificationChoices:
    """Read what you are told, and how

    The kinds of news that leave the house for the caller. At first none does.
    """
    return NotificationChoices.of(choices.choices_of(user.pk), user)


@api.patch(
    "accounts/me/notifications",
    scope="account",
    refuses=[notifications.BadChoices, notifications.ChannelIsOff, notifications.NoAddress],
)
def change_notifications(user: User, body: NotificationChange) -> NotificationChoices:
    """Choose what you are told, and how

    Mail begins when the owner of the address has confirmed it, by a link in a mail.
    """
    return NotificationChoices.of(choices.change(user=user, **body.changes()), user)


def time_value(name: str, sent: Any) -> Any:
    return time.fromisoformat(sent) if name in TIMES and sent is not None else sent


def _text(row: models.Choices, name: str) -> str | None:
    at: time | None = getattr(row, COLUMNS.get(name, name))
    return f"{at:%H:%M}" if at is not None else None


class Browser(Struct):
    id: UUID
    browser: str
    created_at: datetime


class Push(Struct):
    """``public_key`` is what a browser subscribes with; null where this service sends none."""

    public_key: str | None
    browsers: list[Browser]


class NewBrowser(Struct, forbid_unknown_fields=True):
    """What ``PushSubscription.toJSON()`` says, its keys beside the endpoint."""

    endpoint: Annotated[str, Meta(max_length=models.URL_LENGTH)]
    p256dh: Annotated[str, Meta(max_length=128)]
    auth: Annotated[str, Meta(max_length=64)]
    browser: Annotated[str, Meta(max_length=models.NAME_LENGTH)] = ""


@api.get("accounts/me/push", scope="account")
def browsers(user: User) -> Push:
    """List the browsers that show your messages

    The key to subscribe with, and the browsers that are subscribed, newest first.
    """
    rows = [answer(Browser, row) for row in endpoints.browsers_of(user.pk)]
    return Push(endpoints.push_key() or None, rows)


@api.post(
    "accounts/me/push",
    scope="account",
    own_key=True,
    refuses=[
        *(notifications.BadSubscription, notifications.ChannelIsOff),
        *(notifications.ForbiddenAddress, notifications.TooManyBrowsers),
    ],
    creates="accounts/me/push",
)
def add_browser(user: User, body: NewBrowser) -> Browser:
    """Let a browser show your messages

    A message is JSON: ``title``, ``body``, ``url`` (a path) and ``tag``.

    Again changes nothing. A browser that another account had subscribed is the caller's now.
    """
    return answer(Browser, endpoints.subscribe_browser(user=user, **structs.asdict(body)))


@api.delete("accounts/me/push/<uuid:browser_id>", scope="account")
def remove_browser(user: User, browser_id: UUID) -> None:
    """Send a browser no messages any more

    Again is no error.
    """
    endpoints.remove_browser(account=user.pk, browser_id=browser_id)


Url = Annotated[str, Meta(max_length=models.URL_LENGTH)]
Name = Annotated[str, Meta(max_length=models.NAME_LENGTH)]


class Webhook(Struct):
    """``disabled`` says why it is not called: ``failures``, ``gone`` (it answered 410), ``owner``.

    With a ``match`` it is told what happens in it, too. ``failures`` counts failed calls in a row.
    """

    id: UUID
    name: str
    url: str
    kinds: list[models.Kind]
    match: UUID | None
    disabled: Literal["failures", "gone", "owner"] | None
    failures: int
    created_at: datetime

    @classmethod
    def of(cls, row: models.Endpoint) -> "Webhook":
        kinds = [kind for kind in row.kinds if kind != models.MATCH]
        return answer(cls, row, kinds=kinds, match=row.topic, disabled=row.disabled or None)


class WebhookSecret(Struct):
    """The ``secret`` is shown now and never again."""

    webhook: Webhook
    secret: str

    @classmethod
    def of(cls, row: models.Endpoint) -> "WebhookSecret":
        return cls(Webhook.of(row), endpoints.secret_of(row))


class NewWebhook(Struct, forbid_unknown_fields=True):
    """``kinds`` of your news, none if it is called for a ``match`` alone."""

    url: Url
    kinds: Kinds
    match: UUID | None = None
    name: Name = ""


class WebhookChange(Struct, forbid_unknown_fields=True):
    """A field that is left out stays as it is."""

    url: Url | UnsetType = UNSET
    kinds: SomeKinds | UnsetType = UNSET
    name: Name | UnsetType = UNSET
    enabled: bool | UnsetType = UNSET


class DeliveryTry(Struct):
    """A call: the status of the answer, or ``why`` there was none.

    ``answer`` is the first KiB of its body, for a week; none from a private network.
    """

    at: datetime
    status: int | None
    milliseconds: int
    why: str
    answer: str

    @classmethod
    def of(cls, row: models.Attempt) -> "DeliveryTry":
        why, milliseconds = row.for_owner()
        return answer(cls, row, milliseconds=milliseconds, why=why)


class WebhookDelivery(Struct):
    """``id`` is what the program reads as ``webhook-id``. ``next_at``: when it is tried next.

    ``body`` is what is sent, as text, for a week; of a match without its ``events``.
    """

    id: UUID
    kind: models.HookKind
    status: Literal["waiting", "sent", "failed", "skipped"]
    state: Annotated[Literal["waiting", "sent", "failed", "skipped"], deprecated("status")]
    why: str
    created_at: datetime
    next_at: datetime | None
    tries: list[DeliveryTry]
    body: str

    @classmethod
    def of(cls, row: models.Delivery) -> "WebhookDelivery":
        tries = [DeliveryTry.of(one) for one in row.tries.all()]
        why = models.UNKNOWN if row.why in models.NOT_CALLED else row.why
        body = channels.shown_call(row)
        more = {"kind": row.cause.kind, "why": why, "tries": tries, "body": body}
        return answer(cls, row, status=row.state, **more)


class WebhookDeliveryPage(Struct):
    results: list[WebhookDelivery]
    next: str | None


@api.get("accounts/me/webhooks", scope="account")
def webhooks(user: User) -> list[Webhook]:
    """List your webhooks

    Newest first.
    """
    return [Webhook.of(row) for row in endpoints.endpoints_of(user.pk)]


@api.post(
    "accounts/me/webhooks",
    scope="account",
    own_key=True,
    refuses=[
        *(notifications.BadChoices, notifications.GuestsHaveNoWebhooks, notifications.NoSuchTopic),
        *(notifications.TooManyWebhooks, notifications.TopicIsOver, notifications.ForbiddenAddress),
    ],
    creates="accounts/me/webhooks",
)
def create_webhook(user: User, body: NewWebhook) -> WebhookSecret:
    """Have a program of yours called

    The address is called with a POST for each piece of news of these kinds.

    The body is ``{type, id, at, account, data}``. ``webhook-id``, ``webhook-timestamp`` and
    ``webhook-signature`` are those of Standard Webhooks: HMAC-SHA256 over id, time and body. An
    answer of 2xx within ten seconds is a success; no redirect is followed. Else it is tried
    again for two days, with the same id: a call may come twice, and the id says so.

    With a `match` that you may see the type is `match`, and `data` holds its `status` and the
    `events` after the version `after` up to `version`, as you see them at the table at the
    moment of the call: with a delay where it has one, and nothing once you may not see it.
    """
    return WebhookSecret.of(endpoints.create(user=user, **structs.asdict(body)))


@api.patch(
    "accounts/me/webhooks/<uuid:webhook_id>",
    scope="account",
    own_key=True,
    refuses=[notifications.NoSuchWebhook, notifications.ForbiddenAddress],
)
def change_webhook(user: User, body: WebhookChange, webhook_id: UUID) -> Webhook:
    """Change a webhook, turn it off or on

    Turned off it is sent nothing, also not later. Turned on it begins without failures.
    """
    row = endpoints.change(account=user.pk, endpoint_id=webhook_id, **given(body))
    return Webhook.of(row)


@api.delete(
    "accounts/me/webhooks/<uuid:webhook_id>", scope="account", refuses=[notifications.NoSuchWebhook]
)
def delete_webhook(user: User, webhook_id: UUID) -> None:
    """Delete a webhook

    With the log of its deliveries.
    """
    endpoints.delete(account=user.pk, endpoint_id=webhook_id)


@api.post(
    "accounts/me/webhooks/<uuid:webhook_id>/secret",
    scope="account",
    own_key=True,
    refuses=[notifications.NoSuchWebhook],
)
def rotate_webhook(user: User, webhook_id: UUID) -> WebhookSecret:
    """Make a new secret for a webhook

    For a day calls carry two signatures, that of the new secret first.
    """
    return WebhookSecret.of(endpoints.rotate(account=user.pk, endpoint_id=webhook_id))


@api.get(
    "accounts/me/webhooks/<uuid:webhook_id>/deliveries",
    scope="account",
    refuses=[notifications.NoSuchWebhook],
)
def webhook_deliveries(user: User, page: Pages, webhook_id: UUID) -> WebhookDeliveryPage:
    """List what a webhook was sent

    Newest first, each with its tries: when, what was answered, how long it took.
    """
    rows, following = page(endpoints.deliveries_of(account=user.pk, endpoint_id=webhook_id))
    return WebhookDeliveryPage([WebhookDelivery.of(row) for row in rows], following)


@api.post(
    "accounts/me/webhooks/<uuid:webhook_id>/ping",
    scope="account",
    body=Nothing,
    refuses=[notifications.NoSuchWebhook, notifications.WebhookIsOff],
    creates="accounts/me/webhooks/{webhook_id}/deliveries",
)
def ping_webhook(user: User, webhook_id: UUID) -> WebhookDelivery:
    """Make a test call to a webhook

    Of the type `ping`, at once and not again; a failure does not count. While one waits, again
    gives the same.
    """
    here = f"/accounts/notifications/webhooks/{webhook_id}/"
    row = endpoints.ping(account=user.pk, endpoint_id=webhook_id, url=here)
    return WebhookDelivery.of(row)


@api.post(
    "accounts/me/webhooks/<uuid:webhook_id>/deliveries/<uuid:delivery_id>/resend",
    scope="account",
    refuses=[
        *(notifications.NoSuchWebhook, notifications.NoSuchDelivery, notifications.WebhookIsOff)
    ],
)
def resend_delivery(user: User, webhook_id: UUID, delivery_id: UUID) -> WebhookDelivery:
    """Send a delivery again

    At once and with its id, whatever became of it.
    """
    row = endpoints.resend(account=user.pk, endpoint_id=webhook_id, delivery_id=delivery_id)
    return WebhookDelivery.of(row)
