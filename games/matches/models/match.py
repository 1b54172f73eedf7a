"""A match as it stands now."""

import secrets
from typing import TYPE_CHECKING, Any, ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from cardroom.rules.game import AnyGame
from config.uuid7 import uuid7
from games.absent import rules_of

if TYPE_CHECKING:
    from games.matches.snapshot import MatchSnapshot


def new_seed() -> bytes:
    """A match's secret: 32 bytes from the operating system (FORMAT.md §1)."""
    return secrets.token_bytes(32)


class Match(models.Model):
    """One contest between seats.

    fillfactor 70 (migration 0001) and no index on anything that changes with every move keep
    updates in their page (HOT). The row is the outbox too: ``bot_due_at`` says that a bot has to
    move, whatever becomes of the messages about it.
    """

    class Status(models.TextChoices):
        OPEN = "open"
        ACTIVE = "active"
        FINISHED = "finished"
        ABORTED = "aborted"

    class Visibility(models.TextChoices):
        PUBLIC = "public"
        UNLISTED = "unlisted"
        PRIVATE = "private"

    class OnTimeout(models.TextChoices):
        """What happens to a person whose time for a move is up."""

        RESIGN = "resign"
        BOT_MOVE = "bot_move"
        BOT_TAKES_OVER = "bot_takes_over"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    game = models.CharField(max_length=32)
    rules_version = models.PositiveSmallIntegerField(default=1)
    options = models.BinaryField()
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.OPEN)
    visibility = models.CharField(
        max_length=8, choices=Visibility.choices, default=Visibility.UNLISTED
    )
    creator = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,  # match_opened_by begins with it
    )
    rated = models.BooleanField(default=True)
    rated_wish = models.BooleanField(
        null=True, help_text="Whether it was to be rated; none: where that is possible"
    )

    coached = models.BooleanField(
        default=False, db_default=False, help_text="Whether its player switched the coach on"
    )

    version = models.PositiveIntegerField(default=0)
    round = models.PositiveIntegerField(default=0)
    to_act = ArrayField(models.PositiveSmallIntegerField(), default=list)
    state = models.BinaryField(null=True)
    outcome = models.BinaryField(null=True)

    seed = models.BinaryField(default=new_seed)
    commitment = models.CharField(max_length=64)
    deal = models.ForeignKey(
        "SharedDeal",
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        db_index=False,  # matches of a deal are looked for among those that run
        help_text="The deal that other matches have too",
    )
    shuffles_used = models.PositiveIntegerField(default=0)

    turn_seconds = models.PositiveIntegerField(null=True)
    on_timeout = models.CharField(
        max_length=16,
        choices=OnTimeout.choices,
        default=OnTimeout.RESIGN,
        db_default=OnTimeout.RESIGN,
    )
    clock = models.BinaryField(
        null=True, help_text="The banks of time of the people, where the match has them"
    )
    deadline_at = models.DateTimeField(null=True)
    watch_delay = models.PositiveSmallIntegerField(
        default=0, db_default=0, help_text="Plies by which watchers see it later"
    )
    bot_due_at = models.DateTimeField(null=True)

    parent = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="loads")
    parent_version = models.PositiveIntegerField(null=True)
    loaded = models.BinaryField(null=True)
    past_was_told = models.BooleanField(
        null=True, help_text="Whether anybody could read all that it was loaded from then"
    )
    previous = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, related_name="rematches"
    )

    take_back = models.BinaryField(
        null=True, help_text="The last wish of the players to take a round back"
    )

    plans = models.PositiveIntegerField(
        default=0, db_default=0, help_text="Another number with each change; odd: a plan stands"
    )
    answer_by = models.DateTimeField(
        null=True, help_text="Of a challenge: until then it can be accepted; a no calls it off"
    )

    created_at = models.DateTimeField(db_default=Now())
    updated_at = models.DateTimeField(db_default=Now())
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = "matches"
        ordering: ClassVar = ["-id"]
        permissions: ClassVar = [
            ("abort_match", "Can abort a match"),
            ("repair_match", "Can pay bot turns, hand seats to bots and change deadlines"),
            ("adjudicate_match", "Can decide a match"),
            ("roll_back_match", "Can roll a match back to a round"),
            ("close_match", "Can close a match to spectators and write to its players"),
            ("audit_match", "Can verify a match by replay and export its record"),
            ("watch_private_match", "Can open the table of a private match"),
            ("see_hidden_cards", "Can see the table of a running match as its seats see it"),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(
                name="match_has_a_state_from_its_start_on",
                condition=Q(status__in=["open", "aborted"]) | Q(state__isnull=False),
            ),
            models.CheckConstraint(
                name="match_has_an_outcome_when_it_is_over",
                condition=Q(status__in=["open", "active"], outcome__isnull=True)
                | Q(status__in=["finished", "aborted"], outcome__isnull=False),
            ),
            models.CheckConstraint(
                name="match_waits_for_nobody_unless_active",
                condition=Q(status="active")
                | Q(to_act=[], bot_due_at__isnull=True, deadline_at__isnull=True),
            ),
            models.CheckConstraint(
                name="match_that_was_loaded_names_its_save",
                condition=Q(parent__isnull=True, parent_version__isnull=True, loaded__isnull=True)
                | Q(parent__isnull=False, parent_version__isnull=False, loaded__isnull=False),
            ),
        ]
        indexes: ClassVar = [
            models.Index(name="match_active", fields=["id"], condition=Q(status="active")),
            models.Index(name="match_open", fields=["-id"], condition=Q(status="open")),
            models.Index(
                name="match_opened_and_not_over",
                fields=["creator", "-id"],
                include=["status"],  # asked for alone; without it the planner walks all that run
                condition=Q(status__in=["open", "active"]),
            ),
            models.Index(
                name="match_loaded_and_open",
                fields=["parent"],
                condition=Q(status="open", parent__isnull=False),
            ),
            models.Index(
                name="match_finished", fields=["finished_at"], condition=Q(status="finished")
            ),
            models.Index(
                name="match_answer_due",
                fields=["answer_by"],
                condition=Q(status="open", answer_by__isnull=False),
            ),
            models.Index(name="match_public", fields=["-id"], condition=Q(visibility="public")),
            models.Index(name="match_opened_by", fields=["creator", "-id"]),
            models.Index(
                name="match_running_in_public",
                fields=["-id"],
                condition=Q(status="active", visibility="public"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.id}"

    @classmethod
    def on_same_terms(cls, previous: "MatchSnapshot", **other: Any) -> "Match":
        """A new match of the same game, options and clock, watched by the same people.

        ``other`` are the columns that differ or are new.
        """
        return cls(
            game=previous.game,
            options=previous.options_json,
            visibility=previous.visibility,
            turn_seconds=previous.turn_seconds,
            on_timeout=previous.on_timeout,
            clock=previous.banks.terms.encode() if previous.banks else None,
            watch_delay=previous.watch_delay,
            **other,
        )

    @property
    def rules(self) -> AnyGame:
        return rules_of(self.game, self.rules_version)
