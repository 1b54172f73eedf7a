"""Which matches are looked through for exercises: a few public ones a night, and analysed ones."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db.models import Count, Exists, OuterRef
from django.utils import timezone

from cardroom.rules import catalog
from config.tasks import duties
from config.tasks.duties import Duty
from config.uuid7 import least_uuid7
from games.coaching.judging.weighing import VERSION
from games.coaching.models import Analysis
from games.exercises.models import Exercise, Scan
from games.exercises.searching.finding import themes_of
from games.matches.models import Match

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
    """Those that have not enough exercises for everybody yet."""
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
