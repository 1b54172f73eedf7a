"""One row for each thing that staff did or looked at."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from config.uuid7 import uuid7


class Entry(models.Model):
    """An act: who did what to whom, when and why.

    It refers to no other table, so it outlives their rows. A trigger refuses every change and
    deletion (migration 0001). ``details`` holds no secret.
    """

    at = models.DateTimeField(db_default=Now(), editable=False)
    actor_id = models.UUIDField(null=True)
    actor = models.CharField(max_length=64)
    action = models.CharField(max_length=40)
    subject_type = models.CharField(max_length=24)
    subject_id = models.CharField(max_length=64)
    subject = models.CharField(max_length=120)
    reason = models.TextField(blank=True)
    details = models.JSONField(default=dict)

    class Meta:
        verbose_name_plural = "audit log"
        ordering: ClassVar = ["-id"]
        default_permissions = ("view",)
        indexes: ClassVar = [
            models.Index(name="entry_of_subject", fields=["subject_type", "subject_id", "-id"]),
            models.Index(name="entry_of_actor", fields=["actor_id", "-id"]),
        ]

    def __str__(self) -> str:
        return f"{self.action.replace('_', ' ')}: {self.subject}"


class Suspension(models.Model):
    """A person may not sign in or play until a time, or for good. One at a time for each person."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="suspensions"
    )
    at = models.DateTimeField(db_default=Now())
    until = models.DateTimeField(null=True)
    reason = models.TextField()
    by = models.CharField(max_length=64)
    lifted_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["-id"]
        default_permissions = ("view", "add")
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="user_is_suspended_once_at_a_time",
                fields=["user"],
                condition=models.Q(lifted_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"until {self.until:%Y-%m-%d %H:%M}" if self.until else "for good"


class PersonNote(models.Model):
    """A note about a person, for operators only."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notes"
    )
    at = models.DateTimeField(db_default=Now())
    author = models.CharField(max_length=64)
    text = models.CharField(max_length=1000)

    class Meta:
        ordering: ClassVar = ["-id"]
        default_permissions = ("view", "add")

    def __str__(self) -> str:
        return self.text


class PersonNotice(models.Model):
    """A message of operators to one person; every page shows it until the person has read it."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices"
    )
    at = models.DateTimeField(db_default=Now())
    text = models.CharField(max_length=500)
    read_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["-id"]
        default_permissions = ()
        indexes: ClassVar = [
            models.Index(
                name="notice_unread", fields=["user"], condition=models.Q(read_at__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return self.text
