"""The match that a request names, if its caller may see it."""

from uuid import UUID

from rest_framework.request import Request

from games.api.authentication import caller_of, check_key
from games.matches.refusals import NoSuchMatch
from games.matches.seating.first_moves import note_came
from games.matches.selectors.access import Caller, find_match
from games.matches.selectors.history import as_watched
from games.matches.snapshot import MatchSnapshot


def visible(match_id: UUID, request: Request) -> MatchSnapshot:
    """The match if the caller may see it, else the same 404 as if it did not exist."""
    access = find_match(match_id, Caller(user=request.user.pk))
    if access is None or not access.match.is_visible_to(request.user.pk):
        raise NoSuchMatch
    return as_watched(access.match, request.user.pk)


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
