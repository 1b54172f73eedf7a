"""The outbox: causes and their deliveries; and what people chose, for each channel."""

from typing import ClassVar, Final, Literal, get_args

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from config.uuid7 import uuid7

# Kinds of news for people, and on which channels. The names are stored and sent, so they stay.

Kind = Literal[
    "your_turn", "invitation", "challenge", "result", "friend", "tournament", "league", "operator"
]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
NAMES: Final = {
    "your_turn": _("Your turn in a slow match"),
    "invitation": _("An invitation"),
    "challenge": _("A challenge"),
    "result": _("The result of a match"),
    "friend": _("A friend"),
    "tournament": _("A round of a tournament"),
    "league": _("The end of a week in a league"),
    "operator": _("A message of the operators"),
}

# News to a webhook of the one match that it names. Nobody chooses it for another channel.
MATCH: Final = "match"
# A call that the owner of a webhook asks for, to see that it arrives.
PING: Final = "ping"
HookKind = Kind | Literal["match", "ping"]
HOOK_NAMES: Final = {**NAMES, MATCH: _("What happens in a match"), PING: _("A test call")}

STATES: Final = {
    "waiting": _("waits"),
    "sent": _("was sent"),
    "failed": _("was given up"),
    "skipped": _("was not needed"),
}

Channel = Literal["mail", "push", "hook"]
CHANNELS: Final[tuple[Channel, ...]] = get_args(Channel)

KEY_LENGTH: Final = 120
URL_LENGTH: Final = 500
NAME_LENGTH: Final = 60
TOPIC_LENGTH: Final = 40
UNKNOWN: Final = "unknown_host"
NOT_CALLED: Final = frozenset({"forbidden_address", UNKNOWN})


def _kinds() -> "ArrayField[list[str], list[str]]":
    return ArrayField(models.CharField(max_length=16), default=list, db_default=[])


class Cause(models.Model):
    """A fact of which an account is to be notified. ``key`` names the fact: it is due once.

    ``payload`` holds ids and plain values, never a card, a seed or a key; people are named by id,
    so that an erasure changes the words about them.
    """

    key = models.CharField(max_length=KEY_LENGTH, unique=True)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    kind = models.CharField(max_length=16, choices=[(kind, kind) for kind in HOOK_NAMES])
    payload = models.JSONField(default=dict)
    created_at = models.DateTimeField(db_default=Now())
    due_at = models.DateTimeField(db_default=Now(), help_text="Nobody is told before")
    routed_at = models.DateTimeField(null=True, help_text="When its deliveries were written")

    class Meta:
        ordering: ClassVar = ["-id"]
        default_permissions: ClassVar = ("view",)
        indexes: ClassVar = [
            models.Index(
                name="cause_to_route", fields=["due_at"], condition=Q(routed_at__isnull=True)
            ),
            models.Index(name="cause_by_age", fields=["created_at"]),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class Choices(models.Model):
    """The choices of one account: its notifications and channels. No row: nothing leaves the house.

    ``mail_address`` is the address that its owner has confirmed: no other is written to.
    """

    account = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="notify"
    )
    mail = _kinds()
    daily = _kinds()
    push = _kinds()
    mail_address = models.EmailField(blank=True, default="", db_default="")
    ask_at = models.DateTimeField(null=True, help_text="When its owner is to be asked")
    asked_at = models.DateTimeField(null=True, help_text="When the owner was last asked")
    time_zone = models.CharField(max_length=64, default="UTC", db_default="UTC")
    quiet_from = models.TimeField(null=True)
    quiet_until = models.TimeField(null=True)
    daily_at = models.TimeField(null=True, help_text="None: at eight in the morning")

    class Meta:
        verbose_name_plural = "choices"
        default_permissions: ClassVar = ()
        constraints: ClassVar = [
            models.CheckConstraint(
                name="quiet_hours_have_two_ends",
                condition=Q(quiet_from__isnull=True, quiet_until__isnull=True)
                | Q(quiet_from__isnull=False, quiet_until__isnull=False),
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                name="address_to_ask", fields=["ask_at"], condition=Q(ask_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"choices of {self.pk}"


class Endpoint(models.Model):
    """An address of a program, called with its account's notifications (a webhook).

    The secret is derived from ``nonce`` and the key of the installation: no table holds it.
    ``failures`` counts failed calls in a row. With a ``topic`` it is told what happens in this one
    match, too; ``topic_at`` is how far it has been told, in words of the room that knows matches.
    """

    class Disabled(models.TextChoices):
        FAILURES = "failures"
        GONE = "gone"  # it answered 410
        OWNER = "owner"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    name = models.CharField(max_length=NAME_LENGTH, blank=True, default="")
    url = models.CharField(max_length=URL_LENGTH)
    kinds = _kinds()
    topic = models.UUIDField(null=True)
    topic_at = models.CharField(max_length=TOPIC_LENGTH, blank=True, default="", db_default="")
    nonce = models.CharField(max_length=64)
    old_nonce = models.CharField(max_length=64, blank=True, default="", db_default="")
    rotated_at = models.DateTimeField(null=True)
    failures = models.PositiveIntegerField(default=0, db_default=0)
    disabled = models.CharField(
        max_length=8, choices=Disabled.choices, blank=True, default="", db_default=""
    )
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering: ClassVar = ["-id"]
        default_permissions: ClassVar = ("view",)

    def __str__(self) -> str:
        return f"webhook {self.pk}"


class Subscription(models.Model):
    """A browser that shows messages (web push): its address at the push service, and its keys."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    endpoint = models.CharField(max_length=URL_LENGTH, unique=True)
    p256dh = models.CharField(max_length=128)
    auth = models.CharField(max_length=64)
    browser = models.CharField(max_length=NAME_LENGTH, blank=True, default="")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering: ClassVar = ["-id"]
        default_permissions: ClassVar = ()

    def __str__(self) -> str:
        return f"browser {self.pk}"


class Delivery(models.Model):
    """One cause on one channel, at most once. Its id is sent along, so that a receiver knows it.

    While a worker has taken it, ``next_at`` lies ahead: if that worker dies, it is due again then.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        SENT = "sent"
        FAILED = "failed"  # given up after the last try
        SKIPPED = "skipped"  # not needed: seen at the page, over, or turned off meanwhile

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    cause = models.ForeignKey(Cause, models.CASCADE, related_name="deliveries", db_index=False)
    channel = models.CharField(max_length=4, choices=[(one, one) for one in CHANNELS])
    endpoint = models.ForeignKey(Endpoint, models.CASCADE, null=True, related_name="deliveries")
    subscription = models.ForeignKey(Subscription, models.CASCADE, null=True, related_name="+")
    daily = models.BooleanField(default=False, db_default=False)
    state = models.CharField(max_length=7, choices=State.choices, default=State.WAITING)
    next_at = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0, db_default=0)
    status = models.PositiveSmallIntegerField(null=True, help_text="The last answer's")
    why = models.CharField(max_length=32, blank=True, default="", db_default="")
    created_at = models.DateTimeField(db_default=Now())
    done_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["-id"]
        verbose_name_plural = "deliveries"
        default_permissions: ClassVar = ("view", "change")
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="cause_goes_once_to_a_channel",
                fields=["cause", "channel", "endpoint", "subscription"],
                nulls_distinct=False,
            ),
            models.CheckConstraint(
                name="delivery_waits_for_a_time",
                condition=Q(state="waiting", next_at__isnull=False)
                | ~Q(state="waiting") & Q(next_at__isnull=True),
            ),
        ]
        indexes: ClassVar = [
            models.Index(name="delivery_due", fields=["next_at"], condition=Q(state="waiting")),
            models.Index(name="delivery_failed", fields=["-id"], condition=Q(state="failed")),
        ]

    def __str__(self) -> str:
        return f"{self.channel} {self.pk}"


class Attempt(models.Model):
    """One call that was made for a delivery, and what came back.

    ``answer`` is the beginning of the body of the answer, for the owner of the webhook: of public
    addresses alone, and for a week.
    """

    delivery = models.ForeignKey(Delivery, models.CASCADE, related_name="tries")
    at = models.DateTimeField(db_default=Now())
    status = models.PositiveSmallIntegerField(null=True)
    milliseconds = models.PositiveIntegerField()
    why = models.CharField(max_length=32, blank=True, default="")
    answer = models.TextField(blank=True, default="", db_default="", editable=False)

    class Meta:
        ordering: ClassVar = ["-id"]
        default_permissions: ClassVar = ()

    def __str__(self) -> str:
        return f"{self.status or self.why}"

    def for_owner(self) -> tuple[str, int]:
        """The reason of a failure and its milliseconds, for the owner of the webhook.

        Nobody asks this service which names are known inside its network, and where they lead: a
        name that may not be called reads like one that nobody knows.
        """
        if self.why in NOT_CALLED:
            return UNKNOWN, 0
        return self.why, self.milliseconds


class Progress(models.Model):
    """Up to which time the facts of a name were looked at, by who derives causes from rows."""

    name = models.CharField(max_length=32, primary_key=True)
    until = models.DateTimeField()

    class Meta:
        verbose_name_plural = "progress"
        default_permissions: ClassVar = ()

    def __str__(self) -> str:
        return self.name
