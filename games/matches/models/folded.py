"""Matches that have long been over, a row each."""

from django.db import models
from django.db.models.functions import Now

from games.matches.models.match import Match


class ArchiveDictionary(models.Model):
    """The text that the folded matches of a game have in common; never changed, as they need it."""

    game = models.CharField(max_length=32)
    data = models.BinaryField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name_plural = "archive dictionaries"
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.game} {self.pk}"


class ArchivedMatch(models.Model):
    """The plies and rounds of a match that has long been over, in one row (``folding``)."""

    match = models.OneToOneField(
        Match, on_delete=models.CASCADE, primary_key=True, related_name="archived"
    )
    dictionary = models.ForeignKey(
        ArchiveDictionary, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    data = models.BinaryField()
    archived_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name_plural = "archived matches"
        default_permissions = ()

    def __str__(self) -> str:
        return f"archived {self.match_id}"
