"""Who looks at a page: nobody yet, a guest or a player. Playing makes a guest of nobody."""

from uuid import UUID

from django.http import HttpRequest

from accounts.models import User
from accounts.sessions import enter_as_guest


def current_or_guest_user(request: HttpRequest) -> User:
    """The signed-in user; a new guest is signed in if there is none."""
    return enter_as_guest(request)


def user_id(request: HttpRequest) -> UUID | None:
    return request.user.pk if request.user.is_authenticated else None
