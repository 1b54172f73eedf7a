"""Whether an account may be invited: who blocks whom, and how many invitations wait already.

One refusal for all causes, so that it does not reveal who is blocked or suspended. Judge and write
under the locks of the invited accounts. The person whom a change concerns gets news of it
(``keep_news``).
"""

from collections.abc import Collection, Sequence
from uuid import UUID

from django.conf import settings
from django.db.models import Exists, OuterRef, QuerySet

from accounts.social.selectors import blocked_by, who_blocked
from cardroom.rules.text import say
from config.clock import now_in_milliseconds
from games.matches.models import InvitationNews, Match, Seat
from games.matches.refusals import InvitedIsBlocked, NoMoreInvitations


def awaits(seat: Seat, user_id: UUID | None) -> bool:
    """Whether a free seat waits for this person's answer (``SeatSnapshot.awaits``)."""
    return user_id is not None and seat.invited_id == user_id and not seat.declined


def keep_news(row: Match, seat: Seat, user_id: UUID, kind: InvitationNews.Kind) -> None:
    """Stores what became of an invitation, for this person; the last of a kind counts."""
    news = InvitationNews(
        match=row, seat=seat.index, user_id=user_id, kind=kind.value, at=now_in_milliseconds()
    )
    InvitationNews.objects.bulk_create(
        [news],
        update_conflicts=True,
        unique_fields=["match", "seat", "user", "kind"],
        update_fields=["at"],
    )


def invited_ids(seats: Sequence[Seat]) -> list[UUID]:
    return [seat.invited_id for seat in seats if seat.invited_id is not None]


def judge(row: Match, seats: Sequence[Seat], active: Collection[UUID]) -> None:
    """Raises a refusal if one of the invited may not be invited by the match's creator.

    ``active`` are the accounts that may play at all.
    """
    invited = invited_ids(seats)
    if not invited:
        return
    if blocked_by(row.creator_id).filter(blocked__in=invited).exists():
        raise InvitedIsBlocked
    closed = who_blocked(row.creator_id, invited) | (set(invited) - set(active))
    for seat in seats:
        if seat.invited_id in closed or not _has_room(row, seat):
            raise NoMoreInvitations(
                say(
                    "{name} takes no more invitations now. "
                    "Try again later, or open the seat to anybody.",
                    name=seat.name,
                )
            )


def _has_room(row: Match, seat: Seat) -> bool:
    if seat.invited_id is None:
        return True
    waiting = _waiting(seat.invited_id)
    if waiting.count() >= settings.LIMITS["invitations_received"]:
        return False
    if _have_played(row.creator_id, seat.invited_id).exists():
        return True
    acquainted = Exists(_have_played(OuterRef("match__creator"), seat.invited_id))
    return waiting.exclude(acquainted).count() < settings.LIMITS["invitations_by_strangers"]


def _waiting(user_id: UUID) -> QuerySet[Seat]:
    waiting = Seat.objects.filter(invited=user_id, kind="open", declined="")
    return waiting.filter(match__status="open").order_by()


def _have_played(by: UUID | OuterRef, who: UUID) -> QuerySet[Seat]:
    """Seats of ``by`` in matches that began with ``who``: the two are no strangers."""
    shared = Seat.objects.filter(
        match=OuterRef("match"), user=who, match__started_at__isnull=False
    ).order_by()
    return Seat.objects.filter(Exists(shared), user=by).order_by()
