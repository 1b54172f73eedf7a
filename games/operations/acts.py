"""The acts of operators on a match, by name: for the page of a match and for bulk runs.

An act names the permission, foresees what will happen and what it needs; a service does it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import structlog
from django.db import Error, transaction
from django.utils import timezone

from accounts.audit import log
from accounts.audit.log import Actor
from accounts.models import User
from config.refusals import NotAllowed, Refusal
from config.tasks import after_commit, duties, rows
from config.tasks.duties import Duty
from games.matches.commit import extended
from games.matches.selectors.secrecy import is_sealed
from games.matches.snapshot import MatchSnapshot
from games.operations import refereeing, undoing
from games.operations.models import BulkResult, BulkRun
from games.operations.refereeing import (
    FAULTS,
    bots_not_installed,
    check_match,
    seats_for_a_bot,
    seats_to_give_back,
)
from games.ratings import rating
from games.ratings.models import PersonRating, RatedMatch
from games.ratings.people import standing_of

Values = Mapping[str, Any]
Foresee = Callable[[MatchSnapshot], Iterator[str]]
Applies = Callable[[MatchSnapshot], object]
Losses = Callable[[MatchSnapshot, Values], list[str]]
NewDeadline = Callable[[datetime | None, Values, datetime], datetime | None]


@dataclass(frozen=True)
class Act:
    """``needs`` names the form fields beside the reason; ``bulk``: also for many at a time.

    ``new_deadline`` gives the deadline that the act leads to; it is shown for each match before
    anything happens. ``losses`` says what goes; it is shown, and the operator is asked once more.
    ``applies``: whether the match is such that it can be done; else it is not offered. ``instead``
    names acts that help where this one does not.
    """

    slug: str
    title: str
    icon: str
    permission: str
    run: Callable[..., str]
    foresee: Foresee
    applies: Applies
    needs: tuple[str, ...] = ()
    bulk: bool = False
    is_grave: bool = False
    new_deadline: NewDeadline | None = None
    losses: Losses | None = None
    instead: tuple[str, ...] = ()

    @property
    def changes_deadlines(self) -> bool:
        return self.new_deadline is not None

    def apply(self, match_id: UUID, by: Actor, values: Values) -> str:
        """Raises ``Refusal``; of a match in which the actor plays ``OwnMatter``."""
        check_match(match_id, by)
        return self.run(match_id=match_id, by=by, **{name: values[name] for name in self.needs})


def _notice_line(match: MatchSnapshot) -> str:
    people = sum(seat.user_id is not None for seat in match.seats)
    return f"A notice at the table tells {people} {'person' if people == 1 else 'people'}."


def _play_turn(match: MatchSnapshot) -> Iterator[str]:
    if gone := bots_not_installed(match):
        yield f"Nothing: not installed here: {', '.join(gone.values())}."
        return
    bots = [match.names[s] for s in match.to_act if s not in match.people_to_act]
    yield f"The bots to act move now: {', '.join(bots) or 'none is to act'}."
    yield _notice_line(match)


def _hand(match: MatchSnapshot) -> Iterator[str]:
    if gone := bots_not_installed(match):
        yield f"Not installed here: {', '.join(gone.values())}. Another computer takes the seat."
    yield "A bot plays the seat from now on, also if its person is about to move."
    yield "The person sees the table and cannot move until you give the seat back."
    yield "The match is not rated any more." if match.rated else "The match is not rated."
    yield _notice_line(match)


def _give(match: MatchSnapshot) -> Iterator[str]:
    yield "The person moves again; the time for a move begins now."
    yield _notice_line(match)


def _abort(match: MatchSnapshot) -> Iterator[str]:
    yield f"The match ends at version {match.version}; nobody wins and no rating changes."
    yield "Its record can be read by its players, with the seed and every card."
    yield _notice_line(match)


def _adjudicate(match: MatchSnapshot) -> Iterator[str]:
    yield "The other sides resign, those with the fewest points first; the match is over."
    yield "Ratings change as after any resignation." if match.rated else "It is not rated."
    yield _notice_line(match)


def _roll_back(match: MatchSnapshot) -> Iterator[str]:
    yield f"All since the opening of the round is undone; the match is at version {match.version}."
    yield "You see what goes, and are asked once more."
    yield "Nothing is deleted: the moves stay in the log and in the record."
    yield "What nobody could know at the opening is dealt again with the next shuffles."
    yield "The match is not rated any more." if match.rated else "The match is not rated."
    yield _notice_line(match)


def _extend(match: MatchSnapshot) -> Iterator[str]:
    yield f"The minutes are added to what those to act have left: {_names(match)}."
    yield "Nobody is given less time than now. A deadline that has passed counts from now on."
    yield "The next move has the match's own limit again."
    yield _notice_line(match)


def _set(match: MatchSnapshot) -> Iterator[str]:
    yield f"Those to act have until then, where there is no deadline: {_names(match)}."
    yield "The next move has the match's own limit again, or none."
    yield _notice_line(match)


def _clear(match: MatchSnapshot) -> Iterator[str]:
    yield f"This move has no limit: {_names(match)}."
    yield "The next move has the match's own limit again."
    yield _notice_line(match)


def _close(match: MatchSnapshot) -> Iterator[str]:
    yield "Who does not sit in the match does not see it any more, here and in the API."
    yield _notice_line(match)


def _verify(match: MatchSnapshot) -> Iterator[str]:
    yield f"{match.version} plies are played again and compared with what is stored."
    yield "Nothing is changed, and nobody is told."


def _annul(match: MatchSnapshot) -> Iterator[str]:
    if match.status != "finished" or not match.rated:
        yield "It is not finished and rated: nothing would change."
        return
    yield "What the match made of the ratings is taken back exactly, and all that followed from it."
    yield "It stays in the results. A moment later ratings and leaderboards show it."
    yield _notice_line(match)


def _message(match: MatchSnapshot) -> Iterator[str]:
    yield _notice_line(match)


def _is_played(match: MatchSnapshot) -> bool:
    return match.status == "active" and match.is_playable


def _awaits_people(match: MatchSnapshot) -> bool:
    return _is_played(match) and bool(match.people_to_act)


def _names(match: MatchSnapshot) -> str:
    return ", ".join(match.names[seat] for seat in match.people_to_act) or "nobody"


def _extended(was: datetime | None, values: Values, now: datetime) -> datetime | None:
    return was and extended(was, timedelta(minutes=values["minutes"]), now)


def _given(was: datetime | None, values: Values, now: datetime) -> datetime | None:
    return was or now + timedelta(minutes=values["minutes"])


ACTS: Final = {
    act.slug: act
    for act in (
        Act(
            "pay-bot-turn",
            "Play the bot's turn now",
            "smart_toy",
            "games.repair_match",
            refereeing.play_bot_turn,
            _play_turn,
            lambda match: _is_played(match) and match.awaits_bot and not bots_not_installed(match),
            bulk=True,
            instead=("hand-to-bot", "roll-back", "adjudicate", "abort"),
        ),
        Act(
            "hand-to-bot",
            "Hand a seat to a bot",
            "switch_account",
            "games.repair_match",
            refereeing.hand_to_bot,
            _hand,
            seats_for_a_bot,
            needs=("seat", "bot"),
        ),
        Act(
            "give-back",
            "Give a seat back",
            "undo",
            "games.repair_match",
            refereeing.give_back,
            _give,
            seats_to_give_back,
            needs=("seat",),
        ),
        Act(
            "change-deadline",
            "Extend the deadline",
            "more_time",
            "games.repair_match",
            refereeing.extend_deadline,
            _extend,
            lambda match: _awaits_people(match) and match.deadline_at is not None,
            needs=("minutes",),
            bulk=True,
            new_deadline=_extended,
        ),
        Act(
            "set-deadline",
            "Set a deadline",
            "timer",
            "games.repair_match",
            refereeing.set_deadline,
            _set,
            lambda match: _awaits_people(match) and match.deadline_at is None,
            needs=("minutes",),
            bulk=True,
            new_deadline=_given,
        ),
        Act(
            "clear-deadline",
            "Clear the deadline",
            "timer_off",
            "games.repair_match",
            refereeing.clear_deadline,
            _clear,
            lambda match: _awaits_people(match) and match.deadline_at is not None,
            bulk=True,
            new_deadline=lambda _was, _values, _now: None,
        ),
        Act(
            "message",
            "Write to the players",
            "campaign",
            "games.close_match",
            refereeing.send_notice,
            _message,
            lambda match: any(seat.user_id for seat in match.seats),
            needs=("text",),
            bulk=True,
        ),
        Act(
            "close",
            "Close to spectators",
            "visibility_off",
            "games.close_match",
            undoing.close_to_spectators,
            _close,
            lambda match: match.visibility != "private" and match.status != "open",
            bulk=True,
        ),
        Act(
            "verify",
            "Verify by replay",
            "verified",
            "games.audit_match",
            refereeing.verify,
            _verify,
            lambda match: match.state_json is not None and match.is_playable,
            bulk=True,
        ),
        Act(
            "annul-rating",
            "Take the match out of the ratings",
            "money_off",
            "games.adjudicate_match",
            undoing.annul_rating,
            _annul,
            lambda match: match.status == "finished" and match.rated,
            bulk=True,
        ),
        Act(
            "roll-back",
            "Roll back to a round",
            "history",
            "games.roll_back_match",
            refereeing.roll_back,
            _roll_back,
            lambda match: _is_played(match) and not is_sealed(match),
            needs=("round",),
            is_grave=True,
            losses=lambda match, values: refereeing.what_goes(match, values["round"]),
        ),
        Act(
            "adjudicate",
            "Decide the match",
            "gavel",
            "games.adjudicate_match",
            undoing.adjudicate,
            _adjudicate,
            refereeing.seats_that_may_win,
            needs=("winner",),
            is_grave=True,
        ),
        Act(
            "abort",
            "Call the match off",
            "cancel",
            "games.abort_match",
            undoing.abort,
            _abort,
            lambda match: not match.is_over,
            bulk=True,
            is_grave=True,
        ),
    )
}

# Acts on many matches: a draft is confirmed with a reason, then a duty works it off.
#
# A match that refuses does not stop the others; each has its result. The row says what is left,
# so a lost task or a killed worker costs time only.

MOST_MATCHES: Final = 1000
BULK_RUNS_NAME: Final = "bulk runs"

logger = structlog.get_logger(__name__)


class TooManyMatches(Refusal, status=422):
    """One run takes at most 1000 matches."""


def draft(*, act: str, match_ids: Sequence[UUID], user: User) -> BulkRun:
    """Drafts a run; nothing happens before ``confirm``."""
    if len(match_ids) > MOST_MATCHES:
        raise TooManyMatches
    with transaction.atomic():
        run = BulkRun.objects.create(act=act, match_ids=list(match_ids), actor=user)
        log.write(user, "draft_bulk_run", "bulk_run", run.pk, str(run))
    return run


def confirm(*, run_id: UUID, user: User, reason: str, values: Mapping[str, Any]) -> None:
    """Starts a draft of one's own; raises ``ReasonMissing``."""
    by = Actor.of(user, reason)
    with transaction.atomic():
        run = BulkRun.objects.select_for_update().filter(id=run_id, actor=user).first()
        if run is None or run.confirmed_at is not None:
            raise NotAllowed("This run was started already, or another operator drafted it.")
        run.confirmed_at = run.worked_at = timezone.now()
        run.reason, run.values = reason.strip(), dict(values)
        run.save(update_fields=["confirmed_at", "worked_at", "reason", "values"])
        log.record(by, "start_bulk_run", "bulk_run", run.pk, str(run), matches=len(run.match_ids))
        after_commit.when_committed(lambda: duties.announce(BULK_RUNS_NAME))


def work_off(run_id: UUID) -> None:
    """Acts on the rest of a run while the budget lasts."""
    while _next(run_id):
        if rows.is_over():
            rows.more()
            return


def work_off_all() -> None:
    unfinished = BulkRun.objects.filter(confirmed_at__isnull=False, finished_at=None)
    ids = list(unfinished.order_by("worked_at").values_list("id", flat=True)[:20])
    rows.each(BULK_RUNS_NAME, ids, work_off, gives_up=True)


def changes_of_annulling(match_ids: Sequence[UUID]) -> list[tuple[str, str, int, int | None]]:
    """The ratings that change where these matches do not count: tried out and taken back.

    Each with its person and board, as it is and as it would be; none: no rating is left.
    """
    with transaction.atomic():
        boards = list(
            RatedMatch.objects.filter(match__in=match_ids).values_list("board", flat=True)
        )
        before = _ratings_of(boards)
        rating.annul(match_ids)
        rating.settle_annulled()
        after = _ratings_of(boards)
        transaction.set_rollback(True)
    changed = ((*key, before[key], after.get(key)) for key in sorted(before))
    return [one for one in changed if one[2] != one[3]]


def _ratings_of(boards: Sequence[str]) -> dict[tuple[str, str], int]:
    rows = PersonRating.objects.filter(board__in=boards).select_related("account")
    return {
        (row.account.username, row.board): round(standing_of(row, row.at).rating) for row in rows
    }


def _next(run_id: UUID) -> bool:
    """Acts on one match; whether one was left. Two tasks of a run take turns by its row."""
    with transaction.atomic():
        run = BulkRun.objects.select_for_update().get(id=run_id)
        if run.confirmed_at is None or run.is_over:
            return False
        if run.done < len(run.match_ids):
            _act(run, run.match_ids[run.done])
            run.done += 1
        run.worked_at = timezone.now()
        if run.done == len(run.match_ids):
            run.finished_at = run.worked_at
        run.save(update_fields=["done", "worked_at", "finished_at"])
        return not run.is_over


def _act(run: BulkRun, match_id: UUID) -> None:
    succeeded, sentence = _outcome(run, match_id)
    BulkResult.objects.update_or_create(
        run=run, match_id=match_id, defaults={"succeeded": succeeded, "said": sentence[:500]}
    )


def _outcome(run: BulkRun, match_id: UUID) -> tuple[bool, str]:
    """Acts if the operator still may: rights may have been taken meanwhile."""
    act = ACTS[run.act]
    if run.actor is None or not run.actor.is_active or not run.actor.has_perm(act.permission):
        return False, "The operator may not do this any more."
    try:
        with transaction.atomic():
            sentence = act.apply(match_id, Actor.of(run.actor, run.reason), run.values)
            return not sentence.startswith(FAULTS), sentence
    except Refusal as refused:
        return False, str(refused)
    except Error:
        raise
    except Exception:
        logger.exception("bulk_act_failed", run=str(run.id), match=str(match_id))
        return False, "It failed; the log of the worker says why."


BULK_RUNS: Final = Duty(
    name=BULK_RUNS_NAME,
    piece=work_off_all,
    due="""
SELECT NULL::timestamptz, id::text FROM operations_bulkrun
WHERE confirmed_at IS NOT NULL AND finished_at IS NULL""",
)
