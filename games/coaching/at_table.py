"""The coach at the table: switched on by a person who alone plays computers, asked for hints.

A match with a coach is coached for good, and was never rated. Nobody is told what a hint says but
the seat that asked, and nothing of it follows from cards that the seat does not see.
"""

from datetime import timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from cardroom.rules.values import Seat
from config.tasks import after_commit
from games.absent import check_installed
from games.coaching.announcements import announce_hint
from games.coaching.judging.decisions import judge_of
from games.coaching.models import Hint
from games.coaching.refusals import CannotBeCoached, NotCoached, NothingToJudge
from games.matches.announcements import announce
from games.matches.models import Match
from games.matches.refusals import MatchNotActive, NotYourSeat, NotYourTurn
from games.matches.selectors.access import Caller, find_match, get_match
from games.matches.selectors.callers import visible
from games.matches.snapshot import MatchSnapshot

AGAIN_AFTER: Final = timedelta(seconds=5)  # the task was lost


def may_be_coached(match: MatchSnapshot, user: UUID | None) -> bool:
    """Whether this person alone plays computers, unrated, and somebody can judge their moves."""
    people = [seat for seat in match.seats if seat.kind != "bot"]
    is_alone = len(people) == 1 and user is not None and people[0].user_id == user
    fits = match.status == "active" and not match.rated and match.deal_id is None
    return is_alone and fits and judge_of(match.rules) is not None


def switch_on(*, match_id: UUID, user: User) -> MatchSnapshot:
    """From now on hints may be asked for. Raises NotYourSeat, MatchNotActive, CannotBeCoached."""
    match = _own_match(match_id, user)
    if match.coached:
        return match
    if not may_be_coached(match, user.pk):
        raise CannotBeCoached
    with transaction.atomic():
        fitting = Match.objects.filter(id=match.id, status="active", rated=False, deal=None)
        if not fitting.update(coached=True, updated_at=timezone.now()):
            raise CannotBeCoached
        after = get_match(match.id)
        after_commit.when_committed(lambda: announce(after))
    return after


def ask(*, match_id: UUID, user: User, shown: bool = True) -> Hint:
    """The hint for the seat of this person at the present version, begun if it is not there.

    ``shown``: the person wants to see it. Raises NotYourSeat, MatchNotActive, NotCoached,
    NotYourTurn, NothingToJudge.
    """
    match = _own_match(match_id, user)
    seat = _acting_seat(match, user.pk)
    if len(match.rules.legal_moves(match.state, seat)) < 2:
        raise NothingToJudge
    row, is_new = Hint.objects.get_or_create(
        match_id=match.id, version=match.version, seat=seat, defaults={"is_shown": shown}
    )
    if is_new:
        Hint.objects.filter(match_id=match.id, version__lt=match.version).delete()
    elif shown and not row.is_shown:
        Hint.objects.filter(id=row.id).update(is_shown=True)
        row.is_shown = True
    is_lost = row.advice is None and row.created_at < timezone.now() - AGAIN_AFTER
    if is_new or is_lost:
        after_commit.when_committed(lambda: announce_hint(row.pk))
    return row


def _own_match(match_id: UUID, user: User) -> MatchSnapshot:
    """Raises NoSuchMatch, NotYourSeat, MatchNotActive."""
    match, caller = visible(find_match(match_id, Caller(user=user.pk)))
    if not match.seats_of(caller):
        raise NotYourSeat
    if match.status != "active":
        raise MatchNotActive
    check_installed(match.rules)
    return match


def _acting_seat(match: MatchSnapshot, user: UUID) -> Seat:
    if not match.coached:
        raise NotCoached
    seat = match.acting_seat(user)
    if seat is None or seat not in match.to_act or match.bot_in_control(seat):
        raise NotYourTurn
    return seat
