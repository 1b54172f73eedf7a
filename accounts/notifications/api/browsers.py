"""Browsers that show the caller's messages: accounts/me/push."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from drf_spectacular.utils import extend_schema
from msgspec import Meta, Struct
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.notifications.models import NAME_LENGTH, URL_LENGTH, Subscription
from accounts.notifications.push import browsers
from accounts.notifications.refusals import (
    BadSubscription,
    ChannelIsOff,
    ForbiddenAddress,
    TooManyBrowsers,
)
from accounts.signing_in.signed_in import signed_in
from config.api.json import body_of
from config.api.schema import refusals
from config.refusals import NotAllowed


class Browser(Struct):
    id: UUID
    browser: str
    created_at: datetime

    @classmethod
    def of(cls, row: Subscription) -> "Browser":
        return cls(row.pk, row.browser, row.created_at)


class Push(Struct):
    """``public_key`` is what a browser subscribes with; null where this service sends none."""

    public_key: str | None
    browsers: list[Browser]


class NewBrowser(Struct, forbid_unknown_fields=True):
    """What ``PushSubscription.toJSON()`` says, its keys beside the endpoint."""

    endpoint: Annotated[str, Meta(max_length=URL_LENGTH)]
    p256dh: Annotated[str, Meta(max_length=128)]
    auth: Annotated[str, Meta(max_length=64)]
    browser: Annotated[str, Meta(max_length=NAME_LENGTH)] = ""


class BrowsersView(APIView):
    read_scope = "account"
    write_scope = "account"
    own_key_only = ("POST",)

    @extend_schema(
        operation_id="browsers",
        summary="List the browsers that show your messages",
        tags=["accounts"],
        responses={200: Push},
    )
    def get(self, request: Request) -> Response:
        """The key to subscribe with, and the browsers that are subscribed, newest first."""
        rows = browsers.browsers_of(signed_in(request).pk)
        return Response(Push(browsers.public_key() or None, [Browser.of(row) for row in rows]))

    @extend_schema(
        operation_id="add_browser",
        summary="Let a browser show your messages",
        tags=["accounts"],
        request=NewBrowser,
        responses={
            201: Browser,
            **refusals(
                NotAllowed, BadSubscription, ChannelIsOff, ForbiddenAddress, TooManyBrowsers
            ),
        },
    )
    def post(self, request: Request) -> Response:
        """A message is JSON: ``title``, ``body``, ``url`` (a path) and ``tag``.

        Again changes nothing. A browser that another account had subscribed is the caller's now.
        """
        body = body_of(request, NewBrowser)
        row = browsers.subscribe(
            user=signed_in(request),
            endpoint=body.endpoint,
            p256dh=body.p256dh,
            auth=body.auth,
            browser=body.browser,
        )
        return Response(Browser.of(row), status=201)


class BrowserView(APIView):
    write_scope = "account"

    @extend_schema(
        operation_id="remove_browser",
        summary="Send a browser no messages any more",
        tags=["accounts"],
        responses={204: None},
    )
    def delete(self, request: Request, browser_id: UUID) -> Response:
        """Again is no error."""
        browsers.remove(account=signed_in(request).pk, browser_id=browser_id)
        return Response(status=204)
