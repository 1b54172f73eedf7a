"""The caller of a view that is open to accounts only."""

from typing import cast

from django.http import HttpRequest
from rest_framework.request import Request

from accounts.models import User


def signed_in(request: HttpRequest | Request) -> User:
    """The caller; the permissions of the view have checked that there is one."""
    return cast("User", request.user)
