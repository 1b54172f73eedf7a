"""The plans of seats. Nothing lists them: they are their seat's secret."""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from games.matches.models.match import Match


class Plan(models.Model):
    """What one seat plays when its turn comes (``games.matches.plans``); ``[]``: nothing any more.

    ``dropped`` says why the rest of a plan does not stand any more, for the seat to read.
    """

    class Dropped(models.TextChoices):
        NO_LINE = "no_line"  # no condition held
        REFUSED = "refused"  # the rules do not allow the move
        BY_HAND = "by_hand"  # the seat moved otherwise
        ROLLED_BACK = "rolled_back"
        GIVEN_UP = "given_up"  # the seat resigned, or a computer plays it
        OVER = "over"

    match = models.ForeignKey(Match, models.CASCADE, related_name="+", db_index=False)
    seat = models.PositiveSmallIntegerField()
    steps = models.BinaryField()
    dropped = models.CharField(max_length=11, choices=Dropped.choices, blank=True, default="")
    dropped_version = models.PositiveIntegerField(null=True)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        default_permissions: ClassVar = ()
        constraints: ClassVar = [
            models.UniqueConstraint(name="seat_has_one_plan", fields=["match", "seat"]),
        ]

    def __str__(self) -> str:
        """Without its moves."""
        return f"plan of seat {self.seat}"
