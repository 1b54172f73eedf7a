"""Simulations: the request, its parts with their figures, the report."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from cardroom.rules.game import AnyGame
from config.uuid7 import uuid7
from games.absent import NEWEST, rules_of


class Simulation(models.Model):
    """Many matches played by the arena; nothing of them is stored but the figures.

    One without an owner is in nobody's list: a service started it and points to it.
    """

    class Status(models.TextChoices):
        RUNNING = "running"
        FINISHED = "finished"
        CANCELLED = "cancelled"
        FAILED = "failed"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="simulations", null=True
    )
    requester = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        related_name="+",
        null=True,
        help_text="On whose share of the workers it is played",
    )
    request = models.BinaryField(help_text="cardroom.arena.request.SimulationRequest as JSON")
    game = models.CharField(max_length=32)
    games = models.PositiveIntegerField()
    served_at = models.DateTimeField(null=True, help_text="When a worker last took a part")
    seconds = models.FloatField(default=0, db_default=0, help_text="What workers spent on it")
    claimed = models.PositiveIntegerField(default=0, help_text="Matches claimed by workers")
    played = models.PositiveIntegerField(default=0)
    status = models.CharField(max_length=9, choices=Status.choices, default=Status.RUNNING)
    fault = models.TextField(blank=True)
    report = models.BinaryField(null=True)
    created_at = models.DateTimeField(db_default=Now())
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.CheckConstraint(
                name="simulation_plays_no_more_than_asked",
                condition=Q(claimed__lte=F("games"), played__lte=F("claimed")),
            ),
            models.CheckConstraint(
                name="simulation_has_a_report_when_finished",
                condition=Q(status="finished", report__isnull=False)
                | (~Q(status="finished") & Q(report__isnull=True)),
            ),
        ]
        indexes: ClassVar = [
            models.Index(name="simulation_running", fields=["id"], condition=Q(status="running")),
            models.Index(name="simulation_of_owner", fields=["owner", "-id"]),
        ]

    def __str__(self) -> str:
        return f"{self.games} × {self.game}"

    @property
    def rules(self) -> AnyGame:
        return rules_of(self.game, NEWEST)


class SimulationPart(models.Model):
    """A range of a simulation's matches, claimed by a worker, and its figures once they are stored.

    A part that takes long is paused and waits for the next worker. One that never comes back (its
    worker was killed) is claimed again, from where it last paused: the same matches give the same
    figures anywhere, so a late first answer does no harm.
    """

    simulation = models.ForeignKey(
        Simulation, on_delete=models.CASCADE, related_name="parts", db_index=False
    )
    first = models.PositiveIntegerField()
    games = models.PositiveIntegerField()
    figures = models.BinaryField(null=True)
    paused = models.BinaryField(null=True, help_text="cardroom.arena.request.PausedPart as JSON")
    given_at = models.DateTimeField(
        db_default=Now(), null=True, help_text="Empty while it waits for the next worker"
    )

    class Meta:
        ordering: ClassVar = ["simulation", "first"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="simulation_part_is_there_once", fields=["simulation", "first"]
            ),
        ]

    def __str__(self) -> str:
        return f"matches {self.first} to {self.first + self.games - 1}"


class SimulationPicture(models.Model):
    """A plot of a finished simulation, drawn once by a worker."""

    simulation = models.ForeignKey(
        Simulation, on_delete=models.CASCADE, related_name="pictures", db_index=False
    )
    name = models.CharField(max_length=32)
    png = models.BinaryField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="simulation_picture_is_there_once", fields=["simulation", "name"]
            ),
        ]

    def __str__(self) -> str:
        return self.name
