"""Looking through matches in short turns, as the coach judges them: no turn holds anybody up.

What is found depends on the record alone. A match whose worker was lost is taken again; what was
stored of it is there once.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from datetime import timedelta
from time import monotonic
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from accounts.models import User
from cardroom.rules.values import Seat
from config.refusals import Refusal
from config.tasks import rows
from config.tasks.duties import Duty
from games.absent import of_installed_games
from games.coaching import selectors as coach
from games.coaching.judging.decisions import Decision, played
from games.coaching.judging.verdicts import Verdict
from games.exercises import repetition
from games.exercises.collecting.storing import store
from games.exercises.models import Exercise, Scan
from games.exercises.searching.finding import Finder, finder
from games.exercises.secrecy import is_for_all
from games.matches.records import records
from games.matches.selectors.access import get_match
from games.matches.snapshot import MatchSnapshot

SECONDS_A_TURN: Final = 1.0
MOST_OF_A_MATCH: Final = 3  # for everybody
MOST_MISTAKES: Final = 10  # of a match, all its players together
LOST_AFTER: Final = timedelta(seconds=60)
NAME: Final = "exercises"


def look_for_a_while() -> None:
    """One turn of one match. One that fails three times is set aside."""
    row = _taken()
    if row is None:
        return
    begun, name = monotonic(), str(row.pk)
    until = rows.until(SECONDS_A_TURN)
    done, _ = rows.attempt(NAME, name, lambda: _look_unless_secret(row, until), gives_up=True)
    if not done and rows.troubles(NAME)[name].is_set_aside:
        _end(row, Scan.Status.FAILED)
    Scan.objects.filter(id=row.id).update(seconds=F("seconds") + monotonic() - begun)
    rows.more()


def _look_unless_secret(row: Scan, until: float) -> None:
    try:
        _look(row, until)
    except Refusal:  # its cards are somebody's secret again
        _end(row, Scan.Status.FINISHED)


def _waiting() -> QuerySet[Scan]:
    lost = Q(given_at__lt=timezone.now() - LOST_AFTER)
    return Scan.objects.filter(
        Q(of_installed_games("match__"), Q(given_at=None) | lost, status="running")
    )


def _taken() -> Scan | None:
    """The match that had the fewest seconds so far, of those that no worker has."""
    with transaction.atomic():
        waiting = _waiting().order_by("seconds", "id")
        row = waiting.select_for_update(of=("self",), skip_locked=True).first()
        if row is not None:
            Scan.objects.filter(id=row.id).update(given_at=timezone.now())
        return row


def _end(row: Scan, status: str) -> None:
    Scan.objects.filter(id=row.id, status="running").update(status=status, given_at=None)


def _look(row: Scan, until: float) -> None:
    """Looks on from where the last turn stopped, at one decision at least."""
    match = get_match(row.match_id)
    searching = finder(match.rules)
    if searching is None or (row.kind == Scan.Kind.FOR_ALL and not is_for_all(match)):
        _end(row, Scan.Status.FINISHED)
        return
    work = _LOOKING[row.kind](match, searching)
    reached, new = row.reached, 0
    for decision in work.decisions[reached:]:
        new += work.look(decision)
        reached += 1
        if monotonic() > until or row.made + new >= work.most:
            break
    is_done = reached == len(work.decisions) or row.made + new >= work.most
    same = Scan.objects.filter(id=row.id, status="running", reached=row.reached)
    status = Scan.Status.FINISHED if is_done else Scan.Status.RUNNING
    same.update(reached=reached, made=row.made + new, status=status, given_at=None)


class _Looking(ABC):
    """The decisions of a match; ``reader`` is for whom its record is opened."""

    most = 0

    def __init__(self, match: MatchSnapshot, searching: Finder, reader: UUID | None = None) -> None:
        self.match, self.searching = match, searching
        record = records.of(match, reader)
        self.decisions = played(record, searching.judge.remembers).decisions
        row = coach.find(match.id)
        verdicts = coach.verdicts_of(row) if row is not None and row.status == "finished" else []
        self.verdicts = {verdict.version: verdict for verdict in verdicts}

    @abstractmethod
    def look(self, decision: Decision) -> int:
        """How many new exercises this decision makes."""


class _ForAll(_Looking):
    most = MOST_OF_A_MATCH

    def look(self, decision: Decision) -> int:
        """Without a reader: only what anybody may read becomes an exercise for everybody."""
        verdict = self.verdicts.get(decision.version)
        position = self.searching.clear(decision, self.match.options, verdict)
        if position is None:
            return 0
        theme = self.searching.theme_of(position)
        return int(store(position, theme, self.match.id, decision.version, owner=None))


class _Mistakes(_Looking):
    most = MOST_MISTAKES

    def __init__(self, match: MatchSnapshot, searching: Finder) -> None:
        super().__init__(match, searching, _only_person(match))
        self.owners = _people(match)
        self.decisions = [each for each in self.decisions if self._mistake(each) is not None]

    def _mistake(self, decision: Decision) -> tuple[Verdict, UUID] | None:
        verdict, owner = self.verdicts.get(decision.version), self.owners.get(decision.seat)
        if verdict is None or owner is None or verdict.grade not in ("mistake", "blunder"):
            return None
        return verdict, owner

    def look(self, decision: Decision) -> int:
        mistake = self._mistake(decision)
        if mistake is None:
            return 0
        verdict, owner = mistake
        position = self.searching.mistake(decision, self.match.options, verdict)
        if position is None:
            return 0
        theme, match = self.searching.theme_of(position), self.match
        is_new = store(position, theme, match.id, decision.version, owner=owner)
        for row in Exercise.objects.filter(owner=owner, key=position.key).only("id"):
            repetition.remember(owner, row.pk, timezone.now())
        return int(is_new)


_LOOKING: Final[dict[str, Callable[[MatchSnapshot, Finder], _Looking]]] = {
    Scan.Kind.FOR_ALL: _ForAll,
    Scan.Kind.MISTAKES: _Mistakes,
}


def _people(match: MatchSnapshot) -> dict[Seat, UUID]:
    """By seat, those who play on by an account of their own: no guests of a device, no programs."""
    seats = {seat.user_id: seat.index for seat in match.seats if seat.kind == "user"}
    there = User.objects.filter(id__in=[id_ for id_ in seats if id_], is_active=True, is_bot=False)
    return {seats[id_]: id_ for id_ in there.values_list("id", flat=True)}


def _only_person(match: MatchSnapshot) -> UUID | None:
    """The person, where one alone played: what they may read of it is theirs alone."""
    people = {seat.user_id for seat in match.seats if seat.user_id is not None}
    return people.pop() if len(people) == 1 else None


EXERCISES: Final = Duty(
    name=NAME,
    kind="long",
    piece=look_for_a_while,
    due="""
SELECT NULL::timestamptz, s.id::text FROM exercises_scan s JOIN games_match m ON m.id = s.match_id
WHERE s.status = 'running' AND m.game = ANY(%(games)s)
    AND (s.given_at IS NULL OR s.given_at < %(now)s - interval '60 seconds')""",
)
