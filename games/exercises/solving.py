"""Answering an exercise: the first answer counts, later ones are practice."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from cardroom.rules.values import Move
from games.exercises import rating
from games.exercises.models import Attempt, Exercise, Review, Solver
from games.exercises.searching import Position
from games.exercises.selectors import NotAMoveHere, attempt_of, find, position_of
from games.matches.models import Seat
from games.ratings.scale import NEWCOMER, Belief


@dataclass(frozen=True)
class Answer:
    """What an answer came to. ``before`` and ``after`` are the solver's, where it counted."""

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
    before, hard = rating.ready(solver, now), rating.ready(row, now)
    after, harder = rating.answered(before, hard, solved=attempt.is_solved)
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
    """What was wrong comes up again; what comes up again is put off by how it was answered."""
    review = Review.objects.filter(account=user, exercise=row).first()
    if review is not None:
        rating.schedule_review(review, solved=is_solved, at=now)
    elif not is_solved and not user.is_bot:
        rating.schedule(user.pk, row.pk, now)
        review = Review.objects.get(account=user, exercise=row)
        rating.schedule_review(review, solved=False, at=now)


def stored_answer(row: Exercise, attempt: Attempt, move: Move = "") -> Answer:
    """What was answered first, or what a later answer was worth; nothing is written."""
    position = position_of(row)
    chosen = _legal_move(position, move) or attempt.move
    is_first = chosen == attempt.move
    before = after = None
    if is_first and attempt.is_rated:
        before, hard = rating.believed_before(attempt)
        after, _ = rating.answered(before, hard, solved=attempt.is_solved)
    is_solved = position.is_solved_by(chosen)
    return Answer(row, position, chosen, is_solved, is_first, before, after)
