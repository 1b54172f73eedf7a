"""Every read of a challenge. Only the two whom it concerns learn that there is one."""

from collections.abc import Collection, Iterable
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
from django.db.models import Q, QuerySet
from django.utils import timezone

from games.lobby.challenges.terms import ChallengeParty, ChallengeTerms, Status
from games.lobby.models import Challenge
from games.lobby.refusals import NoSuchChallenge
from games.matches import time_bank
from games.matches.models import Match, Seat

SHOWN_AFTER: Final = timedelta(minutes=10)  # those that were answered
MOST: Final = 100


def challenges_of(account: UUID) -> list[ChallengeTerms]:
    """Those that wait, and those that were made and answered a while ago; the newest first."""
    wait = Q(match__status=Match.Status.OPEN)
    wait |= Q(match__updated_at__gt=timezone.now() - SHOWN_AFTER)
    mine = Q(challenger=account) | Q(challenged=account)
    return _shown(_rows().filter(mine, wait).order_by("-match")[:MOST])


def challenge_of(account: UUID | None, challenge_id: UUID) -> ChallengeTerms:
    """As one of the two sees it; raises NoSuchChallenge for everybody else."""
    mine = Q(challenger=account) | Q(challenged=account)
    rows = _rows().filter(mine, match=challenge_id) if account else Challenge.objects.none()
    for shown in _shown(rows):
        return shown
    raise NoSuchChallenge


def open_challenges(matches: Collection[UUID]) -> dict[UUID, ChallengeTerms]:
    """Those among these matches that are challenges, for their players alone."""
    if not matches:
        return {}
    return {shown.id: shown for shown in _shown(_rows().filter(match__in=matches))}


def is_challenge_of(account: UUID | None, match_id: UUID) -> bool:
    """Whether this match is a challenge that the account made, or received."""
    mine = Q(challenger=account) | Q(challenged=account)
    return account is not None and Challenge.objects.filter(mine, match=match_id).exists()


def _rows() -> QuerySet[Challenge]:
    rows = Challenge.objects.select_related("match", "challenger", "challenged")
    return rows.defer("match__state", "match__seed", "match__loaded").prefetch_related(
        "match__seats"
    )


def _shown(rows: Iterable[Challenge]) -> list[ChallengeTerms]:
    return [_one(row, sorted(row.match.seats.all(), key=lambda seat: seat.index)) for row in rows]


def _one(row: Challenge, seats: list[Seat]) -> ChallengeTerms:
    match, challenged = row.match, _challenged_seat(row, seats)
    visibility: Any = match.visibility
    reason: Any = challenged.declined or None
    return ChallengeTerms(
        id=match.id,
        status=_status(row, challenged),
        challenger=ChallengeParty(row.challenger.username, row.challenger.display_name),
        challenged=_party(row, challenged),
        game=match.game,
        options=msgspec.json.decode(bytes(match.options)),
        seats=len(seats),
        seat=_challenger_seat(row, seats),
        challenged_seat=challenged.index,
        turn_seconds=match.turn_seconds,
        clock=time_bank.terms_of(match.clock),
        rated=match.rated,
        mirrored=match.deal_id is not None,
        visibility=visibility,
        created_at=row.created_at,
        expires_at=match.answer_by,
        reason=reason,
    )


def _party(row: Challenge, seat: Seat) -> ChallengeParty:
    if row.challenged is None:
        return ChallengeParty(None, seat.name)
    return ChallengeParty(row.challenged.username, row.challenged.display_name)


def _challenger_seat(row: Challenge, seats: list[Seat]) -> int:
    own = (seat.index for seat in seats if seat.user_id == row.challenger_id)
    return next(own, 0)


def _challenged_seat(row: Challenge, seats: list[Seat]) -> Seat:
    """The challenged person's, or the first of a computer's."""
    if row.challenged_id is None:
        return next(seat for seat in seats if seat.bot)
    own = (seat for seat in seats if row.challenged_id in (seat.user_id, seat.invited_id))
    return next(own, seats[-1])


def _status(row: Challenge, challenged: Seat) -> Status:
    match = row.match
    if match.started_at is not None:
        return "accepted"
    if challenged.declined:
        return "declined"
    if match.status != Match.Status.OPEN:
        return "expired" if row.lapsed else "withdrawn"
    late = match.answer_by is not None and match.answer_by <= timezone.now()
    return "expired" if late else "waiting"
