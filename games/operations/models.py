"""Bulk runs of operators, reports of players, audits and figures."""

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from accounts.audit.models import Suspension
from accounts.models import User
from config.uuid7 import uuid7
from games.matches.models import Match


class BulkRun(models.Model):
    """One act on many matches: a draft until it is confirmed, then worked off by a task."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    act = models.CharField(max_length=32)
    values = models.JSONField(default=dict)
    match_ids = ArrayField(models.UUIDField())
    reason = models.TextField(blank=True)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    done = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(db_default=Now())
    confirmed_at = models.DateTimeField(null=True)
    worked_at = models.DateTimeField(null=True, help_text="When a worker last took a match")
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["-id"]
        default_permissions = ("view",)
        constraints: ClassVar = [
            models.CheckConstraint(
                name="bulk_run_waits_for_its_confirmation",
                condition=Q(confirmed_at__isnull=False) | Q(done=0),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.act.replace('_', ' ')} × {len(self.match_ids)}"

    @property
    def is_over(self) -> bool:
        return self.finished_at is not None


class BulkResult(models.Model):
    """The outcome of one match of a bulk run."""

    run = models.ForeignKey(BulkRun, on_delete=models.CASCADE, related_name="results")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+", db_index=False)
    succeeded = models.BooleanField()
    said = models.CharField(max_length=500)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering: ClassVar = ["run", "id"]
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(name="bulk_result_is_there_once", fields=["run", "match"]),
        ]

    def __str__(self) -> str:
        return self.said


class PlayerReport(models.Model):
    """A player's report of a match: read, assigned and resolved by operators.

    A suspended person answers in the same place, once: an appeal names the suspension and no match.
    """

    class Reason(models.TextChoices):
        NAME = "name", "An offensive name"
        CHEATING = "cheating", "Cheating"
        STALLING = "stalling", "Refuses to play on"
        PHRASES = "phrases", "What they say at the table"
        FAULT = "fault", "Something is broken"
        OTHER = "other", "Something else"
        APPEAL = "appeal", "A suspended person answers"

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="reports", null=True)
    suspension = models.OneToOneField(
        Suspension, on_delete=models.CASCADE, null=True, related_name="appeal"
    )
    ply = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField(null=True)
    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="reports_made"
    )
    reported = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="reports"
    )
    reason = models.CharField(max_length=16, choices=Reason.choices)
    text = models.CharField(max_length=500, blank=True)
    evidence = models.JSONField(
        null=True,
        encoder=DjangoJSONEncoder,
        help_text="What was said at the table in the minute before",
    )
    at = models.DateTimeField(db_default=Now())
    assignee = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    resolution = models.TextField(blank=True)
    resolved_at = models.DateTimeField(null=True)
    answer = models.CharField(
        max_length=500, blank=True, default="", db_default="", help_text="What its writer was told"
    )

    class Meta:
        ordering: ClassVar = ["-id"]
        default_permissions = ("view", "change")
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="player_reports_a_seat_once_at_a_time",
                fields=["match", "reporter", "seat"],
                condition=Q(resolved_at__isnull=True),
                nulls_distinct=False,
            ),
            models.CheckConstraint(
                name="report_is_of_a_match_or_an_appeal",
                condition=Q(match__isnull=False, suspension__isnull=True)
                | Q(match__isnull=True, suspension__isnull=False, reason="appeal"),
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                name="report_unresolved", fields=["match"], condition=Q(resolved_at__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        at = "" if self.match_id is None else f", ply {self.ply}"
        return f"{self.get_reason_display()}{at}"

    @property
    def person(self) -> User | None:
        """The person that it is about; of an appeal its writer."""
        return self.reporter if self.match_id is None else self.reported


class Undoable(models.Model):
    """An act that can be taken back until a time; ``before`` are the rows that it changed."""

    act = models.CharField(max_length=32)
    subject_type = models.CharField(max_length=24)
    subject_id = models.CharField(max_length=64)
    subject = models.CharField(max_length=120)
    by = models.CharField(max_length=64)
    reason = models.TextField()
    at = models.DateTimeField(db_default=Now())
    until = models.DateTimeField()
    before = models.TextField()
    undone_at = models.DateTimeField(null=True)
    undone_by = models.CharField(max_length=64, blank=True, default="")

    class Meta:
        verbose_name_plural = "acts that can be undone"
        ordering: ClassVar = ["-id"]
        default_permissions = ("view",)
        indexes: ClassVar = [models.Index(name="undoable_of_subject", fields=["subject_id"])]

    def __str__(self) -> str:
        return f"{self.title}: {self.subject}"

    @property
    def title(self) -> str:
        return self.act.replace("-", " ").capitalize()


class Sample(models.Model):
    """One figure at one minute, for the plots of the dashboard; kept for 30 days."""

    name = models.CharField(max_length=32)
    at = models.DateTimeField()
    value = models.FloatField()

    class Meta:
        ordering: ClassVar = ["name", "at"]
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(name="sample_is_taken_once", fields=["name", "at"]),
        ]
        indexes: ClassVar = [models.Index(name="sample_by_age", fields=["at"])]

    def __str__(self) -> str:
        return f"{self.name} {self.value:g}"


class Person(User):
    """An account as operators look after it; rights and profile are changed with the account."""

    class Meta:
        proxy = True
        verbose_name_plural = "people"
        default_permissions = ("view",)
        permissions: ClassVar = [
            ("suspend_person", "Can suspend people"),
            ("note_person", "Can write notes about people"),
            ("message_person", "Can send people a message"),
            ("export_person", "Can export what is kept of a person"),
            ("erase_person", "Can erase a person; their matches stay under a pseudonym"),
        ]


class ReplayAudit(models.Model):
    """Matches played again and compared with what is stored: every one that changed ``since``.

    A task goes on after ``last``; the row says what is left, so a lost task costs time only.
    """

    since = models.DateTimeField(null=True)
    until = models.DateTimeField(help_text="What changed later is for the next audit")
    last = models.UUIDField(null=True)
    total = models.PositiveIntegerField(default=0)
    checked = models.PositiveIntegerField(default=0)
    faulty = models.PositiveIntegerField(default=0)
    faults = models.JSONField(default=list, help_text="Of the first matches: id and sentence")
    worked_at = models.DateTimeField(db_default=Now())
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["-id"]
        default_permissions = ("view",)

    def __str__(self) -> str:
        return f"{self.checked} of {self.total} matches, {self.faulty} with faults"


class CleanUp(models.Model):
    """Sums of one nightly clean-up: a number for each kind of thing."""

    at = models.DateTimeField(db_default=Now())
    counts = models.JSONField(default=dict)

    class Meta:
        ordering: ClassVar = ["-id"]
        default_permissions = ("view",)

    def __str__(self) -> str:
        return ", ".join(f"{count} {name}" for name, count in self.counts.items())


class Backup(models.Model):
    """One backup of a night, with its trial; one without a name was not written."""

    at = models.DateTimeField(db_default=Now())
    name = models.CharField(max_length=100, blank=True)
    size = models.BigIntegerField(default=0, help_text="Bytes")
    seconds = models.FloatField(default=0)
    trial_seconds = models.FloatField(
        null=True, help_text="To restore it beside the database and verify some of its matches"
    )
    is_elsewhere = models.BooleanField(default=False)
    fault = models.TextField(blank=True)

    class Meta:
        ordering: ClassVar = ["-id"]
        default_permissions = ("view",)

    def __str__(self) -> str:
        return self.name or "not written"
