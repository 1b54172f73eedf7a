"""Positions become rows: once each, those of the house's file, of public matches and of people."""

from uuid import UUID

from games.exercises.models import Exercise
from games.exercises.positions import Position, encoded
from games.exercises.rating import first_belief


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
