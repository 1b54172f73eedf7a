"""A bot account: who answers for it, and what it plays."""

from typing import Any, ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

DESCRIPTION_LENGTH = 500


class Program(models.Model):
    """An account asked to be a bot's; it is one from ``confirmed_at`` on, for good.

    ``plays`` names games and, where not all, their presets: ``[{"game": "…", "presets": []}]``;
    empty: everything. ``paces`` are those of ratings (``games.ratings.scale``), empty: every one.
    """

    account = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="program"
    )
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="programs")
    description = models.CharField(max_length=DESCRIPTION_LENGTH, blank=True)
    plays: "models.JSONField[list[dict[str, Any]], list[dict[str, Any]]]" = models.JSONField(
        default=list
    )
    paces = ArrayField(models.CharField(max_length=8), default=list)
    at_once = models.PositiveSmallIntegerField(default=1)
    seeks = models.BooleanField(default=False, help_text="Pairing may seat it")
    asked_at = models.DateTimeField(db_default=Now())
    confirmed_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["account"]
        default_permissions: ClassVar = ("view",)
        constraints: ClassVar = [
            models.CheckConstraint(
                name="nobody_owns_their_own_account", condition=~Q(account=models.F("owner"))
            ),
        ]

    def __str__(self) -> str:
        return f"bot account {self.account_id}"
