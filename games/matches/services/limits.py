"""How many matches one account may have at a time. Judge and write under the account's lock."""

from collections.abc import Sequence

from django.conf import settings
from django.db.models import Exists, OuterRef, QuerySet

from games.matches.models import Match, Seat
from games.matches.refusals import (
    TooManyActiveMatches,
    TooManyBotMatches,
    TooManyInvitations,
    TooManyOpenMatches,
)


def judge(row: Match, seats: Sequence[Seat]) -> None:
    """Raises a refusal if the creator has as many matches like this new one as allowed."""
    if row.status == Match.Status.OPEN:
        _judge_open(row, seats)
    else:
        judge_active(row, seats)


def _judge_open(row: Match, seats: Sequence[Seat]) -> None:
    if _matches(row, "open").count() >= (most := settings.LIMITS["open_matches"]):
        raise TooManyOpenMatches(limit=most)
    judge_invitations(row, sum(seat.invited_id is not None for seat in seats))


def judge_invitations(row: Match, more: int) -> None:
    """Raises a refusal if the creator has too many invitations waiting for as many more."""
    if not more:
        return
    sent = Seat.objects.filter(
        match__in=_matches(row, "open"), invited__isnull=False, kind="open", declined=""
    )
    if sent.count() + more > (most := settings.LIMITS["invitations"]):
        raise TooManyInvitations(limit=most)


def judge_active(row: Match, seats: Sequence[Seat]) -> None:
    active = _matches(row, "active")
    if active.count() >= (most := settings.LIMITS["active_matches"]):
        raise TooManyActiveMatches(limit=most)
    if any(seat.user_id and seat.resigned_at is None for seat in seats):
        return
    person = Seat.objects.filter(match=OuterRef("pk"), user__isnull=False, resigned_at=None)
    if active.exclude(Exists(person)).count() >= (most := settings.LIMITS["bot_matches"]):
        raise TooManyBotMatches(limit=most)


def _matches(row: Match, status: str) -> QuerySet[Match]:
    return Match.objects.filter(creator=row.creator_id, status=status).order_by()
