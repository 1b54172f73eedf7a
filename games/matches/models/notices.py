"""What operators tell the players of a match."""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from games.matches.models.match import Match


class Notice(models.Model):
    """A notice of operators to the players of a match; shown at its table and in the API."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="notices")
    at = models.DateTimeField(db_default=Now())
    text = models.CharField(max_length=500)

    class Meta:
        ordering: ClassVar = ["match", "id"]
        default_permissions = ("view",)

    def __str__(self) -> str:
        return self.text
