"""Authentication for the calls that programs make most: the SELECT of the match finds the caller.

Elsewhere `KeyAuthentication` looks the key up first, in a query of its own.
"""

from typing import Any
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request

from accounts.signing_in import KeyAuthentication, key_digest, scope_of
from config.api.document import by_key
from config.api.scopes import Scope
from config.api.throttles import Moves, Requests
from games.matches.rating import note_came
from games.matches.refusals import NoSuchMatch
from games.matches.selectors.access import Caller, find_match
from games.matches.selectors.history import as_watched
from games.matches.snapshot import MatchSnapshot


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
    return [*by_key(scope), {"cookieAuth": []}]


def anybody_or_key(scope: Scope) -> Any:
    """The same of a call that needs neither: watching."""
    return [*key_or_session(scope), {}]


class MovesByKey(Moves):
    """Counts by key, or by user without a key."""

    def who(self, request: Request) -> str:
        return request.auth if isinstance(request.auth, str) else super().who(request)


class RequestsByKey(Requests):
    """The same for reads: a caller with a key does not use up the limit of its address."""

    def scope_of(self, request: Request) -> str:
        return "user" if isinstance(request.auth, str) else super().scope_of(request)

    def who(self, request: Request) -> str:
        return request.auth if isinstance(request.auth, str) else super().who(request)


def caller_of(request: Request) -> Caller:
    """The caller: a user who is signed in, or a key that is not looked up yet."""
    if isinstance(request.auth, str):
        return Caller(digest=request.auth, scope=scope_of(request))
    return Caller(user=request.user.pk)


def check_key(request: Request) -> None:
    """Refuses a bad key before anything is said about the match, as all calls do."""
    KeyAuthentication().authenticate(request)


def check_caller(request: Request) -> None:
    """The same where a caller is needed."""
    check_key(request)
    if not isinstance(request.auth, str) and not request.user.is_authenticated:
        raise NotAuthenticated


def visible(match_id: UUID, reader: UUID | None) -> MatchSnapshot:
    """The match if the caller may see it, else the same 404 as if it did not exist."""
    access = find_match(match_id, Caller(user=reader))
    if access is None or not access.match.is_visible_to(reader):
        raise NoSuchMatch
    return as_watched(access.match, reader)


def visible_by_key(match_id: UUID, request: Request) -> tuple[MatchSnapshot, UUID | None]:
    """The same for a view with DEFERRED authentication; also the caller, once the key is known.

    Nobody needs a key to watch, but one that is sent has to be right.
    """
    caller = caller_of(request)
    access = find_match(match_id, caller)
    is_known = access is not None and (caller.digest is None or access.user is not None)
    if access is None or not is_known or not access.match.is_visible_to(access.user):
        check_key(request)
        raise NoSuchMatch
    note_came(access.match, access.user)
    return as_watched(access.match, access.user), access.user
