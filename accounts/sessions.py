"""Signing a browser in: the one place that names the backend a session remembers."""

from django.contrib.auth import login
from django.http import HttpRequest
from django.utils.translation import get_language

from accounts.models import User
from accounts.services import people

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


def enter(request: HttpRequest, user: User) -> None:
    login(request, user, backend=BACKEND)


def enter_as_guest(request: HttpRequest) -> User:
    """Whoever this browser is signed in as; a new guest if nobody."""
    if isinstance(request.user, User):
        return request.user
    guest = people.open_guest(language=get_language() or "en")
    enter(request, guest)
    return guest
