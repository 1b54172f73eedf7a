"""The coach: analyses of finished matches, hints at the table."""

from datetime import datetime
from typing import Final, Literal
from uuid import UUID

import msgspec

from accounts.models import User
from config.api.operations import Api, Nothing, answer
from games.absent import check_installed
from games.api.authentication import visible
from games.api.match_answers import MatchAnswer, match_answer
from games.coaching import analyses
from games.coaching.judging import AdvisedMove, SeatSummary, Verdict
from games.coaching.models import Analysis
from games.matches import refusals as matches

api = Api("playing", "matches/<uuid:match_id>/")


class AnalysisJson(msgspec.Struct, frozen=True):
    """`reached` of `decisions` are judged; the latter is null until a worker has begun.

    Chances are those of the deciding seat to win the match, from 0 to 1, judged from what it could
    know. `seats` and `verdicts` are empty until the analysis is finished.
    """

    match: UUID
    status: Literal["running", "finished", "failed"]
    reached: int
    decisions: int | None
    seats: list[SeatSummary]
    verdicts: list[Verdict]
    created_at: datetime
    finished_at: datetime | None
    links: dict[str, str]


class HintJson(msgspec.Struct, frozen=True):
    """A hint for your seat at this version of the match.

    `moves` from the best to the worst, judged from what your seat knows; empty while it is
    `running`, and where there is nothing to weigh.
    """

    match: UUID
    version: int
    seat: int
    status: Literal["running", "finished"]
    moves: tuple[AdvisedMove, ...]


@api.get(
    "analysis",
    tag="records",
    refuses=[matches.MatchNotOver, matches.ParentStillRunning, analyses.NoSuchAnalysis],
)
def analysis(reader: UUID | None, match_id: UUID) -> AnalysisJson:
    """Read the analysis of a match

    How far it is, and the verdicts when it is finished.

    Then the stream of the account that asked for it says `analysed`.
    """
    match = visible(match_id, reader)
    analyses.check_may_read(match, reader)
    row = analyses.find_analysis(match_id)
    if row is None:
        raise analyses.NoSuchAnalysis
    return analysis_json(row)


@api.post(
    "analysis",
    tag="records",
    body=Nothing,
    refuses=[
        *(matches.MatchNotOver, matches.ParentStillRunning, analyses.NothingToJudge),
        *(analyses.TooManyAnalyses, matches.GameNotInstalled),
    ],
    creates="{0.links[self]}",
    status=202,
)
def analyse(user: User, match_id: UUID) -> AnalysisJson:
    """Ask for the analysis of a match

    Begins it, or answers with the one that is there.
    """
    match = visible(match_id, user.pk)
    check_installed(match.rules)
    return analysis_json(analyses.analyse(match=match, user=user))


@api.delete("analysis", tag="records", refuses=[analyses.NotYourAnalysis])
def stop_analysis(user: User, match_id: UUID) -> None:
    """Stop an analysis

    Throws a running analysis away that the caller asked for.
    """
    analyses.stop(match=visible(match_id, user.pk), user=user)


def analysis_json(row: Analysis) -> AnalysisJson:
    here = f"/matches/{row.match_id}/analysis"
    is_finished = row.status == Analysis.Status.FINISHED
    return answer(
        AnalysisJson,
        row,
        match=row.match_id,
        seats=analyses.summary_of(row),
        verdicts=analyses.verdicts_of(row) if is_finished else [],
        links={"self": f"/api/v1{here}", "page": here},
    )


WAITED: Final = 0.6  # seconds, for a worker


@api.post(
    "coach",
    body=Nothing,
    refuses=[
        *(matches.NotYourSeat, matches.MatchNotActive, analyses.CannotBeCoached),
        matches.GameNotInstalled,
    ],
)
def switch_on_coach(user: User, match_id: UUID) -> MatchAnswer:
    """Switch the coach on

    Hints may be asked for from now on.

    Only where you alone play computers in a match that is not rated. The match is `coached` for
    good: it counts in no results.
    """
    return match_answer(analyses.switch_coach_on(match_id=match_id, user=user), user.pk)


@api.post(
    "hint",
    body=Nothing,
    refuses=[
        *(matches.NotYourSeat, matches.MatchNotActive, analyses.NotCoached, matches.NotYourTurn),
        *(analyses.NothingToJudge, matches.GameNotInstalled),
    ],
)
def ask_hint(user: User, match_id: UUID) -> HintJson:
    """Ask for a hint

    What each of your moves is worth. Ask again while it is `running`.
    """
    row = analyses.ask_for_hint(match_id=match_id, user=user)
    advice = analyses.wait_for_hint(row, WAITED)
    status = "running" if advice is None else "finished"
    moves = advice.moves if advice else ()
    return answer(HintJson, row, match=match_id, status=status, moves=moves)
