"""Sets of mirrored matches, and the place of each match in its set."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from config.uuid7 import uuid7
from games.matches.models import Match, SharedDeal


class MirroredSet(models.Model):
    """Matches that are mirrored with each other, from the first one to the result of all.

    ``visibility`` was asked for: while the set runs its matches are private.
    """

    class Form(models.TextChoices):
        SET = "set"
        DUPLICATE = "duplicate"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    form = models.CharField(max_length=9, choices=Form.choices, default=Form.SET)
    visibility = models.CharField(max_length=8, choices=Match.Visibility.choices)
    created_at = models.DateTimeField(db_default=Now())
    over_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["-id"]
        default_permissions: ClassVar = ("view",)
        indexes: ClassVar = [
            models.Index(name="mirrored_set_running", fields=["id"], condition=Q(over_at=None)),
        ]

    def __str__(self) -> str:
        return f"{self.form} {self.id}"


class Leg(models.Model):
    """A match of a set; ``position`` is its place in the order. Without ``match`` it is to come.

    Two legs of a pair have the same ``deal``; in the one ``is_swapped`` the sides are. Which two
    these are is a secret until the set is over.
    """

    of = models.ForeignKey(
        MirroredSet, models.CASCADE, related_name="legs", db_index=False
    )  # leg_has_its_place begins with it
    position = models.PositiveSmallIntegerField()
    deal = models.ForeignKey(SharedDeal, models.PROTECT, related_name="+")
    is_swapped = models.BooleanField()
    match = models.OneToOneField(Match, models.CASCADE, null=True, related_name="+")

    class Meta:
        ordering: ClassVar = ["of", "position"]
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(name="leg_has_its_place", fields=["of", "position"]),
            models.UniqueConstraint(name="deal_has_two_legs", fields=["deal", "is_swapped"]),
        ]

    def __str__(self) -> str:
        """Without what it is mirrored with."""
        return f"leg {self.position}"
