"""Whether who is signed in knows the password: asked before what cannot be undone."""

from django.contrib.auth import authenticate
from django.http import HttpRequest

from accounts.models import User


def knows_password(request: HttpRequest, user: User, password: str) -> bool:
    """A wrong one counts like one of a sign-in, and locks the account out like that."""
    return authenticate(request, username=user.username, password=password) == user
