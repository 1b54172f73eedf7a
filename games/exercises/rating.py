"""How hard an exercise is, when it comes again, and what a person takes along.

The model is that of the ratings of people (``games.ratings.scale``), on a scale of its own:
no match has a part in it. Everything follows from the attempts that count, in their order.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

from fsrs import Card, Rating, Scheduler

from games.exercises.models import Attempt, Exercise, Review, Solver
from games.ratings.scale import NEWCOMER, Belief, after, belief, deviation, rating, updated

EASIEST, HARDEST = 1300.0, 1700.0  # what the house's computers make of it, before anybody tries


class Fault(NamedTuple):
    """What is stored of somebody or something, and what its attempts make of it."""

    about: str
    stored: Belief
    derived: Belief


def first_belief(missed: float) -> Belief:
    """Of an exercise that this share of the easier computers misses; as unsure as a newcomer."""
    return Belief(belief(EASIEST + (HARDEST - EASIEST) * missed, 1.0).mean, NEWCOMER.variance)


def ready(row: Exercise | Solver | None, at: datetime) -> Belief:
    """What is believed before an attempt at this time; solvers become less certain with time."""
    if row is None:
        return NEWCOMER
    kept = Belief(row.mean, row.variance)
    return after(kept, at - row.at) if isinstance(row, Solver) else kept


def answered(solver: Belief, exercise: Belief, *, solved: bool) -> tuple[Belief, Belief]:
    one, other = updated([solver, exercise], [1, 2] if solved else [2, 1])
    return one, other


def believed_before(attempt: Attempt) -> tuple[Belief, Belief]:
    """Of solver and exercise, as an attempt that counts keeps it."""
    return (
        Belief(attempt.solver_mean or 0.0, attempt.solver_variance or 0.0),
        Belief(attempt.exercise_mean or 0.0, attempt.exercise_variance or 0.0),
    )


def faults() -> list[Fault]:
    """Derives every rating from the attempts again and compares; empty if all is right."""
    return list(_Recount().faults())


class _Recount:
    def __init__(self) -> None:
        self.solvers: dict[tuple[UUID, str], tuple[Belief, datetime]] = {}
        self.exercises: dict[UUID, Belief] = {}
        self.first = dict(Exercise.objects.values_list("id", "first_mean"))

    def faults(self) -> Iterator[Fault]:
        for attempt in Attempt.objects.filter(is_rated=True).order_by("id").iterator():
            yield from self._add(attempt)
        for solver in Solver.objects.all():
            derived, _ = self.solvers.get((solver.account_id, solver.game), (NEWCOMER, None))
            yield from _compare(f"solver {solver.pk}", solver, derived)
        for exercise in Exercise.objects.defer("position"):
            derived = self.exercises.get(exercise.pk, self._new(exercise.pk))
            yield from _compare(f"exercise {exercise.pk}", exercise, derived)

    def _new(self, exercise: UUID) -> Belief:
        return Belief(self.first[exercise], NEWCOMER.variance)

    def _add(self, attempt: Attempt) -> Iterator[Fault]:
        """Of what is gone the attempt itself says what was believed."""
        stored = solver, exercise = believed_before(attempt)
        if attempt.account_id is not None:
            kept = self.solvers.get((attempt.account_id, attempt.game))
            solver = after(kept[0], attempt.at - kept[1]) if kept else NEWCOMER
        if attempt.exercise_id is not None:
            exercise = self.exercises.get(attempt.exercise_id, self._new(attempt.exercise_id))
        for derived, was in zip((solver, exercise), stored, strict=True):
            if derived != was:
                yield Fault(f"attempt {attempt.pk}", was, derived)
        solver, exercise = answered(solver, exercise, solved=attempt.is_solved)
        if attempt.account_id is not None:
            self.solvers[attempt.account_id, attempt.game] = solver, attempt.at
        if attempt.exercise_id is not None:
            self.exercises[attempt.exercise_id] = exercise


def _compare(about: str, row: Any, derived: Belief) -> Iterator[Fault]:
    stored = Belief(row.mean, row.variance)
    if stored != derived:
        yield Fault(about, stored, derived)


def shown_rating(mean: float) -> int:
    """As people read it: 1500 is a newcomer, and an exercise that half of them solve."""
    return round(rating(mean))


# When a mistake comes up again: FSRS, of the library that its authors keep.
#
# FSRS needs no more than right or wrong, learns from each answer how hard a position is for this
# person, and takes reviews that come late as they are. SM-2 wants a grade from 0 to 5, which
# nobody gives here. All steps are of days: nobody solves a position again after a minute.

SCHEDULER: Final = Scheduler(
    learning_steps=(), relearning_steps=(), maximum_interval=365, enable_fuzzing=False
)


def schedule(account: UUID, exercise: UUID, at: datetime) -> None:
    """From now on it comes up again; at once, if it never did."""
    Review.objects.get_or_create(account_id=account, exercise_id=exercise, defaults={"due_at": at})


def schedule_review(row: Review, *, solved: bool, at: datetime) -> None:
    """Writes when it is due next. Before it is due an answer is practice and moves nothing."""
    if at < row.due_at:
        return
    card, _ = SCHEDULER.review_card(_card(row), Rating.Good if solved else Rating.Again, at)
    row.card, row.due_at, row.reviews = dict(card.to_dict()), card.due, row.reviews + 1
    row.save(update_fields=["card", "due_at", "reviews"])


def _card(row: Review) -> Card:
    return Card.from_dict(row.card) if row.card else Card(card_id=row.pk, due=row.due_at)


# What is kept of a person who solves exercises: for that person, and until they are erased.
#
# Exercises from public matches stay when somebody who played there is erased: they name nobody,
# and show no more than the match itself, which stays without the name.


def data_of(account: UUID) -> dict[str, Any]:
    attempts = Attempt.objects.filter(account=account).order_by("id")
    mistakes = Exercise.objects.filter(owner=account).order_by("id")
    reviews = Review.objects.filter(account=account).order_by("id")
    return {
        "attempts": list(
            attempts.values("exercise_id", "game", "move", "is_solved", "is_rated", "at")
        ),
        "ratings": [
            {
                "game": row.game,
                "rating": rating(row.mean),
                "deviation": deviation(row.variance),
                "attempts": row.attempts,
                "solved": row.solved,
                "at": row.at,
            }
            for row in Solver.objects.filter(account=account)
        ],
        "mistakes": list(mistakes.values("id", "game", "theme", "match_id", "version")),
        "reviews": list(reviews.values("exercise_id", "due_at", "reviews")),
    }


def forget(account: UUID) -> None:
    """Attempts stay without the person, or the ratings of exercises would follow from nothing."""
    Review.objects.filter(account=account).delete()
    Solver.objects.filter(account=account).delete()
    Attempt.objects.filter(account=account).update(account=None)
    Exercise.objects.filter(owner=account).delete()
