"""People's quiet hours, in which their clocks stand still, and their holidays."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from config.uuid7 import uuid7


class QuietClock(models.Model):
    """A row for each account whose clocks stand still in its quiet hours; others see them then.

    The hours themselves, and the time zone, are those of its notifications.
    """

    account = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="+"
    )
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        default_permissions: ClassVar = ()

    def __str__(self) -> str:
        return f"quiet since {self.created_at}"


class Holiday(models.Model):
    """Days in which the clocks of an account stand still.

    The days are those that count against a year; the moments are where they begin and end in the
    time zone that held when they were announced. One that is ended early ends at that moment.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    first_day = models.DateField()
    last_day = models.DateField()
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    announced_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, help_text="When it was ended before its last day")

    class Meta:
        ordering: ClassVar = ["starts_at"]
        default_permissions: ClassVar = ("view", "change")
        constraints: ClassVar = [
            models.CheckConstraint(
                name="holiday_ends_after_its_beginning",
                condition=Q(first_day__lte=F("last_day"), starts_at__lte=F("ends_at")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.first_day} to {self.last_day}"
