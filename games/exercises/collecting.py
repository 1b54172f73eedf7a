"""The sources of exercises: shipped, from public matches, from the mistakes of people."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Any, Final
from uuid import UUID

import msgspec
from django.conf import settings
from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.models import User
from cardroom.rules import catalog
from cardroom.rules.values import Seat
from config.refusals import Refusal
from config.tasks import duties, rows
from config.tasks.duties import Duty
from config.uuid7 import least_uuid7
from games.absent import of_installed_games
from games.coaching import analyses
from games.coaching.judging import VERSION, Decision, Verdict, played
from games.coaching.models import Analysis
from games.exercises import solving
from games.exercises.models import Exercise, Review, Scan
from games.exercises.searching import Finder, Position, Shipped, encoded, finder, themes_of
from games.exercises.selectors import is_for_all
from games.exercises.solving import first_belief
from games.matches import records
from games.matches.models import Match
from games.matches.selectors.access import get_match
from games.matches.snapshot import MatchSnapshot

# Which matches are looked through for exercises: a few public ones a night, and analysed ones.

OFF_PEAK: Final = range(2, 6)  # hours of UTC, as the other work of the night
AT_ONCE: Final = 5  # a beat, so that other work in the queue gets its turns
LATELY: Final = timedelta(days=30)
ENOUGH: Final = 300  # exercises of a game that everybody may solve


def collect_tonight() -> int:
    """In the hours of the night some public matches more, as many as a night may have in all."""
    now = timezone.now()
    if now.hour not in OFF_PEAK:
        return 0
    begun = Scan.objects.filter(kind=Scan.Kind.FOR_ALL, created_at__gte=now - timedelta(hours=12))
    left = settings.EXERCISE_MATCHES_A_NIGHT - begun.count()
    return collect(min(left, AT_ONCE))


def collect(most: int, games: Sequence[str] | None = None) -> int:
    """Public matches that ended last, at most so many; how many will be looked through.

    Without ``games`` of those that have not enough exercises yet.
    """
    if most <= 0:
        return 0
    looked_through = Scan.objects.filter(match=OuterRef("pk"), kind=Scan.Kind.FOR_ALL)
    matches = Match.objects.filter(
        ~Exists(looked_through),
        status=Match.Status.FINISHED,
        visibility=Match.Visibility.PUBLIC,
        finished_at__gt=timezone.now() - LATELY,
        game__in=_games_in_want() if games is None else games,
    )
    ids = matches.order_by("-finished_at").values_list("id", flat=True)[:most]
    return _queue(Scan.Kind.FOR_ALL, ids)


def collect_mistakes(now: datetime | None = None) -> int:
    """Matches whose analysis is finished, for the mistakes of their players."""
    since = (now or timezone.now()) - LATELY
    looked_through = Scan.objects.filter(match=OuterRef("match"), kind=Scan.Kind.MISTAKES)
    analysed = Analysis.objects.filter(
        ~Exists(looked_through),
        id__gt=least_uuid7(since),
        status=Analysis.Status.FINISHED,
        version=VERSION,
        match__game__in=[game.slug for game in catalog.GAMES if themes_of(game)],
    )
    ids = analysed.order_by("id").values_list("match_id", flat=True)[:AT_ONCE]
    return _queue(Scan.Kind.MISTAKES, ids)


def _games_in_want() -> list[str]:
    """Games that have not enough exercises for everybody yet."""
    rows = Exercise.objects.filter(owner=None, withdrawn_at=None).order_by()
    counted: Any = rows.values_list("game").annotate(Count("id"))
    there = dict(counted)
    games = [game.slug for game in catalog.GAMES if themes_of(game)]
    return [slug for slug in games if there.get(slug, 0) < ENOUGH]


def _queue(kind: str, matches: Iterable[UUID]) -> int:
    rows = [Scan(match_id=each, kind=kind) for each in matches]
    Scan.objects.bulk_create(rows, ignore_conflicts=True)
    if rows:
        duties.announce("exercises")
    return len(rows)


def collect_all() -> None:
    collect_mistakes()
    collect_tonight()


COLLECTED: Final = Duty(name="matches for exercises", kind="long", piece=collect_all, every=30)

# Positions become rows: once each, those of the house's file, of public matches and of people.


def row_of(position: Position, theme: str) -> Exercise:
    """Without its match and its owner; not stored yet."""
    first = first_belief(position.missed)
    return Exercise(
        key=position.key,
        game=position.game,
        theme=theme,
        position=encoded(position),
        seat=position.seat,
        first_mean=first.mean,
        mean=first.mean,
        variance=first.variance,
    )


def store(position: Position, theme: str, match: UUID, version: int, owner: UUID | None) -> bool:
    """Whether it is new. ``owner``: whose mistake it was."""
    row = row_of(position, theme)
    row.match_id, row.version, row.owner_id = match, version, owner
    own = Exercise.objects.filter(owner=owner, key=row.key)
    if own.exists():
        return False
    Exercise.objects.bulk_create([row], ignore_conflicts=True)
    return own.filter(id=row.pk).exists()


def withdraw(exercise: UUID, *, withdrawn: bool) -> bool:
    """Whether that changes anything. A withdrawn one is shown to nobody; its attempts stay."""
    rows = Exercise.objects.filter(id=exercise, owner=None, withdrawn_at__isnull=withdrawn)
    at = timezone.now() if withdrawn else None
    return rows.exists() and bool(rows.update(withdrawn_at=at))


def forget_old(before: datetime) -> int:
    """Own mistakes that nobody has looked at for so long."""
    rows = Exercise.objects.filter(owner__isnull=False, created_at__lt=before)
    seen = Review.objects.filter(exercise=OuterRef("pk"), due_at__gte=before)
    return rows.filter(~Exists(seen)).delete()[0]


# Looking through matches in short turns, as the coach judges them: no turn holds anybody up.
#
# The exercises depend on the record alone. A match whose worker was lost is taken again; what
# was stored of it is there once.

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
        row = analyses.find_analysis(match.id)
        verdicts = analyses.verdicts_of(row) if row is not None and row.status == "finished" else []
        self.verdicts = {verdict.version: verdict for verdict in verdicts}

    @abstractmethod
    def look(self, decision: Decision) -> int:
        """The number of new exercises that this decision makes."""


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
            solving.schedule(owner, row.pk, timezone.now())
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

# The exercises that come with the software, so that no page is empty where nobody has played yet.
#
# ``games/exercises/data/<slug>.json`` is written by ``manage.py exercises write``. What is taken
# out of the file stays where it was stored; an operator can withdraw it.

FOLDER: Final = Path(__file__).parent / "data"


_decoder = msgspec.json.Decoder(list[Shipped])


@cache
def shipped_of(slug: str) -> Sequence[Shipped]:
    path = FOLDER / f"{slug}.json"
    return _decoder.decode(path.read_bytes()) if path.exists() else ()


def write_shipped(slug: str, shipped: Sequence[Shipped]) -> Path:
    """One position a line, so that a change of one is a change of one line."""
    lines = ",\n".join(msgspec.json.encode(each).decode() for each in shipped)
    path = FOLDER / f"{slug}.json"
    path.write_text(f"[\n{lines}\n]\n")
    shipped_of.cache_clear()
    return path


def settle_shipped() -> int:
    """Stores those that are missing; how many."""
    wanted = {
        each.position.key: each
        for game in catalog.GAMES
        if themes_of(game)
        for each in shipped_of(game.slug)
    }
    there = Exercise.objects.filter(owner=None, key__in=list(wanted)).values_list("key", flat=True)
    missing = wanted.keys() - set(there)
    rows = [row_of(wanted[key].position, wanted[key].theme) for key in sorted(missing)]
    Exercise.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)


SHIPPED: Final = Duty(name="shipped exercises", kind="long", piece=settle_shipped, every=600)
