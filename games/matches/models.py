"""The tables of matches; constraints live here, rules do not.

``Match`` holds the current state, ``Ply`` the log of moves (ply 0 is the deal), ``Round`` each
round's opening, which is the save. The three prove each other: ``manage.py verify_matches``.
States, events, decks and outcomes are msgspec JSON in ``bytes``; the database never looks inside.
"""

import secrets
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import OpClass
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now, Upper

from cardroom.rules.game import AnyGame
from config.uuid7 import uuid7
from games.absent import rules_of

# A match as it stands now.

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
        """The consequence for a person whose time for a move is up."""

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


# The seats of a match, and what became of the invitations to them.

if TYPE_CHECKING:
    from accounts.models import User


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
        """The reason why an invited person does not come."""

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
    """News of an invitation, for ``user``: when it was sent again, declined or withdrawn.

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


# The log of a match: its plies, and the rounds that they opened.


class Ply(models.Model):
    """One applied move and what came of it; append-only. Ply 0 is the first deal."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="plies", db_index=False)
    version = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField(null=True)
    move = models.TextField(blank=True)
    events = models.BinaryField()
    decks = models.BinaryField(null=True, help_text="Decks shuffled in the middle of a round")
    key = models.CharField(max_length=64, null=True)  # noqa: DJ001 - no key is not an empty key
    at = models.DateTimeField(db_default=Now())
    request = models.BigIntegerField(null=True, help_text="The id of what wrote it, in the log")

    class Meta:
        verbose_name_plural = "plies"
        ordering: ClassVar = ["match", "version"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="ply_has_its_own_version", fields=["match", "version"]),
            models.UniqueConstraint(
                name="ply_answers_a_key_of_its_seat_once",
                fields=["match", "seat", "key"],
                condition=Q(key__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        """Without the move, which may still be secret."""
        return (
            f"ply {self.version}" if self.seat is None else f"ply {self.version}: seat {self.seat}"
        )


class Round(models.Model):
    """A round's opening: the save. Loading or undoing never deletes one.

    ``undone_at`` is the version of the roll-back that undid it; the round then opens once more with
    ``reopened``: the first shuffle used, and the positions dealt again (JSON).
    """

    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, related_name="rounds", db_index=False
    )
    number = models.PositiveIntegerField()
    opening_version = models.PositiveIntegerField()
    opening_state = models.BinaryField()
    decks = models.BinaryField(help_text="Decks shuffled for the opening")
    scores = ArrayField(models.IntegerField(), null=True)
    opened_at = models.DateTimeField(db_default=Now())
    closed_at = models.DateTimeField(null=True)
    undone_at = models.PositiveIntegerField(null=True)
    reopened = models.BinaryField(null=True)

    class Meta:
        ordering: ClassVar = ["match", "opening_version"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="standing_round_is_numbered_once",
                fields=["match", "number"],
                condition=Q(undone_at__isnull=True),
            ),
            models.UniqueConstraint(
                name="round_opens_once", fields=["match", "opening_version", "number"]
            ),
            models.CheckConstraint(
                name="round_is_scored_when_closed",
                condition=Q(scores__isnull=True, closed_at__isnull=True)
                | Q(scores__isnull=False, closed_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"round {self.number}"


# Matches that have long been over, a row each.


class ArchiveDictionary(models.Model):
    """The text that the folded matches of a game have in common; never changed, as they need it."""

    game = models.CharField(max_length=32)
    data = models.BinaryField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name_plural = "archive dictionaries"
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.game} {self.pk}"


class ArchivedMatch(models.Model):
    """The plies and rounds of a match that has long been over, in one row (``folding``)."""

    match = models.OneToOneField(
        Match, on_delete=models.CASCADE, primary_key=True, related_name="archived"
    )
    dictionary = models.ForeignKey(
        ArchiveDictionary, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    data = models.BinaryField()
    archived_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name_plural = "archived matches"
        default_permissions = ()

    def __str__(self) -> str:
        return f"archived {self.match_id}"


# Messages of operators to the players of a match.


class Notice(models.Model):
    """A notice of operators to the players of a match; shown at its table and in the API."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="notices")
    at = models.DateTimeField(db_default=Now())
    text = models.CharField(max_length=500)

    class Meta:
        ordering: ClassVar = ["match", "id"]
        default_permissions = ("view",)

    def __str__(self) -> str:
        return self.text


# The plans of seats. Nothing lists them: they are their seat's secret.


class Plan(models.Model):
    """The plan of one seat for its next turn (``games.matches.plans``); ``[]``: nothing any more.

    ``dropped`` says why the rest of a plan does not stand any more, for the seat to read.
    """

    class Dropped(models.TextChoices):
        NO_LINE = "no_line"  # no condition held
        REFUSED = "refused"  # the rules do not allow the move
        BY_HAND = "by_hand"  # the seat moved otherwise
        ROLLED_BACK = "rolled_back"
        GIVEN_UP = "given_up"  # the seat resigned, or a computer plays it
        OVER = "over"

    match = models.ForeignKey(Match, models.CASCADE, related_name="+", db_index=False)
    seat = models.PositiveSmallIntegerField()
    steps = models.BinaryField()
    dropped = models.CharField(max_length=11, choices=Dropped.choices, blank=True, default="")
    dropped_version = models.PositiveIntegerField(null=True)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        default_permissions: ClassVar = ()
        constraints: ClassVar = [
            models.UniqueConstraint(name="seat_has_one_plan", fields=["match", "seat"]),
        ]

    def __str__(self) -> str:
        """Without its moves."""
        return f"plan of seat {self.seat}"


# A seed that several matches are dealt from.

SALT: Final = 32  # bytes


class SharedDeal(models.Model):
    """A seed that several matches are dealt from, sealed before any of them (FORMAT.md §1).

    None of them tells more than its own seats saw until all are over and this is revealed.
    Mirrored matches have it with salt, so that nobody sees by their commitments that they share it.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    seed = models.BinaryField(default=new_seed)
    commitment = models.CharField(max_length=64)
    created_at = models.DateTimeField(db_default=Now())
    revealed_at = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        """Without the seed, which is secret."""
        return f"shared deal {self.id}"

    @property
    def salted_seed(self) -> bytes:
        """Another one each time (FORMAT.md §1, Mirrored matches)."""
        return bytes(self.seed) + secrets.token_bytes(SALT)
