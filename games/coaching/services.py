"""Asking for an analysis, and stopping one."""

from uuid import UUID

from django.conf import settings

from accounts.models import User
from accounts.services.locking import locked_accounts
from accounts.services.neighbours import counted_with
from cardroom.rules.text import say
from config.tasks import after_commit, duties, rows
from games.coaching import selectors
from games.coaching.judging.decisions import judge_of
from games.coaching.judging.weighing import VERSION
from games.coaching.models import Analysis
from games.coaching.refusals import NothingToJudge, NotYourAnalysis, TooManyAnalyses
from games.matches.refusals import MatchNotOver, ParentStillRunning
from games.matches.selectors.secrecy import may_tell_all
from games.matches.snapshot import MatchSnapshot


def analyse(*, match: MatchSnapshot, user: User) -> Analysis:
    """The analysis of a match, begun now if nobody asked for it before.

    Raises MatchNotOver, ParentStillRunning, NothingToJudge, TooManyAnalyses.
    """
    check_may_read(match, user.pk)
    if match.state_json is None or judge_of(match.rules) is None:
        raise NothingToJudge
    there = selectors.find(match.id)
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
        if selectors.running_of(owners.ids).count() >= most:
            raise TooManyAnalyses(limit=most)
        Analysis.objects.filter(match_id=match.id, version__lt=VERSION).delete()
        row, _ = Analysis.objects.get_or_create(
            match_id=match.id, version=VERSION, defaults={"requester": user}
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
