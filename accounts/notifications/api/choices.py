"""What the caller is told, and how: accounts/me/notifications."""

from datetime import time
from typing import Annotated, Any

from drf_spectacular.utils import extend_schema
from msgspec import UNSET, Meta, Struct, UnsetType
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import User
from accounts.notifications import choices
from accounts.notifications.kinds import Kind
from accounts.notifications.models import Choices
from accounts.notifications.refusals import BadChoices, ChannelIsOff, NoAddress
from accounts.signing_in.signed_in import signed_in
from config.api.json import body_of
from config.api.schema import refusals

Kinds = Annotated[tuple[Kind, ...], Meta(max_length=16)]
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

    mail: list[Kind]
    daily: list[Kind]
    push: list[Kind]
    confirmed: bool
    time_zone: str
    quiet_from: str | None
    quiet_until: str | None
    daily_time: str | None

    @classmethod
    def of(cls, row: Choices, user: User) -> "NotificationChoices":
        kinds: Any = (row.mail, row.daily, row.push)
        confirmed = choices.may_be_mailed(row, user)
        return cls(*kinds, confirmed, row.time_zone, *(_text(row, at) for at in TIMES))


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
        given = {name: getattr(self, name) for name in self.__struct_fields__}
        return {
            COLUMNS.get(name, name): _value(name, one)
            for name, one in given.items()
            if one is not UNSET
        }


class ChoicesView(APIView):
    read_scope = "account"
    write_scope = "account"

    @extend_schema(
        operation_id="notification_choices",
        summary="Read what you are told, and how",
        tags=["accounts"],
        responses={200: NotificationChoices},
    )
    def get(self, request: Request) -> Response:
        """The kinds of news that leave the house for the caller. At first none does."""
        me = signed_in(request)
        return Response(NotificationChoices.of(choices.choices_of(me.pk), me))

    @extend_schema(
        operation_id="change_notifications",
        summary="Choose what you are told, and how",
        tags=["accounts"],
        request=NotificationChange,
        responses={200: NotificationChoices, **refusals(BadChoices, ChannelIsOff, NoAddress)},
    )
    def patch(self, request: Request) -> Response:
        """Mail begins when the owner of the address has confirmed it, by a link in a mail."""
        me = signed_in(request)
        row = choices.change(user=me, **body_of(request, NotificationChange).changes())
        return Response(NotificationChoices.of(row, me))


def _value(name: str, given: Any) -> Any:
    return time.fromisoformat(given) if name in TIMES and given is not None else given


def _text(row: Choices, name: str) -> str | None:
    at: time | None = getattr(row, COLUMNS.get(name, name))
    return f"{at:%H:%M}" if at is not None else None
