"""The caller of a move: whether they may see the match, and which seat they move."""

from uuid import UUID

from config.refusals import NotSignedIn
from games.matches.refusals import NoSuchMatch, NotYourSeat
from games.matches.selectors.access import MatchAccess
from games.matches.selectors.history import match_at
from games.matches.snapshot import MatchSnapshot


def visible(access: MatchAccess | None) -> tuple[MatchSnapshot, UUID]:
    """The match and its caller; raises NoSuchMatch, NotSignedIn."""
    if access is None:
        raise NoSuchMatch
    if access.user is None:
        raise NotSignedIn
    if not access.match.is_visible_to(access.user):
        raise NoSuchMatch
    return access.match, access.user


def own_seat(match: MatchSnapshot, user: UUID, seat: int | None, version: int) -> int:
    """The seat that is named, else the caller's acting seat at this version.

    Raises NotYourSeat.
    """
    own = match.seats_of(user)
    if seat is None:
        is_past = len(own) > 1 and 0 <= version < match.version
        seen = match_at(match, version) if is_past else match
        seat = seen.acting_seat(user)
    if seat is None or seat not in own:
        raise NotYourSeat
    return seat
