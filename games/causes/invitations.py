"""Seats that are kept for somebody: invitations, those of a rematch, challenges.

Sent again is another invitation.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from django.utils import timezone

from accounts.notifications.kinds import Kind
from accounts.notifications.outbox import Owed, wanting
from games.absent import rules_of
from games.matches.models import InvitationNews, Seat

KINDS: Final[tuple[Kind, ...]] = ("invitation", "challenge")
RECENT: Final = timedelta(days=7)


def waiting() -> dict[str, Seat]:
    wishes = {kind: set(wanting(kind)) for kind in KINDS}
    people = set[UUID]().union(*wishes.values())
    if not people:
        return {}
    seats = Seat.objects.filter(
        invited__in=people,
        kind=Seat.Kind.OPEN,
        declined="",
        match__status="open",
        match__created_at__gt=timezone.now() - RECENT,
    ).select_related("match__challenge")
    rows = {_key(seat): seat for seat in seats if seat.invited_id in wishes[_kind(seat)]}
    sent_again = _times(list(rows.values()))
    return {f"{key}{sent_again.get(key, '')}": seat for key, seat in rows.items()}


def still_holds(account: UUID, payload: Mapping[str, Any]) -> bool:
    seats = Seat.objects.filter(match=payload["match"], index=payload["seat"], invited=account)
    return seats.filter(kind=Seat.Kind.OPEN, declined="", match__status="open").exists()


def _times(seats: list[Seat]) -> dict[str, str]:
    """When an invitation was sent after the match began to wait, by its key."""
    news = InvitationNews.objects.filter(
        match__in={seat.match_id for seat in seats}, kind="invited"
    )
    people = {(seat.match_id, seat.index): seat for seat in seats}
    return {
        _key(people[one.match_id, one.seat]): f":{one.at.timestamp():.3f}"
        for one in news
        if (one.match_id, one.seat) in people
        and people[one.match_id, one.seat].invited_id == one.user_id
    }


def _kind(seat: Seat) -> Kind:
    return "challenge" if hasattr(seat.match, "challenge") else "invitation"


def _key(seat: Seat) -> str:
    return f"{_kind(seat)}:{seat.match_id}:{seat.index}:{str(seat.invited_id)[-12:]}"


def cause_of(key: str, seat: Seat) -> Owed:
    match = seat.match
    payload = {
        "match": str(match.pk),
        "seat": seat.index,
        "game": match.game,
        "game_name": rules_of(match.game, match.rules_version).name,
        "person": str(match.creator_id),
        "what": "rematch" if match.previous_id else "match",
        "url": f"/matches/{match.pk}",
    }
    if _kind(seat) == "challenge":
        payload |= {"challenge": str(match.pk), "url": f"/challenges/{match.pk}"}
    assert seat.invited_id is not None  # noqa: S101 - selected by it
    return Owed(seat.invited_id, _kind(seat), key, payload)
