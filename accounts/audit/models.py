"""One row for each thing that staff did or looked at."""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now


class Entry(models.Model):
    """Who did what to what, when and why. Names no row of another table, so it outlives them.

    A trigger refuses every change and deletion (migration 0001). ``details`` holds no secret.
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
