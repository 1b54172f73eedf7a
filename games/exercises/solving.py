"""Answering an exercise, and rating both: the first answer counts, later ones are practice."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from fsrs import Card, Rating, Scheduler

from accounts.models import User
from cardroom.rules.values import Move
from games.exercises.models import Attempt, Exercise, Review, Solver
from games.exercises.searching import Position
from games.exercises.selectors import NotAMoveHere, attempt_of, find, position_of
from games.matches.models import Seat
from games.ratings.scale import NEWCOMER, Belief, after, belief, deviation, rating, updated

# How hard an exercise is, when it comes again, and what a person takes along.
#
# The model is that of the ratings of people (``games.ratings.scale``), on a scale of its own: no
# match has a part in it. Everything follows from the attempts that count, in their order.

EASIEST, HARDEST = 1300.0, 1700.0  # what the house's computers make of it, before anybody tries


class Fault(NamedTuple):
    """The stored belief in a solver or an exercise, and the one after its attempts."""

    about: str
    stored: Belief
    derived: Belief


def first_belief(missed: float) -> Belief:
    """Of an exercise that this share of the easier computers misses; as unsure as a newcomer."""
    return Belief(belief(EASIEST + (HARDEST - EASIEST) * missed, 1.0).mean, NEWCOMER.variance)


def ready(row: Exercise | Solver | None, at: datetime) -> Belief:
    """The belief before an attempt at this time; solvers become less certain with time."""
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


# Data of a person who solves exercises: for that person, and until they are erased.
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


@dataclass(frozen=True)
class Answer:
    """The result of an answer. ``before`` and ``after`` are the solver's, where it counted."""

    exercise: Exercise
    position: Position
    move: Move
    is_solved: bool
    is_first: bool
    before: Belief | None = None
    after: Belief | None = None


def answer(*, user: User, exercise_id: UUID, move: Move) -> Answer:
    """Raises ``NoSuchExercise``, ``NotAMoveHere``."""
    row = find(exercise_id, user.pk)
    position = position_of(row)
    known = _legal_move(position, move)
    if known is None:
        raise NotAMoveHere
    now = timezone.now()
    with transaction.atomic():
        # Others who answer the same exercise wait here, so the order of ids is that of the ratings.
        Exercise.objects.select_for_update(no_key=True).only("id").get(id=row.pk)
        row.refresh_from_db()
        is_solved = position.is_solved_by(known)
        if attempt_of(row, user.pk) is None:
            done = _first(row, position, user, known, now)
        else:
            done = Answer(row, position, known, is_solved, is_first=False)
        _repeat(row, user, now, is_solved=is_solved)
    return done


def _legal_move(position: Position, move: Move) -> Move | None:
    """The legal move of the view that this is; the notation allows several texts of one."""
    moves, alike = position.seen.legal_moves, position.rules.alike
    if move in moves:
        return move
    return next((each for each in moves if alike(each) == alike(move)), None)


def _first(row: Exercise, position: Position, user: User, move: Move, now: datetime) -> Answer:
    is_solved, is_rated = position.is_solved_by(move), _counts(row, user)
    attempt = Attempt(
        exercise=row,
        account=user,
        game=row.game,
        move=move,
        is_solved=is_solved,
        is_rated=is_rated,
        at=now,
    )
    before = after = None
    if is_rated:
        before, after = _rate(row, attempt)
    attempt.save(force_insert=True)
    return Answer(row, position, move, is_solved, is_first=True, before=before, after=after)


def _counts(row: Exercise, user: User) -> bool:
    """Not of guests, who cost nothing, nor of programs; nor where the solver was at the table."""
    if user.is_guest or user.is_bot or row.owner_id is not None:
        return False
    if row.match_id is None:
        return True
    return not Seat.objects.filter(match=row.match_id, user=user).exists()


def _rate(row: Exercise, attempt: Attempt) -> tuple[Belief, Belief]:
    """Both are read and written under their locks, the exercise's first."""
    account, now = attempt.account_id, attempt.at
    Solver.objects.get_or_create(
        account_id=account,
        game=row.game,
        defaults={"mean": 0.0, "variance": NEWCOMER.variance, "at": now},
    )
    solver = Solver.objects.select_for_update(no_key=True).get(account=account, game=row.game)
    before, hard = ready(solver, now), ready(row, now)
    after, harder = answered(before, hard, solved=attempt.is_solved)
    attempt.solver_mean, attempt.solver_variance = before
    attempt.exercise_mean, attempt.exercise_variance = hard
    counted = {"attempts": F("attempts") + 1, "solved": F("solved") + int(attempt.is_solved)}
    Solver.objects.filter(pk=solver.pk).update(
        mean=after.mean, variance=after.variance, at=now, **counted
    )
    Exercise.objects.filter(pk=row.pk).update(
        mean=harder.mean, variance=harder.variance, rated_at=now, **counted
    )
    row.refresh_from_db(fields=["mean", "variance", "attempts", "solved"])
    return before, after


def _repeat(row: Exercise, user: User, now: datetime, *, is_solved: bool) -> None:
    """A wrong answer brings an exercise up again; each later answer puts it off."""
    review = Review.objects.filter(account=user, exercise=row).first()
    if review is not None:
        schedule_review(review, solved=is_solved, at=now)
    elif not is_solved and not user.is_bot:
        schedule(user.pk, row.pk, now)
        review = Review.objects.get(account=user, exercise=row)
        schedule_review(review, solved=False, at=now)


def stored_answer(row: Exercise, attempt: Attempt, move: Move = "") -> Answer:
    """The first answer, or the worth of a later one; nothing is written."""
    position = position_of(row)
    chosen = _legal_move(position, move) or attempt.move
    is_first = chosen == attempt.move
    before = after = None
    if is_first and attempt.is_rated:
        before, hard = believed_before(attempt)
        after, _ = answered(before, hard, solved=attempt.is_solved)
    is_solved = position.is_solved_by(chosen)
    return Answer(row, position, chosen, is_solved, is_first, before, after)
