"""The account of a caller: of any caller, or of one who must have one."""

from typing import cast

from django.http import HttpRequest
from rest_framework.request import Request

from accounts.models import Key, User
from config.refusals import NotAllowed


def account_of(request: HttpRequest | Request) -> User | None:
    """The caller's; ``None`` of a view that is open to everybody and has a visitor."""
    return request.user if isinstance(request.user, User) else None


def signed_in(request: HttpRequest | Request) -> User:
    """The caller; the permissions of the view have checked that there is one."""
    return cast("User", request.user)


def signed_in_by_own_key(request: Request) -> User:
    """The caller, for what would outlive the connection of somebody else's program.

    Raises ``NotAllowed`` for the token of a connected program.
    """
    if isinstance(request.auth, Key) and request.auth.connection_id is not None:
        raise NotAllowed("A connected program cannot do this. Use a key of your own.")
    return signed_in(request)
