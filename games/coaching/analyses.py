"""Analyses and hints: asking for one, working it off, reading it; the refusals of the coach."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import monotonic, sleep
from typing import Final
from uuid import UUID

import msgspec
import redis
from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from accounts.locking import counted_with, locked_accounts
from accounts.models import User
from accounts.social.services import announce_friends
from cardroom.arena import compiled_code
from cardroom.rules.text import say
from cardroom.rules.values import Move, Seat
from config.refusals import NotFound, Refusal
from config.tasks import after_commit, duties, rows
from config.tasks.duties import Duty
from config.tasks.queues import SLOW
from games.absent import check_installed, of_installed_games
from games.coaching import judging
from games.coaching.judging import PLAYOUTS, Advice, AdvisedMove, Decision, advise, judge_of
from games.coaching.models import Analysis, Hint
from games.matches import records
from games.matches.announcements import announce
from games.matches.models import Match
from games.matches.refusals import (
    MatchNotActive,
    MatchNotOver,
    NotYourSeat,
    NotYourTurn,
    ParentStillRunning,
)
from games.matches.selectors.access import Caller, find_match, get_match
from games.matches.selectors.history import visible
from games.matches.selectors.log import events_remembered
from games.matches.selectors.secrecy import may_tell_all
from games.matches.snapshot import MatchSnapshot

# Reads of analyses.

_verdicts = msgspec.json.Decoder(list[judging.Verdict])
_summary = msgspec.json.Decoder(list[judging.SeatSummary])


def find_analysis(match_id: UUID) -> Analysis | None:
    """The analysis by the coach of today."""
    return Analysis.objects.filter(match_id=match_id, version=judging.VERSION).first()


def running_of(owners: Collection[UUID]) -> QuerySet[Analysis]:
    return Analysis.objects.filter(requester__in=owners, status="running")


def finished_since(requesters: Collection[UUID], moment: datetime) -> QuerySet[Analysis]:
    """The oldest first."""
    finished = Analysis.objects.filter(requester__in=requesters, finished_at__gt=moment)
    return finished.defer("verdicts", "summary").order_by("finished_at")


def verdicts_of(row: Analysis) -> list[judging.Verdict]:
    return _verdicts.decode(bytes(row.verdicts))


def summary_of(row: Analysis) -> list[judging.SeatSummary]:
    """Empty until it is finished."""
    return [] if row.summary is None else _summary.decode(bytes(row.summary))


# Judging in short turns, so that one long match holds nobody up.
#
# A worker takes the analysis that was served longest ago, judges for a moment and writes what it
# found with how far it came. Verdicts depend on the record alone: an analysis whose worker was
# lost is taken again, and a late first answer does no harm.

SECONDS_A_TURN: Final = 1.0
LOST_AFTER: Final = timedelta(seconds=60)
NAME: Final = "analyses"


def judge_for_a_while() -> None:
    """One turn of one analysis. One that fails three times is set aside."""
    row = _taken()
    if row is None:
        return
    begun, name = monotonic(), str(row.id)
    until = rows.until(SECONDS_A_TURN)
    done, _ = rows.attempt(NAME, name, lambda: _judge_unless_secret(row, until), gives_up=True)
    spent = Analysis.objects.filter(id=row.id)
    if not done and rows.troubles(NAME)[name].is_set_aside:
        spent.filter(status="running").update(status="failed")
    spent.update(seconds=F("seconds") + monotonic() - begun)
    rows.more()


def _judge_unless_secret(row: Analysis, until: float) -> None:
    try:
        _judge(row, until)
    except ParentStillRunning:  # a match was loaded from it meanwhile
        row.delete()


def _waiting() -> QuerySet[Analysis]:
    lost = Q(given_at__lt=timezone.now() - LOST_AFTER)  # also one that failed a moment ago
    waiting = Q(of_installed_games("match__"), Q(given_at=None) | lost, status="running")
    return Analysis.objects.filter(waiting, version=judging.VERSION)


def _taken() -> Analysis | None:
    """The analysis that had the fewest seconds so far, of those that no worker has."""
    with transaction.atomic():
        waiting = _waiting().order_by("seconds", "id")
        row = waiting.select_for_update(of=("self",), skip_locked=True).first()
        if row is not None:
            Analysis.objects.filter(id=row.id).update(given_at=timezone.now())
        return row


def _judge(row: Analysis, until: float) -> None:
    """Judges from where the last turn stopped, at least one decision."""
    match = get_match(row.match_id)
    record = records.of(match, row.requester_id)
    bot = judging.judge_of(match.rules)
    if bot is None:
        raise ValueError(f"nobody judges {match.game}")
    plain, bot = bot, compiled_code.quick(match.rules, bot)
    closer = (
        judging.ONCE if bot is plain else judging.CLOSER
    )  # a plain search is a hundred times slower
    match_played = judging.played(record, bot.remembers)
    verdicts, reached = verdicts_of(row), row.reached
    for decision in match_played.decisions[reached:]:
        verdict = judging.judge(match.rules, bot, decision, judging.PLAYOUTS, closer)
        reached += 1
        if verdict is not None:
            verdicts.append(verdict)
        if monotonic() > until:
            break
    _write(row, match_played, verdicts, reached)


def _write(
    row: Analysis, match_played: judging.Played, verdicts: list[judging.Verdict], reached: int
) -> None:
    """Only where no other worker wrote since this one began."""
    values = {
        "verdicts": msgspec.json.encode(verdicts),
        "reached": reached,
        "decisions": len(match_played.decisions),
        "given_at": None,
    }
    if reached == len(match_played.decisions):
        summary = msgspec.json.encode(judging.summaries(match_played, verdicts))
        values |= {"summary": summary, "status": "finished", "finished_at": timezone.now()}
    with transaction.atomic():
        same = Analysis.objects.filter(id=row.id, status="running", reached=row.reached)
        if same.update(**values) and "summary" in values and row.requester_id:
            announce_friends(row.requester_id)


ANALYSES: Final = Duty(
    name=NAME,
    kind="long",
    piece=judge_for_a_while,
    due=f"""
SELECT NULL::timestamptz, a.id::text
FROM coaching_analysis a JOIN games_match m ON m.id = a.match_id
WHERE a.status = 'running' AND a.version = {judging.VERSION} AND m.game = ANY(%(games)s)
    AND (a.given_at IS NULL OR a.given_at < %(now)s - interval '60 seconds')""",  # noqa: S608
    width=4,
)

# Why an analysis was refused.


class NoSuchAnalysis(NotFound):
    """This match was not analysed. Ask for it first."""


class NothingToJudge(Refusal, status=409):
    """There is no decision in this match that the coach could judge."""


class TooManyAnalyses(Refusal, status=409, members={"limit": int}):
    """You have as many analyses running as one account may have. Wait until one is finished."""


class NotYourAnalysis(Refusal, status=409):
    """Somebody else asked for this analysis, or it is finished. It cannot be stopped by you."""


class CannotBeCoached(Refusal, status=409):
    """Only a running match that is not rated and in which you alone play computers has a coach."""


class NotCoached(Refusal, status=409):
    """The coach is not switched on in this match."""


class LooksLikeABlunder(Refusal, status=409):
    """The coach warns of this move. Press it again to play it all the same."""


def analyse(*, match: MatchSnapshot, user: User) -> Analysis:
    """The analysis of a match, begun now if nobody asked for it before.

    Raises MatchNotOver, ParentStillRunning, NothingToJudge, TooManyAnalyses.
    """
    check_may_read(match, user.pk)
    if match.state_json is None or judging.judge_of(match.rules) is None:
        raise NothingToJudge
    there = find_analysis(match.id)
    return there if there is not None and there.status != "failed" else _begun(match, user)


def check_may_read(match: MatchSnapshot, reader: UUID | None) -> None:
    """An analysis tells of every hand: its reader may know them all (FORMAT.md §2).

    Raises MatchNotOver, ParentStillRunning.
    """
    if not match.is_over:
        raise MatchNotOver(say("A match is analysed when it is over."))
    if not may_tell_all(match, reader):
        raise ParentStillRunning(
            say("Another match still uses these cards. The analysis is there when that is over.")
        )


def _begun(match: MatchSnapshot, user: User) -> Analysis:
    with locked_accounts(user.pk):
        owners = counted_with(user.pk)
        most = owners.most(settings.LIMITS["analyses"])
        if running_of(owners.ids).count() >= most:
            raise TooManyAnalyses(limit=most)
        Analysis.objects.filter(match_id=match.id, version__lt=judging.VERSION).delete()
        row, _ = Analysis.objects.get_or_create(
            match_id=match.id, version=judging.VERSION, defaults={"requester": user}
        )
        Analysis.objects.filter(id=row.id, status="failed").update(status="running", given_at=None)
        rows.forget("analyses", [str(row.id)])
        after_commit.when_committed(lambda: duties.announce("analyses"))
    row.refresh_from_db()
    return row


def stop(*, match: MatchSnapshot, user: User) -> None:
    """Throws a running analysis away; only who asked for it may. Raises NotYourAnalysis."""
    own = Analysis.objects.filter(match_id=match.id, requester=user, status="running")
    if not own.delete()[0]:
        raise NotYourAnalysis


# The announcement of hints that wait for a worker.

ADVISE = "games.coaching.tasks.advise"


@dataclass(frozen=True)
class HintWaiting:
    """A person at a table waits for a hint."""

    hint_id: int

    def send(self, _broker: "redis.Redis") -> None:
        current_app.send_task(ADVISE, (self.hint_id,), queue=SLOW, retry=False)


def announce_hint(hint_id: int) -> None:
    after_commit.announce(HintWaiting(hint_id))


# Hints weighed by a worker, read by the seat that asked.

SECONDS_BETWEEN_LOOKS: Final = 0.03
KEPT: Final = timedelta(days=1)
LATE: Final = timedelta(seconds=20)  # then nobody waits for a worker any more

_advice = msgspec.json.Decoder(Advice)


def weigh_hint(hint_id: int) -> None:
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


def forget_old_hints() -> None:
    """Nobody needs a hint of yesterday."""
    Hint.objects.filter(created_at__lt=timezone.now() - KEPT).delete()


def wait_for_hint(row: Hint, seconds: float) -> Advice | None:
    """The advice as soon as it is there; ``None`` if that takes longer."""
    until = monotonic() + seconds
    while row.advice is None and monotonic() < until:
        sleep(SECONDS_BETWEEN_LOOKS)
        row.refresh_from_db(fields=["advice"])
    return advice_of(row)


def advice_of(row: Hint) -> Advice | None:
    return None if row.advice is None else _advice.decode(bytes(row.advice))


def shown_hint(match: MatchSnapshot, seat: Seat | None) -> Hint | None:
    """The hint that the seat asked to see at this version; without advice a worker is at it."""
    if not match.coached or seat is None:
        return None
    shown_here = Hint.objects.filter(
        match_id=match.id, version=match.version, seat=seat, is_shown=True
    )
    row = shown_here.first()
    is_late = row is not None and row.created_at < timezone.now() - LATE and row.advice is None
    return None if is_late else row


def blunder_of_hint(
    row: Hint, match: MatchSnapshot, move: Move, seconds: float
) -> AdvisedMove | None:
    """The coach's verdict if this move is a blunder, as far as it knows in time."""
    advice = wait_for_hint(row, seconds)
    advised = advice.of(match.rules, move) if advice else None
    return advised if advised is not None and advised.grade == "blunder" else None


FORGOTTEN: Final = Duty(name="old hints", piece=forget_old_hints, every=3600)

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


def switch_coach_on(*, match_id: UUID, user: User) -> MatchSnapshot:
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
