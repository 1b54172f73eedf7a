"""Matches of people who may not play on are left, so that nobody waits for them.

Their accounts are closed before (``closing_account``): from then on nobody takes another seat with
one. A match that begins at the same moment is looked at again. ``mend`` finds what was missed all
the same, as by a process that ended on its way.
"""

from collections.abc import Iterator
from typing import Final
from uuid import UUID

import structlog
from django.db.models import Exists, OuterRef, Q

from accounts.audit.log import Actor
from accounts.audit.models import Suspension
from accounts.models import User
from accounts.names.shown_names import IMPORTED
from config.refusals import Refusal
from config.tasks.duties import Duty
from config.tasks.rows import each
from games.lobby import seeking
from games.matches.leaving import resigning
from games.matches.models import Match, Seat
from games.matches.refusals import MatchNotActive, MatchNotOpen, StaleVersion
from games.matches.seating import joining
from games.operations.refereeing import case, judgements

_TRIES: Final = 5
_AT_ONCE: Final = 100  # people of one look
_OPEN, _ACTIVE = Match.Status.OPEN, Match.Status.ACTIVE

log = structlog.get_logger(__name__)


def leave_all(user: User, by: Actor, *, resigns: bool) -> int:
    """Leaves the matches and says how many. One that refuses keeps nobody in the others.

    Of running ones a bot takes the seat over, or the seat ``resigns``; open ones are left or called
    off, invitations declined. They wait for no match any more.
    """
    seeking.end_all_of(user.pk)
    return sum([_leave(match_id, user, by, resigns=resigns) for match_id in _waiting_for(user)])


def _waiting_for(user: User) -> list[UUID]:
    """Running matches in which they sit; open ones that they opened, joined or may join."""
    seated = Q(seats__user=user, seats__resigned_at=None, status__in=[_OPEN, _ACTIVE])
    invited = Q(seats__invited=user, seats__declined="", status=_OPEN)
    matches = Match.objects.filter(seated | invited | Q(creator=user, status=_OPEN))
    return list(matches.order_by().values_list("id", flat=True).distinct())


def _leave(match_id: UUID, user: User, by: Actor, *, resigns: bool) -> bool:
    left = False
    for _ in range(_TRIES):
        try:
            if Match.objects.filter(id=match_id, status=_OPEN).exists():
                joining.leave(match_id=match_id, user=user)
                return True
            for given_up in _give_up_seats(match_id, user, by, resigns=resigns):
                left = left or given_up
            return left
        except (MatchNotOpen, MatchNotActive, StaleVersion):
            continue  # it has just begun, or is over
        except Refusal:
            break
    return left


def _give_up_seats(match_id: UUID, user: User, by: Actor, *, resigns: bool) -> Iterator[bool]:
    """Gives up the seats, also those of others at the same device."""
    own = Seat.objects.filter(match=match_id, match__status=_ACTIVE, user=user, resigned_at=None)
    for seat in list(own.filter(stand_in="") if not resigns else own):
        try:
            _give_up(match_id, seat, by, resigns=resigns)
        except (MatchNotActive, StaleVersion):
            raise
        except Refusal:
            continue  # this seat is out of the match, another may not be
        yield True


def _give_up(match_id: UUID, seat: Seat, by: Actor, *, resigns: bool) -> None:
    if resigns:
        resigning.resign_as_operator(match_id=match_id, seat=seat.index)
        case.notify_players(match_id, f"{seat.name} cannot play on and has left the match.")
    else:
        judgements.hand_to_bot(match_id=match_id, by=by, seat=seat.index)


def mend() -> int:
    """Leaves matches that were missed and says how many. Called every minute.

    A person who is suspended for some time gets the seats back, as if it had been done at once.
    """
    return sum(each("seats left behind", _left_behind(), _mend, key=lambda user: user.pk))


def _left_behind() -> list[User]:
    """People who may not play and still keep somebody waiting."""
    seats = Seat.objects.filter(user=OuterRef("pk"))
    plays = Q(match__status=_OPEN) | Q(match__status=_ACTIVE, stand_in="")
    sits = Exists(seats.filter(plays, resigned_at=None))
    kept_for = Seat.objects.filter(invited=OuterRef("pk"), declined="")
    invited = Exists(kept_for.filter(match__status=_OPEN))
    opened = Exists(Match.objects.filter(creator=OuterRef("pk"), status=_OPEN))
    closed = User.objects.filter(is_active=False, is_house=False)
    known_here = closed.exclude(username__startswith=IMPORTED)
    return list(known_here.filter(Q(sits) | Q(invited) | Q(opened))[:_AT_ONCE])


def _mend(user: User) -> int:
    running = Suspension.objects.filter(user=user, lifted_at=None).first()
    by = Actor(user.pk, "cardroom", "The account may not play; its seats were left behind.")
    left = leave_all(user, by, resigns=running is None or running.until is None)
    if left:
        log.warning("seats_left_behind", user=str(user.pk), matches=left)
    return left


LEFT_BEHIND: Final = Duty(name="seats left behind", piece=mend, every=60, idle=600)
