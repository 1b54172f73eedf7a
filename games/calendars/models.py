"""The secret address of a person's calendar: programs that read calendars sign in nowhere."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Now


class CalendarAddress(models.Model):
    """One an account at the most; only the digest of what stands in the address is stored."""

    account = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="+"
    )
    digest = models.CharField(max_length=128, unique=True, editable=False)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        default_permissions: ClassVar = ()

    def __str__(self) -> str:
        return f"calendar since {self.created_at}"
