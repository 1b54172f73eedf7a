"""Results of people and the numbers that follow from them. ``counting`` writes them all."""

from typing import ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from games.matches.models import Match

SEVERAL: Final = "*"  # computers of several kinds


class Outcome(models.TextChoices):
    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"


class Result(models.Model):
    """The end of a finished match for a person who held one seat of it.

    ``side`` counts the seats that win together. ``bot`` is the computer that they played against,
    ``*`` where there were several kinds, empty where a person was among the opponents.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="+", db_index=False)
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    game = models.CharField(max_length=32)
    side = models.PositiveSmallIntegerField()
    outcome = models.CharField(max_length=5, choices=Outcome.choices)
    place = models.PositiveSmallIntegerField()
    bot = models.CharField(max_length=64, blank=True, default="")
    is_public = models.BooleanField(help_text="Whether everybody could see the match at its end")

    class Meta:
        ordering: ClassVar = ["-match_id"]
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(name="person_has_one_result", fields=["match", "account"]),
        ]
        indexes: ClassVar = [
            models.Index(name="result_of_person", fields=["account", "-match"]),
            models.Index(
                name="result_in_public",
                fields=["account", "-match"],
                condition=Q(is_public=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.outcome} {self.match_id}"


class Counts(models.Model):
    """Matches that were won, drawn and lost."""

    won = models.PositiveIntegerField(default=0)
    drawn = models.PositiveIntegerField(default=0)
    lost = models.PositiveIntegerField(default=0)

    class Meta:
        abstract = True


class Tally(Counts):
    """The results of a person in a game against people (``bot`` is empty) or computers."""

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    game = models.CharField(max_length=32)
    bot = models.CharField(max_length=64, blank=True, default="")

    class Meta:
        verbose_name_plural = "tallies"
        ordering: ClassVar = ["account", "game", "bot"]
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(name="tally_is_kept_once", fields=["account", "game", "bot"]),
        ]

    def __str__(self) -> str:
        return f"{self.won}-{self.drawn}-{self.lost}"


class Meeting(Counts):
    """The results of a person in a game against another, on whichever seats."""

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    opponent = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    game = models.CharField(max_length=32)

    class Meta:
        ordering: ClassVar = ["account", "opponent", "game"]
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="meeting_is_kept_once", fields=["account", "opponent", "game"]
            ),
            models.CheckConstraint(
                name="nobody_meets_themselves", condition=~Q(account=F("opponent"))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.won}-{self.drawn}-{self.lost}"


class Progress(models.Model):
    """All matches that finished before ``until`` are counted. One row."""

    until = models.DateTimeField()

    class Meta:
        verbose_name_plural = "progress"
        default_permissions = ()

    def __str__(self) -> str:
        return f"until {self.until}"
