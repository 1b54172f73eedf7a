"""Signing a browser in; only this module names the backend that a session remembers."""

from django.contrib.auth import login
from django.http import HttpRequest
from django.utils.translation import get_language

from accounts.models import User
from accounts.refusals import TooManyGuests
from accounts.services import people
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
