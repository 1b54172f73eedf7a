"""The account of a caller: of any caller, or of one who must have one."""

from typing import cast

from django.http import HttpRequest
from rest_framework.request import Request

from accounts.models import User


def account_of(request: HttpRequest | Request) -> User | None:
    """The caller's; ``None`` of a view that is open to everybody and has a visitor."""
    return request.user if isinstance(request.user, User) else None


def signed_in(request: HttpRequest | Request) -> User:
    """The caller; the permissions of the view have checked that there is one."""
    return cast("User", request.user)
