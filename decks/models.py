"""Saved side decks, and the measurements of their strength.

A match takes a copy of a deck, so nothing here ever touches a match (pazaak R2).
"""

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now, Upper

from cardroom.rules.pazaak.side_cards import CODES, DECK_SIZE
from config.uuid7 import uuid7

NAME_LENGTH = 40


class Deck(models.Model):
    """Ten side cards of one owner, in catalogue order."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="decks"
    )
    name = models.CharField(max_length=NAME_LENGTH)
    cards = ArrayField(models.CharField(max_length=4))
    is_default = models.BooleanField(default=False)
    created_at = models.DateTimeField(db_default=Now())
    updated_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                "owner", Upper("name"), name="deck_name_is_unique_regardless_of_case"
            ),
            models.UniqueConstraint(
                name="owner_has_one_default_deck", fields=["owner"], condition=Q(is_default=True)
            ),
            models.CheckConstraint(name="deck_has_ten_cards", condition=Q(cards__len=DECK_SIZE)),
            models.CheckConstraint(
                name="deck_has_known_cards_only", condition=Q(cards__contained_by=list(CODES))
            ),
            models.CheckConstraint(name="deck_has_a_name", condition=~Q(name="")),
        ]

    def __str__(self) -> str:
        return self.name


class Measurement(models.Model):
    """The odds of ten cards against ten others, or the findings of the deck doctor: a simulation
    without an owner.

    One row for all decks of the same cards under the same rules. The doctor's is ``against`` a
    field and has a seed: ``public 1``, or the rivals' codes instead of its name.
    """

    code = models.CharField(max_length=9)  # the ten cards, as their share code
    against = models.CharField(max_length=120)
    rules_version = models.PositiveSmallIntegerField()
    simulation = models.OneToOneField(
        "games.Simulation", on_delete=models.CASCADE, null=True, related_name="measurement"
    )
    asked_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering: ClassVar = ["-asked_at"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="cards_are_measured_once_against_others",
                fields=["code", "against", "rules_version"],
            ),
        ]

    def __str__(self) -> str:
        return self.code

    @property
    def holds(self) -> bool:
        """Whether it is being played or done: not of an earlier release, failed or cancelled."""
        return self.simulation is not None and self.simulation.status in ("running", "finished")
