"""A form that is sent twice leads to the same result, and to the same guest.

A press of its button is recognised by what the browser sends: the token of the form, the address,
the fields, and the sender. A visitor without an account is recognised by a cookie that no script
and no page can read. So the token of a form alone does not sign anybody in as the guest that the
form made.
"""

import secrets
from collections.abc import Callable
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.models import Press, User
from accounts.web.sessions import current_or_guest_user, new_guest, sign_in
from config.refusals import NotAllowed

LIFE: Final = timedelta(minutes=2)


def once(request: HttpRequest, make: Callable[[User], UUID]) -> UUID:
    """The id of what this press made: by ``make``, unless the same press made it already.

    A visitor becomes a guest, the same one for the same press. If ``make`` refuses, nothing is left
    behind, not even a guest.
    """
    check_plays_here(request)
    key = _key(request)
    if key is None:
        return make(current_or_guest_user(request))
    with transaction.atomic():
        press = _press_before(key) or _press_now(key, request, make)
    if not request.user.is_authenticated and press.user.is_guest:
        sign_in(request, press.user)
    return press.made


def check_plays_here(request: HttpRequest) -> None:
    """Refuses a bot account: it may look at these pages, but plays by the API alone."""
    if isinstance(request.user, User) and request.user.is_bot:
        raise NotAllowed("A bot account plays by the API, not on these pages.")


def _press_before(key: str) -> Press | None:
    """Waits while the same press is handled elsewhere; deletes presses that are too old."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [int(key[:15], 16)])
    Press.objects.filter(at__lt=timezone.now() - LIFE).delete()
    return Press.objects.select_related("user").filter(key=key).first()


def _press_now(key: str, request: HttpRequest, make: Callable[[User], UUID]) -> Press:
    user = request.user if isinstance(request.user, User) else new_guest(request)
    return Press.objects.create(key=key, user=user, made=make(user))


def _key(request: HttpRequest) -> str | None:
    """None for a form without its token, or from a browser that keeps no cookies."""
    if "csrfmiddlewaretoken" not in request.POST:
        return None
    user, visitor = request.user, request.COOKIES.get(cookie_name())
    if not user.is_authenticated and not visitor:
        return None
    who = f"user {user.pk}" if user.is_authenticated else f"visitor {visitor}"
    sent = f"{who}\n{request.path}\n{request.POST.urlencode()}"
    return salted_hmac("accounts.web.presses", sent, algorithm="sha256").hexdigest()


def cookie_name() -> str:
    """Over HTTPS a name that browsers accept from this host only, not from others of its domain."""
    return "__Host-visitor" if settings.SESSION_COOKIE_SECURE else "visitor"


def name_visitors(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: gives a browser that is shown a form a cookie by which it is recognised."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if request.META.get("CSRF_COOKIE_NEEDS_UPDATE") and cookie_name() not in request.COOKIES:
            response.set_cookie(
                cookie_name(),
                secrets.token_urlsafe(18),
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        return response

    return middleware
