"""The members of a league, its weeks, and where each of its players stood in one."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from games.leagues.rules import DOWN, ROOM, STAYS, UP


class Membership(models.Model):
    """An account that plays in the league of a game, this week and the next ones."""

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    game = models.CharField(max_length=32)
    joined_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["game", "joined_at", "id"]
        default_permissions: ClassVar = ("view",)
        constraints: ClassVar = [
            models.UniqueConstraint(name="account_joins_a_league_once", fields=["account", "game"]),
        ]
        indexes: ClassVar = [models.Index(name="members_of_league", fields=["game", "joined_at"])]

    def __str__(self) -> str:
        return f"{self.game} {self.account_id}"


class Week(models.Model):
    """A week of a league, from Monday to Monday (UTC)."""

    game = models.CharField(max_length=32)
    monday = models.DateField()
    opened_at = models.DateTimeField(db_default=Now())
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["-monday", "game"]
        default_permissions: ClassVar = ("view",)
        constraints: ClassVar = [
            models.UniqueConstraint(name="league_has_a_week_once", fields=["game", "monday"]),
            models.UniqueConstraint(
                name="league_has_one_week_running",
                fields=["game"],
                condition=Q(closed_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.monday}"


class Line(models.Model):
    """A player in a division of a week. ``earlier``: the line of the week before it follows from.

    Matches count that ended from ``since`` on. The result is written when the week is closed.
    """

    class Move(models.TextChoices):
        UP = UP
        STAYS = STAYS
        DOWN = DOWN

    week = models.ForeignKey(Week, models.CASCADE, related_name="lines", db_index=False)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    tier = models.PositiveSmallIntegerField()
    division = models.PositiveSmallIntegerField()
    slot = models.PositiveSmallIntegerField()
    since = models.DateTimeField()
    rating = models.FloatField(null=True, help_text="When they came, if it was settled")
    earlier = models.OneToOneField("self", models.SET_NULL, null=True, related_name="later")
    points = models.PositiveSmallIntegerField(null=True)
    matches = models.PositiveSmallIntegerField(null=True)
    place = models.PositiveSmallIntegerField(null=True)
    move = models.CharField(max_length=5, choices=Move.choices, blank=True, default="")

    class Meta:
        ordering: ClassVar = ["week", "tier", "division", "slot"]
        default_permissions: ClassVar = ("view",)
        constraints: ClassVar = [
            models.UniqueConstraint(name="account_plays_a_week_once", fields=["account", "week"]),
            models.UniqueConstraint(
                name="slot_of_a_division_is_taken_once",
                fields=["week", "tier", "division", "slot"],
                deferrable=models.Deferrable.DEFERRED,  # a repair moves several
            ),
            models.CheckConstraint(name="division_has_thirty_slots", condition=Q(slot__lt=ROOM)),
            models.CheckConstraint(
                name="line_of_a_closed_week_has_a_result",
                condition=Q(points=None, matches=None, place=None, move="")
                | Q(points__isnull=False, matches__isnull=False, place__isnull=False) & ~Q(move=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tier}.{self.division}.{self.slot}"
