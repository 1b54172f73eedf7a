"""Checks the password of a signed-in person again, before anything that cannot be undone."""

from django.contrib.auth import authenticate
from django.http import HttpRequest

from accounts.models import User


def knows_password(request: HttpRequest, user: User, password: str) -> bool:
    """A wrong password counts as one of a sign-in does, up to the lock-out."""
    return authenticate(request, username=user.username, password=password) == user
