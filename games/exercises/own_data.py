"""What is kept of a person who solves exercises: for that person, and until they are erased.

Exercises from public matches stay when somebody who played there is erased: they name nobody, and
show no more than the match itself, which stays without the name.
"""

from typing import Any
from uuid import UUID

from games.exercises.models import Attempt, Exercise, Review, Solver
from games.ratings.scale import deviation, rating


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
