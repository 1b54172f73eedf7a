"""The ratings of bots, and the round robins that they come from."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from games.simulations.models import Simulation


class BotRating(models.Model):
    """The rating of a bot by the last round robin of its game (`games.arena.ranking`)."""

    game = models.CharField(max_length=32)
    bot = models.CharField(max_length=64)
    rating = models.FloatField()
    low = models.FloatField(help_text="End of the 95 % interval")
    high = models.FloatField(help_text="End of the 95 % interval")
    matches = models.PositiveIntegerField()
    rated_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["game", "-rating"]
        default_permissions: ClassVar = ("view",)
        constraints: ClassVar = [
            models.UniqueConstraint(name="bot_is_rated_once", fields=["game", "bot"]),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.bot}: {self.rating:.0f}"


class RoundRobin(models.Model):
    """The bots of a game play each other, in simulations without an owner."""

    game = models.CharField(max_length=32)
    started_at = models.DateTimeField(db_default=Now())
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["-id"]
        default_permissions: ClassVar = ("view",)
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="game_has_one_round_robin_running",
                fields=["game"],
                condition=Q(finished_at=None),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.started_at:%Y-%m-%d}"


class Pairing(models.Model):
    """Two bots of a round robin; it goes with its simulation, which is deleted once it is read."""

    round_robin = models.ForeignKey(RoundRobin, on_delete=models.CASCADE, related_name="pairings")
    one = models.CharField(max_length=64)
    other = models.CharField(max_length=64)
    simulation = models.OneToOneField(Simulation, on_delete=models.CASCADE, related_name="pairing")

    class Meta:
        default_permissions: ClassVar = ("view",)
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="two_bots_meet_once", fields=["round_robin", "one", "other"]
            ),
        ]

    def __str__(self) -> str:
        return f"{self.one} – {self.other}"
