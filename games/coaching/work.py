"""Judging in short turns, so that one long match holds nobody up.

A worker takes the analysis that was served longest ago, judges for a moment and writes what it
found with how far it came. Verdicts depend on the record alone: an analysis whose worker was lost
is taken again, and a late first answer does no harm.
"""

from datetime import timedelta
from time import monotonic
from typing import Final

import msgspec
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from accounts.social.announcements import announce_friends
from cardroom.arena import compiled_code
from config.tasks import rows
from config.tasks.duties import Duty
from games.absent import of_installed_games
from games.coaching import selectors
from games.coaching.judging.decisions import Played, judge_of, played
from games.coaching.judging.summary import summaries
from games.coaching.judging.verdicts import Verdict, judge
from games.coaching.judging.weighing import CLOSER, ONCE, PLAYOUTS, VERSION
from games.coaching.models import Analysis
from games.matches.records import records
from games.matches.refusals import ParentStillRunning
from games.matches.selectors.access import get_match

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
    return Analysis.objects.filter(waiting, version=VERSION)


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
    bot = judge_of(match.rules)
    if bot is None:
        raise ValueError(f"nobody judges {match.game}")
    plain, bot = bot, compiled_code.quick(match.rules, bot)
    closer = ONCE if bot is plain else CLOSER  # a plain search is a hundred times slower
    match_played = played(record, bot.remembers)
    verdicts, reached = selectors.verdicts_of(row), row.reached
    for decision in match_played.decisions[reached:]:
        verdict = judge(match.rules, bot, decision, PLAYOUTS, closer)
        reached += 1
        if verdict is not None:
            verdicts.append(verdict)
        if monotonic() > until:
            break
    _write(row, match_played, verdicts, reached)


def _write(row: Analysis, match_played: Played, verdicts: list[Verdict], reached: int) -> None:
    """Only where no other worker wrote since this one began."""
    values = {
        "verdicts": msgspec.json.encode(verdicts),
        "reached": reached,
        "decisions": len(match_played.decisions),
        "given_at": None,
    }
    if reached == len(match_played.decisions):
        summary = msgspec.json.encode(summaries(match_played, verdicts))
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
WHERE a.status = 'running' AND a.version = {VERSION} AND m.game = ANY(%(games)s)
    AND (a.given_at IS NULL OR a.given_at < %(now)s - interval '60 seconds')""",  # noqa: S608
    width=4,
)
