"""Who looks at a page: nobody yet, a guest or a player. Playing makes a guest of nobody."""

from uuid import UUID

from django.contrib.auth import login
from django.http import HttpRequest

from accounts.models import User
from accounts.services import people


def player(request: HttpRequest) -> User:
    """The signed-in user; a new guest is signed in if there is none."""
    if isinstance(request.user, User):
        return request.user
    guest = people.open_guest()
    login(request, guest, backend="django.contrib.auth.backends.ModelBackend")
    return guest


def user_id(request: HttpRequest) -> UUID | None:
    return request.user.pk if request.user.is_authenticated else None
