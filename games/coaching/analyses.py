"""Analyses: asking for one, working it off, reading it; and the refusals of the coach."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import monotonic
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
from config.refusals import NotFound, Refusal
from config.tasks import after_commit, duties, rows
from config.tasks.duties import Duty
from config.tasks.queues import SLOW
from games.absent import of_installed_games
from games.coaching import judging
from games.coaching.models import Analysis
from games.matches import records
from games.matches.refusals import MatchNotOver, ParentStillRunning
from games.matches.selectors.access import get_match
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
