"""The deals of each day, who played them, and what computers made of them."""

import datetime
from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now

from config.uuid7 import uuid7
from games.matches.models import Match, SharedDeal


class DailyDeal(models.Model):
    """The deal of a game that everybody plays on a day; ``deal`` is its seal."""

    day = models.DateField()
    game = models.CharField(max_length=32)
    options = models.BinaryField()
    bots = ArrayField(models.CharField(max_length=64))
    deal = models.OneToOneField(SharedDeal, models.PROTECT, related_name="+")
    published_at = models.DateTimeField(db_default=Now())
    best: "models.ForeignKey[Match | None, Match | None]" = models.ForeignKey(
        Match, models.SET_NULL, null=True, related_name="+", db_index=False
    )

    class Meta:
        ordering: ClassVar = ["-day", "id"]
        default_permissions: ClassVar = ("view",)
        constraints: ClassVar = [
            models.UniqueConstraint(name="day_has_one_deal_of_a_game", fields=["day", "game"]),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.day}"

    @property
    def is_over(self) -> bool:
        """Whether it is revealed. Read it with its ``deal``."""
        return self.deal.revealed_at is not None

    @property
    def ends_at(self) -> datetime.datetime:
        following = self.day + datetime.timedelta(days=1)
        return datetime.datetime.combine(following, datetime.time(), datetime.UTC)


class Entry(models.Model):
    """The one try of an account. Its score and feat are written when the deal is revealed.

    The score stays empty where the match was not played to its end.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    daily = models.ForeignKey(
        DailyDeal, models.CASCADE, related_name="entries", db_index=False
    )  # day_is_tried_once begins with it
    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    match = models.OneToOneField(Match, models.CASCADE, related_name="+")
    at = models.DateTimeField(db_default=Now())
    score = models.SmallIntegerField(null=True)
    has_feat = models.BooleanField(
        null=True, help_text="Whether the person did what gives a title, in a match with a score"
    )

    class Meta:
        verbose_name_plural = "entries"
        ordering: ClassVar = ["-id"]
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(name="day_is_tried_once", fields=["daily", "account"]),
        ]
        indexes: ClassVar = [
            models.Index(
                name="entry_by_score",
                fields=["daily", "-score", "id"],
                condition=models.Q(score__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"entry {self.id}"


class ComputerScores(models.Model):
    """A computer's scores in a revealed deal on the person's seat, one a match."""

    daily = models.ForeignKey(
        DailyDeal, models.CASCADE, related_name="computers", db_index=False
    )  # computer_plays_a_deal_once begins with it
    bot = models.CharField(max_length=64)
    scores = ArrayField(models.SmallIntegerField(), default=list)
    paused = models.BinaryField(null=True, help_text="games.daily.playing.Paused as JSON")

    class Meta:
        verbose_name_plural = "scores of computers"
        ordering: ClassVar = ["daily", "id"]
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(name="computer_plays_a_deal_once", fields=["daily", "bot"]),
        ]

    def __str__(self) -> str:
        return f"{self.bot}: {len(self.scores)}"
