"""What happened in a match: its plies, and the rounds that they opened."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from games.matches.models.match import Match


class Ply(models.Model):
    """One applied move and what came of it; append-only. Ply 0 is the first deal."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="plies", db_index=False)
    version = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField(null=True)
    move = models.TextField(blank=True)
    events = models.BinaryField()
    decks = models.BinaryField(null=True, help_text="Decks shuffled in the middle of a round")
    key = models.CharField(max_length=64, null=True)  # noqa: DJ001 - no key is not an empty key
    at = models.DateTimeField(db_default=Now())
    request = models.BigIntegerField(null=True, help_text="The id of what wrote it, in the log")

    class Meta:
        verbose_name_plural = "plies"
        ordering: ClassVar = ["match", "version"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="ply_has_its_own_version", fields=["match", "version"]),
            models.UniqueConstraint(
                name="ply_answers_a_key_of_its_seat_once",
                fields=["match", "seat", "key"],
                condition=Q(key__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        """Without the move, which may still be secret."""
        return (
            f"ply {self.version}" if self.seat is None else f"ply {self.version}: seat {self.seat}"
        )


class Round(models.Model):
    """A round's opening: the save. Loading or undoing never deletes one.

    ``undone_at`` is the version of the roll-back that undid it; the round then opens once more with
    ``reopened``: the first shuffle used, and the positions dealt again (JSON).
    """

    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, related_name="rounds", db_index=False
    )
    number = models.PositiveIntegerField()
    opening_version = models.PositiveIntegerField()
    opening_state = models.BinaryField()
    decks = models.BinaryField(help_text="Decks shuffled for the opening")
    scores = ArrayField(models.IntegerField(), null=True)
    opened_at = models.DateTimeField(db_default=Now())
    closed_at = models.DateTimeField(null=True)
    undone_at = models.PositiveIntegerField(null=True)
    reopened = models.BinaryField(null=True)

    class Meta:
        ordering: ClassVar = ["match", "opening_version"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="standing_round_is_numbered_once",
                fields=["match", "number"],
                condition=Q(undone_at__isnull=True),
            ),
            models.UniqueConstraint(
                name="round_opens_once", fields=["match", "opening_version", "number"]
            ),
            models.CheckConstraint(
                name="round_is_scored_when_closed",
                condition=Q(scores__isnull=True, closed_at__isnull=True)
                | Q(scores__isnull=False, closed_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"round {self.number}"
