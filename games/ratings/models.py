"""The ratings of bots and the round robins that they come from; the ratings of people."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from games.matches.models import Match
from games.simulations.models import Simulation


class BotRating(models.Model):
    """The rating of a bot of a game from outside by its round robin (`cardroom.arena.ranking`).

    Bots of this tree have theirs with the tree (``games.ratings.computers``): their rows, which
    earlier releases wrote, are read no more.
    """

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
    """The bots of a game play each other, in simulations without an owner.

    ``version`` names the package that they come from, as it was installed then.
    """

    game = models.CharField(max_length=32)
    version = models.TextField(db_default="")
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


class RatingEra(models.Model):
    """Ratings of people begin with the matches that start from ``since`` on. One row.

    Earlier ones did not say before they began that they would be rated. Of all that finished
    before ``until`` each that is rated is there.
    """

    since = models.DateTimeField()
    until = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"since {self.since}, until {self.until}"


class RatedMatch(models.Model):
    """A finished match that people are rated by: at its place in the order of its board.

    ``board`` is the text of a ``games.ratings.scale.Board``. An operator takes a match out of the
    ratings by ``annulled_at``; what followed from it is computed again until ``is_settled``.
    """

    match = models.OneToOneField(Match, models.CASCADE, primary_key=True, related_name="+")
    board = models.CharField(max_length=64)
    at = models.DateTimeField(help_text="When it finished")
    annulled_at = models.DateTimeField(null=True)
    is_settled = models.BooleanField(default=True)

    class Meta:
        verbose_name_plural = "rated matches"
        ordering: ClassVar = ["at", "match"]
        default_permissions: ClassVar = ("view",)
        indexes: ClassVar = [
            models.Index(name="rated_match_in_order", fields=["board", "at", "match"]),
            models.Index(
                name="rated_match_to_settle", fields=["at"], condition=Q(is_settled=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.board} {self.match_id}"


class RatedSeat(models.Model):
    """The belief in the strength of one seat's player after a match.

    The belief before is that of the match before, less certain by the time between. A computer
    (``account`` is null) keeps the belief that its nights gave by then.
    """

    rated_match = models.ForeignKey(
        RatedMatch, models.CASCADE, related_name="rated_seats", db_index=False
    )
    seat = models.PositiveSmallIntegerField()
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+", db_index=False
    )
    board = models.CharField(max_length=64)
    at = models.DateTimeField()
    side = models.PositiveSmallIntegerField()
    place = models.PositiveSmallIntegerField()
    mean_before = models.FloatField()
    variance_before = models.FloatField()
    mean = models.FloatField()
    variance = models.FloatField()

    class Meta:
        ordering: ClassVar = ["rated_match", "seat"]
        default_permissions: ClassVar = ("view",)
        constraints: ClassVar = [
            models.UniqueConstraint(name="seat_is_rated_once", fields=["rated_match", "seat"]),
        ]
        indexes: ClassVar = [
            models.Index(
                name="rated_seat_of_account",
                fields=["account", "board", "-at", "-rated_match"],
                condition=Q(account__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.board} {self.rated_match_id} seat {self.seat}"


class PersonRating(models.Model):
    """The newest belief in the strength of a person on a board, for lists and profiles.

    ``settled_until``: when the deviation has grown so far with time that it is provisional.
    """

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    board = models.CharField(max_length=64)
    mean = models.FloatField()
    variance = models.FloatField()
    matches = models.PositiveIntegerField()
    at = models.DateTimeField(help_text="When the last match finished")
    settled_until = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["board", "-mean", "account"]
        default_permissions: ClassVar = ("view",)
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="person_has_one_rating_on_a_board", fields=["account", "board"]
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                name="rating_on_board",
                fields=["board", "-mean", "account"],
                include=["settled_until", "matches", "at"],
            ),
        ]

    def __str__(self) -> str:
        return f"{self.board} {self.account_id}: {self.mean}"
