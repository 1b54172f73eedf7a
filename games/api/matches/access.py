"""The match that a request names, if its caller may see it."""

from uuid import UUID

from rest_framework.request import Request

from games.api.authentication import caller_of, check_caller
from games.matches.refusals import NoSuchMatch
from games.matches.selectors.access import Caller, find_match
from games.matches.snapshot import MatchSnapshot


def visible(match_id: UUID, request: Request) -> MatchSnapshot:
    """The match if the caller may see it, else the same 404 as if there were none."""
    found = find_match(match_id, Caller(user=request.user.pk))
    if found is None or not found.match.is_visible_to(request.user.pk):
        raise NoSuchMatch
    return found.match


def found(match_id: UUID, request: Request) -> tuple[MatchSnapshot, UUID]:
    """The same where the key is still to be looked up (``callers``), and whose it is."""
    seen = find_match(match_id, caller_of(request))
    if seen is None or seen.user is None or not seen.match.is_visible_to(seen.user):
        check_caller(request)
        raise NoSuchMatch
    return seen.match, seen.user
