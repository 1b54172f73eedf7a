"""Reads of exercises: which one is next for somebody, the one of the day, how far somebody is."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from hashlib import sha256
from typing import Any, Final
from uuid import UUID

from django.db.models import Case, Count, Exists, F, FloatField, OuterRef, QuerySet, Value, When
from django.db.models.functions import Abs
from django.utils import timezone

from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from config.postgres.connections import ReadOnly
from config.refusals import NotFound, Refusal
from games.exercises.models import Attempt, DayExercise, Exercise, Review, Solver
from games.exercises.searching import Position, decoded, themes_of
from games.matches.models import Match
from games.matches.selectors.access import SERVICE, find_match
from games.matches.selectors.secrecy import may_tell_all
from games.matches.snapshot import MatchSnapshot
from games.ratings.scale import NEWCOMER

# Whose secret an exercise is: asked when it is made, and again whenever it is shown.
#
# A match that was public may be private by now, and another match may use its cards again.


def is_for_all(match: MatchSnapshot) -> bool:
    """Whether anybody may read all of a match that was played to its end."""
    is_public = match.visibility == Match.Visibility.PUBLIC
    return match.status == Match.Status.FINISHED and is_public and may_tell_all(match, None)


def is_shown(row: Exercise, reader: UUID | None) -> bool:
    """Own mistakes to their owner alone; what came with the software to everybody."""
    if row.owner_id is not None:
        return row.owner_id == reader
    if row.withdrawn_at is not None:
        return False
    if row.match_id is None:
        return True
    access = find_match(row.match_id, SERVICE)
    return access is not None and is_for_all(access.match)


# Why an exercise cannot be shown or answered.


class NoSuchExercise(NotFound):
    """There is no such exercise, or it is not shown now."""


class NoExerciseLeft(NotFound):
    """There is no exercise left for you here. Try another theme, or come back tomorrow."""


class NotAMoveHere(Refusal, status=409):
    """This is none of the moves that the seat had. Choose one of the legal moves."""


LOOKED_AT: Final = 20  # that may turn out to be kept back


def position_of(row: Exercise) -> Position:
    return decoded(bytes(row.position))


def games_with_exercises() -> list[AnyGame]:
    return [game for game in catalog.GAMES if themes_of(game)]


def today() -> date:
    return timezone.now().astimezone(UTC).date()


def listed() -> QuerySet[Exercise]:
    """Exercises for everybody; of some the match may be kept back (``is_shown``)."""
    games = [game.slug for game in games_with_exercises()]
    return Exercise.objects.filter(owner=None, withdrawn_at=None, game__in=games)


def find(exercise_id: UUID, reader: UUID | None) -> Exercise:
    """Raises ``NoSuchExercise``, also for what is not the reader's to see."""
    row = Exercise.objects.filter(id=exercise_id).first()
    if row is None or not is_shown(row, reader) or row.game not in _slugs():
        raise NoSuchExercise
    return row


def _slugs() -> list[str]:
    return [game.slug for game in games_with_exercises()]


def next_for(reader: UUID | None, game: str = "", theme: str = "") -> Exercise:
    """The one nearest to what the reader can do that they have not tried; ``NoExerciseLeft``.

    The same again until it is answered, so nobody skips what looks hard.
    """
    rows = listed()
    if game:
        rows = rows.filter(game=game)
    if theme:
        rows = rows.filter(theme=theme)
    if reader is not None:
        tried = Attempt.objects.filter(account=reader, exercise=OuterRef("pk"))
        rows = rows.filter(~Exists(tried))
    near = rows.annotate(far=Abs(F("mean") - _strength(reader))).order_by("far", "id")
    shown = next((row for row in near[:LOOKED_AT] if is_shown(row, reader)), None)
    if shown is None:
        raise NoExerciseLeft
    return shown


def _strength(reader: UUID | None) -> Case:
    rows = Solver.objects.filter(account=reader) if reader else Solver.objects.none()
    known = [When(game=row.game, then=Value(row.mean)) for row in rows]
    return Case(*known, default=Value(NEWCOMER.mean), output_field=FloatField())


def due_reviews(reader: UUID, game: str = "") -> QuerySet[Review]:
    """The oldest first."""
    rows = Review.objects.filter(account=reader, due_at__lte=timezone.now())
    rows = rows.filter(exercise__withdrawn_at=None, exercise__game__in=_slugs())
    if game:
        rows = rows.filter(exercise__game=game)
    return rows.order_by("due_at", "id")


def next_review(reader: UUID, game: str = "") -> Exercise:
    """The mistake that has been due for longest; ``NoExerciseLeft``."""
    rows = due_reviews(reader, game).select_related("exercise")[:LOOKED_AT]
    shown = next((row.exercise for row in rows if is_shown(row.exercise, reader)), None)
    if shown is None:
        raise NoExerciseLeft
    return shown


def of_the_day(game: str, day: date | None = None) -> Exercise | None:
    """Chosen when it is first asked for that day; another one if it is shown no more."""
    day = day or today()
    chosen = DayExercise.objects.filter(day=day, game=game).select_related("exercise").first()
    if chosen is not None and is_shown(chosen.exercise, None):
        return chosen.exercise
    shown = next(_for_the_day(game, day), None)
    if shown is None:
        return None
    with suppress(ReadOnly):  # the next reader gets the same one
        row, is_new = DayExercise.objects.get_or_create(
            day=day, game=game, defaults={"exercise": shown}
        )
        if is_new or is_shown(row.exercise, None):
            return row.exercise
        DayExercise.objects.filter(pk=row.pk).update(exercise=shown)
    return shown


def _for_the_day(game: str, day: date) -> Iterator[Exercise]:
    """Exercises that were of a day the fewest times first, then as the day mixes them."""
    rows = listed().filter(game=game).annotate(times=Count("days"))
    mixed = sorted(
        rows.values_list("times", "id"),
        key=lambda row: (row[0], sha256(f"{day} {row[1]}".encode()).digest()),
    )
    for _, id_ in mixed[:LOOKED_AT]:
        row = Exercise.objects.get(id=id_)
        if is_shown(row, None):
            yield row


@dataclass(frozen=True)
class ThemeCount:
    """``tried`` are those of ``exercises`` that the reader has answered."""

    game: str
    theme: str
    exercises: int
    tried: int


def theme_counts(reader: UUID | None) -> list[ThemeCount]:
    """Of every game and theme, in the order in which the games name them."""
    there = _counts(listed())
    tried: dict[tuple[str, str], int] = {}
    if reader is not None:
        own = Attempt.objects.filter(account=reader, exercise=OuterRef("pk"))
        tried = _counts(listed().filter(Exists(own)))
    return [
        ThemeCount(
            game.slug, theme, there.get((game.slug, theme), 0), tried.get((game.slug, theme), 0)
        )
        for game in games_with_exercises()
        for theme in themes_of(game)
    ]


def _counts(rows: QuerySet[Exercise]) -> dict[tuple[str, str], int]:
    counted: Any = rows.order_by().values_list("game", "theme").annotate(Count("id"))
    return {(game, theme): n for game, theme, n in counted}


def solvers_of(reader: UUID | None) -> dict[str, Solver]:
    """The reader's standing by game."""
    rows = Solver.objects.filter(account=reader) if reader else Solver.objects.none()
    return {row.game: row for row in rows}


def attempt_of(row: Exercise, reader: UUID | None) -> Attempt | None:
    if reader is None:
        return None
    return Attempt.objects.filter(exercise=row, account=reader).first()


def next_due(reader: UUID) -> datetime | None:
    """The time at which the next mistake comes up, if none is due."""
    rows = Review.objects.filter(account=reader, exercise__withdrawn_at=None)
    return rows.order_by("due_at").values_list("due_at", flat=True).first()
