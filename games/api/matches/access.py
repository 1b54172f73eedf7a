"""The match that a request names, if its caller may see it."""

from uuid import UUID

from rest_framework.request import Request

from games.api.authentication import caller_of, check_caller
from games.matches.refusals import NoSuchMatch
from games.matches.selectors.access import Caller, find_match
from games.matches.snapshot import MatchSnapshot


def visible(match_id: UUID, request: Request) -> MatchSnapshot:
    """The match if the caller may see it, else the same 404 as if it did not exist."""
    access = find_match(match_id, Caller(user=request.user.pk))
    if access is None or not access.match.is_visible_to(request.user.pk):
        raise NoSuchMatch
    return access.match


def visible_by_key(match_id: UUID, request: Request) -> tuple[MatchSnapshot, UUID]:
    """The same for a view with DEFERRED authentication; also the caller, once the key is known."""
    access = find_match(match_id, caller_of(request))
    if access is None or access.user is None or not access.match.is_visible_to(access.user):
        check_caller(request)
        raise NoSuchMatch
    return access.match, access.user
