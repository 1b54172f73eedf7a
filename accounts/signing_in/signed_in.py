"""Whose request it is, where nobody comes in without an account."""

from typing import cast

from django.http import HttpRequest
from rest_framework.request import Request

from accounts.models import User


def signed_in(request: HttpRequest | Request) -> User:
    """The caller, whom the permissions of the view have let in."""
    return cast("User", request.user)
