"""Signing a browser in; only this module names the backend that a session remembers."""

from collections.abc import Callable
from contextlib import suppress

from django.contrib.auth import SESSION_KEY, login
from django.db import DatabaseError
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import get_language

from accounts.models import User
from accounts.refusals import TooManyGuests
from accounts.services import people, sessions
from config.api.throttles import NewGuests

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


def current_or_guest_user(request: HttpRequest) -> User:
    """The signed-in user; a new guest is signed in if there is none. Raises TooManyGuests."""
    if isinstance(request.user, User):
        return request.user
    guest = new_guest(request)
    sign_in(request, guest)
    return guest


def new_guest(request: HttpRequest) -> User:
    """An account for a visitor, not signed in yet.

    Raises TooManyGuests: pages and API count the guests of an address together.
    """
    if NewGuests.take(request) is not None:
        raise TooManyGuests
    return people.open_guest(language=get_language() or "en")


def sign_in(request: HttpRequest, user: User) -> None:
    login(request, user, backend=BACKEND)


def record_sessions(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: the account page lists where its owner is signed in, and since when."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if request.session.accessed and SESSION_KEY in request.session:
            with suppress(DatabaseError):  # it is no part of what was asked
                sessions.record_use(request.session, request.headers.get("User-Agent", ""))
        return response

    return middleware
