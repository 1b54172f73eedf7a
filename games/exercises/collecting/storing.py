"""Positions become rows: once each, those of the house's file, of public matches and of people."""

from datetime import datetime
from uuid import UUID

from django.db.models import Exists, OuterRef
from django.utils import timezone

from games.exercises.models import Exercise, Review
from games.exercises.rating import first_belief
from games.exercises.searching.positions import Position, encoded


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
