"""Blocking a person met at a match, and what a block does to invitations."""

from uuid import UUID

from accounts.models import User
from accounts.social import services
from config.refusals import NotAllowed
from games.matches.models import Seat
from games.matches.refusals import NoSuchMatch
from games.matches.seating.joining import leave
from games.matches.selectors.access import Caller, find_match
from games.matches.snapshot import MatchSnapshot


def block_player(*, match_id: UUID, user: User, seat: int | None = None) -> MatchSnapshot:
    """Blocks the person on a seat or, without one, the match's host. The match goes on."""
    access = find_match(match_id, Caller(user=user.id))
    if access is None or not access.match.is_visible_to(user.id):
        raise NoSuchMatch
    services.block(owner=user, blocked=_person(access.match, seat))
    return access.match


def _person(match: MatchSnapshot, index: int | None) -> UUID:
    if index is None:
        return match.creator_id
    person = match.seats[index].user_id if index < len(match.seats) else None
    if person is None:
        raise NotAllowed("Nobody sits there whom you could block.")
    return person


def decline_between(owner: UUID, blocked: UUID) -> None:
    """Declines every waiting invitation of one to the other, as if the invited had done it."""
    for creator, invited in ((blocked, owner), (owner, blocked)):
        waiting = Seat.objects.filter(
            invited=invited, kind="open", declined="", match__status="open"
        )
        guest = User.objects.get(pk=invited)
        for match_id in waiting.filter(match__creator=creator).values_list("match_id", flat=True):
            leave(match_id=match_id, user=guest)
