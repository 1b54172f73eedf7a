"""How many matches one account may have at a time. Judge and write under the account's lock.

Guests at one address count as one account, and so do all hosts there in the lobby.
"""

from collections.abc import Sequence

from django.conf import settings
from django.db.models import Exists, OuterRef, QuerySet

from accounts.services.neighbours import Together, counted_with, hosts_with
from games.matches.models import Match, Seat
from games.matches.refusals import (
    TooManyActiveMatches,
    TooManyBotMatches,
    TooManyInvitations,
    TooManyLobbyTables,
    TooManyOpenMatches,
)
from games.matches.seating.friends import is_anybodys


def judge(row: Match, seats: Sequence[Seat]) -> None:
    """Raises a refusal if the creator has as many matches like this new one as allowed."""
    if row.status == Match.Status.OPEN:
        _judge_open(row, seats)
        _judge_lobby(row, seats)
    else:
        judge_active(row, seats)


def _judge_open(row: Match, seats: Sequence[Seat]) -> None:
    creators = counted_with(row.creator_id)
    most = creators.most(settings.LIMITS["open_matches"])
    if _matches(creators, "open").count() >= most:
        raise TooManyOpenMatches(limit=most)
    judge_invitations(row, sum(seat.invited_id is not None for seat in seats))


def judge_invitations(row: Match, more: int) -> None:
    """Raises a refusal if the creator has too many invitations waiting for as many more."""
    if not more:
        return
    creators = counted_with(row.creator_id)
    sent = Seat.objects.filter(
        match__in=_matches(creators, "open"), invited__isnull=False, kind="open", declined=""
    )
    if sent.count() + more > (most := creators.most(settings.LIMITS["invitations"])):
        raise TooManyInvitations(limit=most)


def _judge_lobby(row: Match, seats: Sequence[Seat]) -> None:
    """Limits the tables that wait for anybody, so that no host fills the lobby."""
    if row.visibility != Match.Visibility.PUBLIC or not any(map(is_anybodys, seats)):
        return
    free = Seat.objects.filter(
        match=OuterRef("pk"), kind=Seat.Kind.OPEN, invited=None, for_friends=False
    )
    waiting = _matches(Together(hosts_with(row.creator_id)), "open")
    waiting = waiting.filter(Exists(free), visibility=Match.Visibility.PUBLIC)
    if waiting.count() >= (most := settings.LIMITS["lobby_tables"]):
        raise TooManyLobbyTables(limit=most)


def judge_active(row: Match, seats: Sequence[Seat]) -> None:
    """Raises a refusal if the creator has as many running matches as allowed."""
    creators = counted_with(row.creator_id)
    active = _matches(creators, "active")
    if active.count() >= (most := creators.most(settings.LIMITS["active_matches"])):
        raise TooManyActiveMatches(limit=most)
    if any(seat.user_id and seat.resigned_at is None for seat in seats):
        return
    person = Seat.objects.filter(match=OuterRef("pk"), user__isnull=False, resigned_at=None)
    alone = active.exclude(Exists(person))
    if alone.count() >= (most := creators.most(settings.LIMITS["bot_matches"])):
        raise TooManyBotMatches(limit=most)


def _matches(creators: Together, status: str) -> QuerySet[Match]:
    return Match.objects.filter(creator__in=creators.ids, status=status).order_by()
