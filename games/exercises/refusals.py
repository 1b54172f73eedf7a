"""Why an exercise cannot be shown or answered."""

from config.refusals import NotFound, Refusal


class NoSuchExercise(NotFound):
    """There is no such exercise, or it is not shown now."""


class NoExerciseLeft(NotFound):
    """There is no exercise left for you here. Try another theme, or come back tomorrow."""


class NotAMoveHere(Refusal, status=409):
    """This is none of the moves that the seat had. Choose one of the legal moves."""
