"""Phrases that were said, who does not want to read whom, and who may say nothing."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from games.matches.models import Match


class Saying(models.Model):
    """A phrase that the person on a seat said; kept for a day."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="+", db_index=False)
    seat = models.PositiveSmallIntegerField()
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    phrase = models.CharField(max_length=32)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering: ClassVar = ["-id"]
        default_permissions = ()
        indexes: ClassVar = [
            models.Index(name="saying_of_match", fields=["match", "-id"]),
            models.Index(name="saying_of_account", fields=["account", "-id"]),
            models.Index(name="saying_by_time", fields=["at"]),
        ]

    def __str__(self) -> str:
        return self.phrase


class Mute(models.Model):
    """``owner`` reads no phrases of ``muted``; of nobody, where that is null."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="mutes", db_index=False
    )
    muted = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+")
    at = models.DateTimeField(db_default=Now())

    class Meta:
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="person_is_muted_once", fields=["owner", "muted"], nulls_distinct=False
            ),
        ]

    def __str__(self) -> str:
        return "everybody" if self.muted_id is None else f"mute {self.pk}"


class Silence(models.Model):
    """An operator took the phrases from a person until a time, or for good."""

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="silences", db_index=False
    )
    at = models.DateTimeField(db_default=Now())
    until = models.DateTimeField(null=True)
    reason = models.TextField()
    by = models.CharField(max_length=150)
    lifted_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["-id"]
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="person_is_silenced_once",
                fields=["account"],
                condition=Q(lifted_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return "for good" if self.until is None else f"until {self.until:%Y-%m-%d %H:%M} UTC"
