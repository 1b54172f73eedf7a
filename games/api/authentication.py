"""The caller, looked up in the SELECT that reads the match: for the calls that programs make most.

Everywhere else `KeyAuthentication` looks the key up first, in a query of its own.
"""

from typing import Any

from django.contrib.auth.models import AnonymousUser
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request

from accounts.api.authentication import KeyAuthentication, key_digest, scope_of
from config.api.scopes import Scope
from config.api.throttles import Moves, Requests
from games.matches.selectors.access import Caller


class DeferredKeyAuthentication(BaseAuthentication):
    """Reads the key but does not look it up; ``request.auth`` is its digest."""

    def authenticate_header(self, request: Request) -> str:
        return KeyAuthentication().authenticate_header(request)

    def authenticate(self, request: Request) -> tuple[Any, str] | None:
        digest = key_digest(request.headers.get("Authorization", ""))
        return None if digest is None else (AnonymousUser(), digest)


DEFERRED: tuple[type[BaseAuthentication], ...] = (DeferredKeyAuthentication, SessionAuthentication)


def key_or_session(scope: Scope) -> Any:
    """``auth`` of a call with DEFERRED."""
    return [{"key": [scope]}, {"cookieAuth": []}]


class MovesByKey(Moves):
    """Counts by key or user, whichever signs the call in."""

    def who(self, request: Request) -> str:
        return request.auth if isinstance(request.auth, str) else super().who(request)


class RequestsByKey(Requests):
    """The same; a caller with a key does not count against the limit of its address."""

    def scope_of(self, request: Request) -> str:
        return "user" if isinstance(request.auth, str) else super().scope_of(request)

    def who(self, request: Request) -> str:
        return request.auth if isinstance(request.auth, str) else super().who(request)


def caller_of(request: Request) -> Caller:
    """The caller: signed in already, or with a key still to be looked up."""
    if isinstance(request.auth, str):
        return Caller(digest=request.auth, scope=scope_of(request))
    return Caller(user=request.user.pk)


def check_caller(request: Request) -> None:
    """No key, or a bad one, is said before anything of the match, as everywhere in the API."""
    if KeyAuthentication().authenticate(request) is None and not request.user.is_authenticated:
        raise NotAuthenticated
