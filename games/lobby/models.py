"""A wish to play anybody, challenges, the matches of a series, and the filter of a lobby.

A seek waits until it is paired or ends, and is kept for a while; so does a challenge.
"""

from typing import ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from config.uuid7 import uuid7
from games.matches.models import Match
from games.matches.time_bank import Pace, find_pace, is_pace

MOST_SEATS: Final = 8


class Seek(models.Model):
    """One account's wish for a match with anybody: of a game one waits at a time.

    ``options`` are what preset and number of seats come to (msgspec JSON, as of a match), so that
    two presets of the same rules meet. ``computers_after`` are seconds; none: people only.
    """

    class Ending(models.TextChoices):
        """The reason why a seek ended without a match."""

        WITHDRAWN = "withdrawn"  # by the person, who may have sought something else since
        LAPSED = "lapsed"  # there was no sign of life
        REFUSED = "refused"  # the person may not open or join a match now

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )  # seek_of_account begins with it
    game = models.CharField(max_length=32)
    preset = models.CharField(max_length=64, blank=True)
    options = models.BinaryField()
    pace = models.CharField(max_length=16)
    rated = models.BooleanField(default=True)
    seats = models.PositiveSmallIntegerField()
    computers_after = models.PositiveIntegerField(null=True, help_text="Seconds; none: people only")
    key = models.CharField(max_length=64, null=True)  # noqa: DJ001 - no key is not an empty key
    created_at = models.DateTimeField(db_default=Now())
    seen_at = models.DateTimeField(db_default=Now(), help_text="The last sign of life")
    match = models.ForeignKey(Match, models.CASCADE, null=True, related_name="+")
    paired_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    ending = models.CharField(max_length=9, choices=Ending.choices, blank=True, default="")

    class Meta:
        ordering: ClassVar = ["-id"]
        default_permissions: ClassVar = ("view",)
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="account_waits_once_for_a_game",
                fields=["account", "game"],
                condition=Q(match__isnull=True, ended_at__isnull=True),
            ),
            models.UniqueConstraint(
                name="seek_answers_a_key_of_its_account_once",
                fields=["account", "key"],
                condition=Q(key__isnull=False),
            ),
            models.CheckConstraint(
                name="seek_is_paired_with_a_match",
                condition=Q(match__isnull=True, paired_at__isnull=True)
                | Q(match__isnull=False, paired_at__isnull=False, ended_at__isnull=True),
            ),
            models.CheckConstraint(
                name="seek_that_ended_says_why",
                condition=Q(ended_at__isnull=True, ending="")
                | (Q(ended_at__isnull=False) & ~Q(ending="")),
            ),
        ]
        indexes: ClassVar = [
            models.Index(name="seek_of_account", fields=["account", "-id"]),
            models.Index(
                name="seek_waits",
                fields=["created_at"],
                condition=Q(match__isnull=True, ended_at__isnull=True),
            ),
            models.Index(
                name="seek_was_paired", fields=["paired_at"], condition=Q(match__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"seek {self.id}"

    @property
    def status(self) -> str:
        if self.match_id is not None:
            return "paired"
        return "waiting" if self.ended_at is None else "ended"

    @property
    def is_known(self) -> bool:
        """Whether this release has its game and its pace; else it is for a process that has."""
        return is_pace(self.pace) and any(game.slug == self.game for game in catalog.GAMES)

    @property
    def rules(self) -> AnyGame:
        return catalog.find(self.game)

    @property
    def named_pace(self) -> Pace:
        return find_pace(self.pace)


class Challenge(models.Model):
    """An open match whose last seat waits for one person's answer, until ``match.answer_by``.

    Its terms are those of the match, and what became of it says the match too: it began, its seat
    was declined, or it was called off. Without a ``challenged`` it was to a computer, and began.
    """

    match = models.OneToOneField(Match, models.CASCADE, primary_key=True, related_name="challenge")
    challenger = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )  # challenge_of_challenger begins with it
    challenged = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+", db_index=False
    )  # challenge_to_challenged begins with it
    terms = models.CharField(max_length=64, help_text="A digest of what was asked for")
    key = models.CharField(max_length=64, null=True)  # noqa: DJ001 - no key is not an empty key
    lapsed = models.BooleanField(default=False, help_text="Nobody answered in time")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering: ClassVar = ["-match"]
        default_permissions: ClassVar = ("view",)
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="challenge_answers_a_key_of_its_account_once",
                fields=["challenger", "key"],
                condition=Q(key__isnull=False),
            ),
        ]
        indexes: ClassVar = [
            models.Index(name="challenge_of_challenger", fields=["challenger", "-match"]),
            models.Index(name="challenge_to_challenged", fields=["challenged", "-match"]),
            models.Index(name="challenge_made", fields=["created_at"]),
        ]

    def __str__(self) -> str:
        return f"challenge {self.match_id}"


class SeriesMatch(models.Model):
    """A match of a series: the same people once more, and once more.

    It follows from ``Match.previous``. ``series`` is the id of the first match, kept also when that
    one is deleted. Seat 0 of the first match is seat ``-turned`` of this one, round the table. The
    score is counted from the matches when it is shown, so there is no number that could be wrong.
    """

    match = models.OneToOneField(Match, models.CASCADE, primary_key=True, related_name="+")
    series = models.UUIDField()
    turned = models.PositiveIntegerField()

    class Meta:
        default_permissions: ClassVar = ("view",)
        verbose_name_plural = "series matches"
        indexes: ClassVar = [models.Index(name="match_of_series", fields=["series", "match"])]

    def __str__(self) -> str:
        return f"match {self.match_id} of series {self.series}"


class LobbyFilter(models.Model):
    """The tables that an account looks for in the lobby; a visitor's is a cookie of the browser."""

    account = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="+"
    )
    chosen = models.CharField(max_length=200)

    class Meta:
        default_permissions: ClassVar = ()

    def __str__(self) -> str:
        return self.chosen
