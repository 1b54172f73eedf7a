"""Analyses of finished matches, which workers continue from where the last one stopped; hints."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from config.uuid7 import uuid7


class Analysis(models.Model):
    """The coach's analysis of a match; one a match and version of the coach.

    ``verdicts`` grows while workers judge: a JSON list of ``games.coaching.judging.Verdict``.
    ``reached`` are the decisions that were looked at, of ``decisions`` in all.
    """

    class Status(models.TextChoices):
        RUNNING = "running"
        FINISHED = "finished"
        FAILED = "failed"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    match = models.ForeignKey(
        "games.Match", on_delete=models.CASCADE, related_name="+", db_index=False
    )  # analysis_is_there_once begins with it
    version = models.PositiveSmallIntegerField(help_text="Of the coach")
    requester = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    status = models.CharField(max_length=9, choices=Status.choices, default=Status.RUNNING)
    decisions = models.PositiveIntegerField(null=True)
    reached = models.PositiveIntegerField(default=0)
    verdicts = models.BinaryField(default=b"[]")
    summary = models.BinaryField(null=True, help_text="games.coaching.judging as JSON")
    seconds = models.FloatField(default=0, help_text="What workers spent on it")
    given_at = models.DateTimeField(null=True, help_text="When a worker took it; empty: it waits")
    created_at = models.DateTimeField(db_default=Now())
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["-id"]
        verbose_name_plural = "analyses"
        default_permissions: ClassVar = ("view", "delete")
        constraints: ClassVar = [
            models.UniqueConstraint(name="analysis_is_there_once", fields=["match", "version"]),
            models.CheckConstraint(
                name="analysis_has_a_summary_when_finished",
                condition=Q(status="finished", summary__isnull=False)
                | (~Q(status="finished") & Q(summary__isnull=True)),
            ),
        ]
        indexes: ClassVar = [
            models.Index(name="analysis_running", fields=["id"], condition=Q(status="running")),
        ]

    def __str__(self) -> str:
        return f"analysis of {self.match_id}"


class Hint(models.Model):
    """The moves weighed for a seat at a version of a coached match; empty: a worker is at it.

    Only those of the newest version of a match are kept.
    """

    match = models.ForeignKey(
        "games.Match", on_delete=models.CASCADE, related_name="+", db_index=False
    )  # hint_is_there_once begins with it
    version = models.PositiveIntegerField(help_text="Of the match, before the move")
    seat = models.PositiveSmallIntegerField()
    advice = models.BinaryField(null=True, help_text="games.coaching.judging as JSON")
    is_shown = models.BooleanField(default=False, help_text="The player asked to see it")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering: ClassVar = ["-id"]
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(name="hint_is_there_once", fields=["match", "version", "seat"]),
        ]

    def __str__(self) -> str:
        return f"hint for seat {self.seat} at version {self.version} of {self.match_id}"
