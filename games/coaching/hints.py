"""Hints weighed by a worker, read by the seat that asked."""

from datetime import timedelta
from time import monotonic, sleep
from typing import Final
from uuid import UUID

import msgspec
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from cardroom.arena import compiled_code
from cardroom.rules.values import Move, Seat
from config.tasks import after_commit
from config.tasks.duties import Duty
from games.absent import check_installed
from games.coaching.analyses import CannotBeCoached, NotCoached, NothingToJudge, announce_hint
from games.coaching.judging import PLAYOUTS, Advice, AdvisedMove, Decision, advise, judge_of
from games.coaching.models import Hint
from games.matches.announcements import announce
from games.matches.models import Match
from games.matches.refusals import MatchNotActive, NotYourSeat, NotYourTurn
from games.matches.selectors.access import Caller, find_match, get_match
from games.matches.selectors.history import visible
from games.matches.selectors.log import events_remembered
from games.matches.snapshot import MatchSnapshot

SECONDS_BETWEEN_LOOKS: Final = 0.03
KEPT: Final = timedelta(days=1)
LATE: Final = timedelta(seconds=20)  # then nobody waits for a worker any more

_advice = msgspec.json.Decoder(Advice)


def weigh(hint_id: int) -> None:
    """Weighs what is still asked for; a match that went on needs it no more."""
    row = Hint.objects.filter(id=hint_id, advice=None).first()
    if row is None:
        return
    match = get_match(row.match_id)
    if match.version != row.version or match.status != "active":
        return
    advice = advice_for(match, row.seat)
    Hint.objects.filter(id=row.id).update(advice=msgspec.json.encode(advice))


def advice_for(match: MatchSnapshot, seat: Seat) -> Advice:
    """From the view of the seat and the events as it saw them; from nothing else."""
    game = match.rules
    bot = judge_of(game)
    if bot is None:
        return Advice(())
    events = game.recent_events(events_remembered(match, seat, bot.remembers), bot.remembers)
    view = game.view(match.state, seat)
    decision = Decision(match.version, match.round, seat, view, events, move="")
    return advise(game, compiled_code.quick(game, bot), decision, PLAYOUTS)


def forget_old() -> None:
    """Nobody needs a hint of yesterday."""
    Hint.objects.filter(created_at__lt=timezone.now() - KEPT).delete()


def wait_for(row: Hint, seconds: float) -> Advice | None:
    """The advice as soon as it is there; ``None`` if that takes longer."""
    until = monotonic() + seconds
    while row.advice is None and monotonic() < until:
        sleep(SECONDS_BETWEEN_LOOKS)
        row.refresh_from_db(fields=["advice"])
    return advice_of(row)


def advice_of(row: Hint) -> Advice | None:
    return None if row.advice is None else _advice.decode(bytes(row.advice))


def shown(match: MatchSnapshot, seat: Seat | None) -> Hint | None:
    """The hint that the seat asked to see at this version; without advice a worker is at it."""
    if not match.coached or seat is None:
        return None
    shown_here = Hint.objects.filter(
        match_id=match.id, version=match.version, seat=seat, is_shown=True
    )
    row = shown_here.first()
    is_late = row is not None and row.created_at < timezone.now() - LATE and row.advice is None
    return None if is_late else row


def blunder(row: Hint, match: MatchSnapshot, move: Move, seconds: float) -> AdvisedMove | None:
    """The coach's verdict if this move is a blunder, as far as it knows in time."""
    advice = wait_for(row, seconds)
    advised = advice.of(match.rules, move) if advice else None
    return advised if advised is not None and advised.grade == "blunder" else None


FORGOTTEN: Final = Duty(name="old hints", piece=forget_old, every=3600)

# The coach at the table: switched on by a person who alone plays computers, asked for hints.
#
# A match with a coach is coached for good, and was never rated. Nobody is told what a hint says
# but the seat that asked, and nothing of it follows from cards that the seat does not see.

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


def ask_for_hint(*, match_id: UUID, user: User, shown: bool = True) -> Hint:
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
