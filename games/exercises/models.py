"""Exercises, who solved them, what comes up again, and the matches that were looked through."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from config.uuid7 import uuid7
from games.matches.models import Match


class Exercise(models.Model):
    """A position to solve; ``position`` is a ``searching.positions.Position`` as JSON.

    ``owner`` is empty for those that everybody may solve; else it is the person whose mistake it
    was. ``match`` is where it comes from; empty for those that came with the software. ``mean`` and
    ``variance`` are the belief in how hard it is (``games.ratings.scale``), at first
    ``first_mean`` and what is believed of a newcomer.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    key = models.CharField(max_length=64, help_text="The SHA-256 of what the seat knew")
    game = models.CharField(max_length=32)
    theme = models.CharField(max_length=32, blank=True)
    position = models.BinaryField()
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+", db_index=False
    )  # exercise_of_owner begins with it
    match = models.ForeignKey(Match, models.CASCADE, null=True, related_name="+")
    version = models.PositiveIntegerField(null=True, help_text="Of the match, before the move")
    seat = models.PositiveSmallIntegerField()
    first_mean = models.FloatField()
    mean = models.FloatField()
    variance = models.FloatField()
    rated_at = models.DateTimeField(null=True, help_text="When an attempt counted last")
    attempts = models.PositiveIntegerField(default=0, help_text="First ones")
    solved = models.PositiveIntegerField(default=0)
    withdrawn_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering: ClassVar = ["-id"]
        default_permissions: ClassVar = ("view",)
        permissions: ClassVar = [("withdraw_exercise", "Can withdraw and collect exercises")]
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="exercise_is_there_once", fields=["key"], condition=Q(owner=None)
            ),
            models.UniqueConstraint(
                name="own_mistake_is_there_once",
                fields=["owner", "key"],
                condition=Q(owner__isnull=False),
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                name="exercise_by_hardness",
                fields=["game", "mean"],
                condition=Q(owner=None, withdrawn_at=None),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.theme} {self.id}"

    @property
    def is_shipped(self) -> bool:
        return self.match_id is None and self.owner_id is None


class Attempt(models.Model):
    """The first answer of an account to an exercise; later ones are practice and leave no row.

    In the order of their ids the attempts that count make all ratings again
    (``games.exercises.solving``). The beliefs are those before; of an account or an exercise that
    is gone they stand here alone.
    """

    exercise = models.ForeignKey(
        Exercise, models.SET_NULL, null=True, related_name="first_attempts"
    )
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", db_index=False
    )  # exercise_is_tried_once begins with it
    game = models.CharField(max_length=32)
    move = models.CharField(max_length=200)
    is_solved = models.BooleanField()
    is_rated = models.BooleanField()
    at = models.DateTimeField()
    solver_mean = models.FloatField(null=True)
    solver_variance = models.FloatField(null=True)
    exercise_mean = models.FloatField(null=True)
    exercise_variance = models.FloatField(null=True)

    class Meta:
        ordering: ClassVar = ["-id"]
        default_permissions: ClassVar = ("view",)
        constraints: ClassVar = [
            models.UniqueConstraint(name="exercise_is_tried_once", fields=["account", "exercise"]),
            models.CheckConstraint(
                name="rated_attempt_knows_what_was_believed",
                condition=Q(is_rated=False)
                | Q(
                    solver_mean__isnull=False,
                    solver_variance__isnull=False,
                    exercise_mean__isnull=False,
                    exercise_variance__isnull=False,
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"attempt {self.pk}"


class Solver(models.Model):
    """A person's rating in the exercises of a game: never mixed with ratings of matches."""

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )  # solver_is_rated_once begins with it
    game = models.CharField(max_length=32)
    mean = models.FloatField()
    variance = models.FloatField()
    attempts = models.PositiveIntegerField(default=0)
    solved = models.PositiveIntegerField(default=0)
    at = models.DateTimeField(help_text="Of the last attempt that counted")

    class Meta:
        ordering: ClassVar = ["account", "game"]
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(name="solver_is_rated_once", fields=["account", "game"]),
        ]

    def __str__(self) -> str:
        return f"{self.account_id} {self.game}: {self.mean}"


class Review(models.Model):
    """An exercise that somebody got wrong, or a mistake of their own: when it comes up again.

    ``card`` is the memory of the scheduler as JSON; empty before the first review.
    """

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )  # review_is_there_once begins with it
    exercise = models.ForeignKey(Exercise, models.CASCADE, related_name="+")
    card = models.JSONField(null=True)
    due_at = models.DateTimeField()
    reviews = models.PositiveIntegerField(default=0)

    class Meta:
        ordering: ClassVar = ["due_at", "id"]
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(name="review_is_there_once", fields=["account", "exercise"]),
        ]
        indexes: ClassVar = [models.Index(name="review_due", fields=["account", "due_at"])]

    def __str__(self) -> str:
        return f"review {self.pk}"


class DayExercise(models.Model):
    """The exercise of a game on a day, the same for everybody."""

    day = models.DateField()
    game = models.CharField(max_length=32)
    exercise = models.ForeignKey(Exercise, models.CASCADE, related_name="days")

    class Meta:
        ordering: ClassVar = ["-day", "game"]
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(name="day_has_one_exercise_of_a_game", fields=["day", "game"]),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.day}"


class Scan(models.Model):
    """A match that is looked through: for everybody, or for the mistakes of its players.

    ``reached`` decisions of it were looked at, ``made`` exercises of them.
    """

    class Kind(models.TextChoices):
        FOR_ALL = "for_all"
        MISTAKES = "mistakes"

    class Status(models.TextChoices):
        RUNNING = "running"
        FINISHED = "finished"
        FAILED = "failed"

    match = models.ForeignKey(
        Match, models.CASCADE, related_name="+", db_index=False
    )  # match_is_looked_through_once begins with it
    kind = models.CharField(max_length=8, choices=Kind.choices)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.RUNNING)
    reached = models.PositiveIntegerField(default=0)
    made = models.PositiveIntegerField(default=0)
    seconds = models.FloatField(default=0, help_text="What workers spent on it")
    given_at = models.DateTimeField(null=True, help_text="When a worker took it; empty: it waits")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering: ClassVar = ["-id"]
        default_permissions: ClassVar = ("view",)
        constraints: ClassVar = [
            models.UniqueConstraint(name="match_is_looked_through_once", fields=["match", "kind"]),
        ]
        indexes: ClassVar = [
            models.Index(name="scan_running", fields=["id"], condition=Q(status="running")),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.match_id}"
