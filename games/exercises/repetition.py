"""When a mistake comes up again: FSRS, of the library that its authors keep.

FSRS needs no more than right or wrong, learns from each answer how hard a position is for this
person, and takes reviews that come late as they are. SM-2 wants a grade from 0 to 5, which nobody
gives here. All steps are of days: nobody solves a position again after a minute.
"""

from datetime import datetime
from typing import Any, Final
from uuid import UUID

from fsrs import Card, Rating, Scheduler

from games.exercises.models import Review

SCHEDULER: Final = Scheduler(
    learning_steps=(), relearning_steps=(), maximum_interval=365, enable_fuzzing=False
)


def remember(account: UUID, exercise: UUID, at: datetime) -> None:
    """From now on it comes up again; at once, if it never did."""
    Review.objects.get_or_create(account_id=account, exercise_id=exercise, defaults={"due_at": at})


def review(row: Review, *, solved: bool, at: datetime) -> None:
    """Writes when it is due next. Before it is due an answer is practice and moves nothing."""
    if at < row.due_at:
        return
    card, _ = SCHEDULER.review_card(_card(row), Rating.Good if solved else Rating.Again, at)
    row.card, row.due_at, row.reviews = _memory(card), card.due, row.reviews + 1
    row.save(update_fields=["card", "due_at", "reviews"])


def _card(row: Review) -> Card:
    return Card.from_dict(row.card) if row.card else Card(card_id=row.pk, due=row.due_at)


def _memory(card: Card) -> dict[str, Any]:
    return dict(card.to_dict())
