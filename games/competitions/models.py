"""Tournaments, who takes part, and the boards of their rounds. Standings follow from the boards."""

from typing import ClassVar

import msgspec
from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import DISPLAY_NAME_LENGTH
from cardroom.rules.game import AnyGame
from cardroom.rules.values import Options
from config.uuid7 import uuid7
from games.absent import rules_of
from games.competitions.rules import ARENA, KNOCKOUT, ROUND_ROBIN, SWISS
from games.matches.models import Match
from games.matches.time_bank import Pace, find_pace


class Tournament(models.Model):
    """A tournament: its terms, fixed when it is created, and its progress.

    ``version`` goes up with every change that somebody can see. ``round`` is the last one paired;
    in an arena the number of boards so far.
    """

    class Form(models.TextChoices):
        SWISS = SWISS
        ROUND_ROBIN = ROUND_ROBIN
        KNOCKOUT = KNOCKOUT
        ARENA = ARENA

    class Visibility(models.TextChoices):
        PUBLIC = "public"  # listed
        LINK = "link"  # for those who have its address: unlisted, as a match is
        PRIVATE = "private"  # for those whom its creator invites

    class Status(models.TextChoices):
        ANNOUNCED = "announced"
        RUNNING = "running"
        FINISHED = "finished"
        ABORTED = "aborted"

    class Ending(models.TextChoices):
        """The reason why it was called off."""

        TOO_FEW = "too_few"
        CREATOR = "creator"
        OPERATOR = "operator"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    name = models.CharField(max_length=DISPLAY_NAME_LENGTH)
    creator = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    form = models.CharField(max_length=16, choices=Form.choices)
    visibility = models.CharField(max_length=8, choices=Visibility.choices)
    game = models.CharField(max_length=32)
    rules_version = models.PositiveIntegerField()
    preset = models.CharField(max_length=64, blank=True)
    options = models.BinaryField()
    pace = models.CharField(max_length=16)
    rated = models.BooleanField(default=True)
    pairs = models.PositiveSmallIntegerField(
        null=True, help_text="Of the mirrored set that each board is; none: it is not mirrored"
    )
    rounds = models.PositiveSmallIntegerField(null=True, help_text="None: by the number of players")
    minutes = models.PositiveSmallIntegerField(null=True, help_text="How long an arena takes")
    round_minutes = models.PositiveIntegerField(help_text="After these a round is decided")
    most = models.PositiveSmallIntegerField(help_text="Players")
    fill_to = models.PositiveSmallIntegerField(
        default=0, help_text="Computers come in until there are so many"
    )
    starts_at = models.DateTimeField()
    by_hand = models.BooleanField(
        default=False,
        db_default=False,
        help_text="Begins when its creator says so or it is full, at starts_at at the latest",
    )
    key = models.CharField(max_length=64, null=True)  # noqa: DJ001 - no key is not an empty key

    status = models.CharField(max_length=9, choices=Status.choices, default=Status.ANNOUNCED)
    ending = models.CharField(max_length=8, choices=Ending.choices, blank=True, default="")
    round = models.PositiveIntegerField(default=0)
    version = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(db_default=Now())
    begun_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    paused_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["-id"]
        default_permissions: ClassVar = ("view",)
        permissions: ClassVar = [
            ("run_tournament", "Can create tournaments without limits, pause and call them off")
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="tournament_answers_a_key_of_its_creator_once",
                fields=["creator", "key"],
                condition=Q(key__isnull=False),
            ),
            models.CheckConstraint(
                name="tournament_that_was_called_off_says_why",
                condition=Q(status="aborted") & ~Q(ending="") | ~Q(status="aborted") & Q(ending=""),
            ),
            models.CheckConstraint(
                name="tournament_ended_if_it_is_over",
                condition=Q(status__in=["announced", "running"], ended_at__isnull=True)
                | Q(status__in=["finished", "aborted"], ended_at__isnull=False),
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                name="tournament_is_not_over",
                fields=["starts_at"],
                condition=Q(status__in=["announced", "running"]),
            ),
            models.Index(
                name="tournament_in_public", fields=["-id"], condition=Q(visibility="public")
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def rules(self) -> AnyGame:
        return rules_of(self.game, self.rules_version)

    @property
    def chosen_options(self) -> Options:
        options: Options = self.rules.decode_options(bytes(self.options))
        return options

    @property
    def options_sent(self) -> object:
        return msgspec.json.decode(bytes(self.options))

    @property
    def named_pace(self) -> Pace:
        return find_pace(self.pace)

    @property
    def seen_by(self) -> str:
        """As the API says it, in the words that matches have."""
        return "unlisted" if self.visibility == self.Visibility.LINK else self.visibility

    @property
    def is_over(self) -> bool:
        return self.status in (self.Status.FINISHED, self.Status.ABORTED)

    @property
    def is_arena(self) -> bool:
        return self.form == ARENA


class Entrant(models.Model):
    """A person or a computer who takes part, or a person who was invited.

    ``number`` is the starting number, the strongest first; late ones have the next. ``missed``
    counts the boards in a row that were lost without a move.
    """

    class State(models.TextChoices):
        INVITED = "invited"
        JOINED = "joined"
        WITHDRAWN = "withdrawn"  # by themselves, or after boards that they did not come to
        REMOVED = "removed"  # by its organiser or an operator

    tournament = models.ForeignKey(
        Tournament, models.CASCADE, related_name="entrants", db_index=False
    )
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    bot = models.CharField(max_length=64, blank=True, default="")
    bot_number = models.PositiveSmallIntegerField(default=0, help_text="Of several of a kind")
    state = models.CharField(max_length=9, choices=State.choices, default=State.JOINED)
    number = models.PositiveSmallIntegerField(null=True)
    rating = models.FloatField(null=True)
    missed = models.PositiveSmallIntegerField(default=0)
    joined_at = models.DateTimeField(null=True)
    free_since = models.DateTimeField(null=True, help_text="When the last board ended")

    class Meta:
        ordering: ClassVar = ["tournament", "number", "id"]
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="account_takes_part_once", fields=["tournament", "account"]
            ),
            models.UniqueConstraint(
                name="starting_number_is_given_once", fields=["tournament", "number"]
            ),
            models.UniqueConstraint(
                name="computer_takes_part_once",
                fields=["tournament", "bot", "bot_number"],
                condition=~Q(bot=""),
            ),
            models.CheckConstraint(
                name="entrant_is_a_person_or_a_computer",
                condition=Q(bot="") | Q(account__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"entrant {self.number}"


class Stage(models.Model):
    """A round that was paired. ``deadline_at`` moves on while the tournament is paused."""

    tournament = models.ForeignKey(
        Tournament, models.CASCADE, related_name="stages", db_index=False
    )
    number = models.PositiveSmallIntegerField()
    paired_at = models.DateTimeField()
    deadline_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["tournament", "number"]
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(name="round_is_paired_once", fields=["tournament", "number"]),
        ]

    def __str__(self) -> str:
        return f"round {self.number}"


class Place(models.Model):
    """An entrant at a board. Nobody is at two boards of a round, or at two that are played now.

    ``points`` are half points, none while the board is undecided.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="+", db_index=False)
    round = models.PositiveIntegerField()
    board = models.ForeignKey("Board", models.CASCADE, related_name="places", db_index=False)
    seat = models.PositiveSmallIntegerField()
    entrant = models.ForeignKey(Entrant, models.CASCADE, related_name="places", db_index=False)
    points = models.PositiveSmallIntegerField(null=True)

    class Meta:
        ordering: ClassVar = ["board", "seat"]
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(name="entrant_plays_once_a_round", fields=["entrant", "round"]),
            models.UniqueConstraint(
                name="entrant_plays_one_board_at_a_time",
                fields=["entrant"],
                condition=Q(points__isnull=True),
            ),
            models.UniqueConstraint(name="place_is_taken_once", fields=["board", "seat"]),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat} of board {self.board_id}"


class Board(models.Model):
    """Two who meet in a round, or a bye. Boards of an arena are rounds of their own."""

    class Result(models.TextChoices):
        PLAYED = "played"
        BYE = "bye"
        WALKOVER = "walkover"  # somebody was not there any more
        CALLED_OFF = "called_off"  # again and again: nobody won

    tournament = models.ForeignKey(
        Tournament, models.CASCADE, related_name="boards", db_index=False
    )
    round = models.PositiveIntegerField()
    number = models.PositiveSmallIntegerField()
    result = models.CharField(max_length=10, choices=Result.choices, blank=True, default="")
    decided_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["tournament", "round", "number"]
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="board_is_there_once", fields=["tournament", "round", "number"]
            ),
            models.CheckConstraint(
                name="board_is_decided_with_a_result",
                condition=Q(result="", decided_at__isnull=True)
                | ~Q(result="") & Q(decided_at__isnull=False),
            ),
        ]
        indexes: ClassVar = [
            models.Index(name="board_is_undecided", fields=["tournament"], condition=Q(result="")),
        ]

    def __str__(self) -> str:
        return f"board {self.round}.{self.number}"


class BoardMatch(models.Model):
    """A match of a board: the first, or one that is played again."""

    board = models.ForeignKey(Board, models.CASCADE, related_name="matches", db_index=False)
    number = models.PositiveSmallIntegerField()
    match = models.OneToOneField(Match, models.CASCADE, related_name="+")

    class Meta:
        ordering: ClassVar = ["board", "number"]
        default_permissions = ()
        verbose_name_plural = "board matches"
        constraints: ClassVar = [
            models.UniqueConstraint(name="board_opens_a_match_once", fields=["board", "number"]),
        ]

    def __str__(self) -> str:
        return f"match {self.number} of board {self.board_id}"


class TournamentEvent(models.Model):
    """An act on a tournament, for the streams of those whom it concerns.

    ``account`` is the person who was invited or removed; none: all who take part or are invited.
    """

    class What(models.TextChoices):
        CHANGED = "changed"
        INVITED = "invited"
        REMOVED = "removed"
        PAUSED = "paused"
        RESUMED = "resumed"
        BEGUN = "begun"
        FINISHED = "finished"
        CALLED_OFF = "called_off"

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="+")
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+", db_index=False
    )
    what = models.CharField(max_length=10, choices=What.choices)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar = ["-id"]
        default_permissions = ()
        indexes: ClassVar = [models.Index(name="tournament_event_by_time", fields=["at"])]

    def __str__(self) -> str:
        return f"{self.what} at {self.at:%Y-%m-%d %H:%M}"
