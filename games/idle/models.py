"""A nudge: somebody has been to act for a day in a match without a clock."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from games.matches.models import Match


class Nudge(models.Model):
    """One for each turn of a person. It holds as long as the match stands at its version.

    This is what channels of other apps send on: the rows in the order of their ids, each once. An
    app that does so keeps the last id that it has sent.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="+", db_index=False)
    version = models.PositiveIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering: ClassVar = ["-id"]
        default_permissions: ClassVar = ("view",)
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="nudge_is_sent_once_a_turn", fields=["match", "version", "user"]
            ),
        ]

    def __str__(self) -> str:
        return f"nudge at version {self.version}"
