"""The seats of a match, and what became of the invitations to them."""

from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import OpClass
from django.db import models
from django.db.models import Q
from django.db.models.functions import Upper

if TYPE_CHECKING:
    from accounts.models import User
from games.matches.models.match import Match


class Seat(models.Model):
    """A place in a match. An invited seat is ``open`` and names the person it waits for.

    One that was declined names the person who declined, and is kept until the host decides.
    """

    class Kind(models.TextChoices):
        OPEN = "open"
        USER = "user"
        LOCAL = "local"
        BOT = "bot"

    class Declined(models.TextChoices):
        """Why an invited person does not come."""

        GAME = "game"
        TIME = "time"
        BUSY = "busy"
        GENERIC = "generic"

    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, related_name="seats", db_index=False
    )  # seat_is_there_once begins with it
    index = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=5, choices=Kind.choices)
    user: "models.ForeignKey[User | None, User | None]" = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        related_name="seats",
        db_index=False,  # seat_of_user begins with it
    )
    invited: "models.ForeignKey[User | None, User | None]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="invitations"
    )
    bot = models.CharField(max_length=64, blank=True)
    name = models.CharField(max_length=64, blank=True)
    side_deck = ArrayField(models.CharField(max_length=8), null=True)
    points = models.IntegerField(default=0)
    place = models.PositiveSmallIntegerField(null=True)
    resigned_at = models.PositiveIntegerField(null=True, help_text="The version of its resignation")
    timed_out = models.BooleanField(default=False)
    stand_in = models.CharField(
        max_length=64,
        blank=True,
        default="",  # a row that is not yet written has no value of the database
        db_default="",
        help_text="The bot that plays for its person",
    )
    handed_by_clock = models.BooleanField(
        default=False,
        db_default=False,
        help_text="The bot plays since its person's time was up; the person may take it back",
    )
    extra_seconds = models.IntegerField(
        default=0, db_default=0, help_text="Time beyond the limit for one choice"
    )
    extra_version = models.PositiveIntegerField(
        null=True, help_text="The version since which the time of that choice runs"
    )
    for_friends = models.BooleanField(
        default=False, db_default=False, help_text="Free for friends of the host alone"
    )
    awaited = models.BooleanField(
        default=False,
        db_default=False,
        help_text="Without a first move of its person in time the match is called off",
    )
    came = models.BooleanField(
        default=False,
        db_default=False,
        help_text="Its person has looked at the match since it began, where a tournament asks",
    )
    declined = models.CharField(
        max_length=8,
        choices=Declined.choices,
        blank=True,
        default="",
        db_default="",
        help_text="Why the invited person declined",
    )

    class Meta:
        ordering: ClassVar = ["match", "index"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="seat_is_there_once", fields=["match", "index"]),
            models.UniqueConstraint(
                name="user_takes_one_seat_of_a_match",
                fields=["match", "user"],
                condition=Q(kind="user"),
            ),
            models.CheckConstraint(
                name="seat_has_one_occupant",
                condition=Q(kind="open", user__isnull=True, bot="")
                | Q(kind__in=["user", "local"], user__isnull=False, bot="")
                | (Q(kind="bot", user__isnull=True) & ~Q(bot="")),
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                name="seat_of_user", fields=["user", "-match"], condition=Q(user__isnull=False)
            ),
            models.Index(
                name="seat_unfinished",
                fields=["user", "-match"],
                include=["index"],
                condition=Q(user__isnull=False, place__isnull=True),
            ),
            models.Index(
                OpClass(Upper("name"), name="text_pattern_ops"),
                name="seat_local_name",
                condition=Q(kind="local"),
            ),
            models.Index(name="seat_handed_over", fields=["match"], condition=~Q(stand_in="")),
            models.Index(
                name="seat_invites", fields=["invited", "-match"], condition=Q(kind="open")
            ),
        ]

    def __str__(self) -> str:
        return f"seat {self.index}: {self.name or self.kind}"


class InvitationNews(models.Model):
    """What became of an invitation, for ``user``: when it was sent again, declined or withdrawn.

    Of one kind, seat and person only the last counts: inviting in a loop writes no more rows.
    """

    class Kind(models.TextChoices):
        INVITED = "invited"
        DECLINED = "declined"
        WITHDRAWN = "withdrawn"

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+", db_index=False)
    seat = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    kind = models.CharField(max_length=9, choices=Kind.choices)
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="invitation_news_is_told_once", fields=["match", "seat", "user", "kind"]
            ),
        ]
        indexes: ClassVar = [
            models.Index(name="invitation_news_of_user", fields=["user", "-match"]),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: seat {self.seat}"
