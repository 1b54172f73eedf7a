"""Seats that their host keeps for friends; accounts know who these are (``config.offers``)."""

from uuid import UUID

from config.offers import offered
from games.matches.models import Seat
from games.matches.seat_snapshot import SeatSnapshot


def friends_of(account: UUID | None) -> frozenset[UUID]:
    if account is None:
        return frozenset()
    return frozenset(one for friends in offered("friends_of") for one in friends(account))


def are_friends(one: UUID, other: UUID) -> bool:
    return other in friends_of(one)


def is_anybodys(seat: Seat | SeatSnapshot) -> bool:
    """Whether everybody may sit down there."""
    return seat.kind == "open" and seat.invited_id is None and not seat.for_friends


def is_free_for(seat: Seat | SeatSnapshot, host: UUID, user: UUID | None) -> bool:
    """Whether this person may sit down there without an invitation."""
    if seat.kind != "open" or seat.invited_id is not None:
        return False
    return not seat.for_friends or (user is not None and are_friends(host, user))
