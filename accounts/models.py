"""Users (guests included), the keys of their programs, the browsers they are signed in in."""

from datetime import datetime
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, Group, Permission, UserManager
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import OpClass
from django.core.validators import (
    MaxValueValidator,
    MinLengthValidator,
    MinValueValidator,
    RegexValidator,
)
from django.db import models
from django.db.models import Q, QuerySet
from django.db.models.functions import Upper
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from accounts.skeleton import LENGTH, skeleton
from config.api.scopes import SCOPES, Scope
from config.uuid7 import uuid7

USERNAME_LENGTH = 30
USERNAME_PATTERN = rf"^[A-Za-z0-9][A-Za-z0-9_.-]{{2,{USERNAME_LENGTH - 1}}}\Z"
DISPLAY_NAME_LENGTH = 40
KEY_NAME_LENGTH = 60
DEVICE_LENGTH = 60


class People(UserManager["User"]):
    """Finds `Ada` whether `ada` or `ADA` is typed."""

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(username__iexact=username)


class User(AbstractUser):
    """A person. A guest has no password; registering keeps the row and so the matches."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    username = models.CharField(
        max_length=USERNAME_LENGTH,
        validators=[
            RegexValidator(
                USERNAME_PATTERN,
                _(
                    "A username is 3 to 30 letters a-z, digits, dots, dashes or underscores, "
                    "and begins with a letter or digit."
                ),
            )
        ],
        error_messages={"unique": _("This username is taken.")},
    )
    display_name = models.CharField(
        max_length=DISPLAY_NAME_LENGTH, validators=[MinLengthValidator(1)]
    )
    # None for guests, and for older accounts whose name looked like another's.
    name_skeleton = models.CharField(  # noqa: DJ001
        max_length=LENGTH, null=True, editable=False
    )
    email = models.EmailField(blank=True)
    language = models.CharField(max_length=12, default="en")
    local_letters = models.BooleanField(default=True, db_default=True)  # on cards: В for J
    is_guest = models.BooleanField(default=False)
    is_bot = models.BooleanField(
        default=False, db_default=False, editable=False, help_text="A program plays with it"
    )
    is_house = models.BooleanField(
        default=False,
        db_default=False,
        editable=False,
        help_text="The account that opens the matches of tournaments; it is nobody's",
    )
    in_archive = models.BooleanField(
        default=True, db_default=True, help_text="Whether public matches of theirs are published"
    )
    registered_at = models.DateTimeField(
        null=True, editable=False, help_text="When a guest signed up; others were never guests"
    )
    joined_from = models.CharField(
        max_length=16,
        blank=True,
        default="",
        db_default="",
        editable=False,
        help_text="A keyed hash of the address that it was made from; tells farms of ratings",
    )
    terms_agreed_at = models.DateTimeField(
        null=True, editable=False, help_text="When they agreed to the terms that counted then"
    )
    # An erasure has begun, and has to be finished even if its process ends on the way.
    erasing_since = models.DateTimeField(null=True, editable=False)
    first_name = None  # type: ignore[assignment]  # people have one name, the display name
    last_name = None  # type: ignore[assignment]

    objects: ClassVar[People] = People()

    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        constraints = (
            # Upper and not Lower: Django's `iexact` compares upper case, so the index serves it.
            models.UniqueConstraint(
                Upper("username"),
                name="username_is_unique_regardless_of_case",
                violation_error_message=_("This username is taken."),
            ),
            models.CheckConstraint(
                condition=Q(username__regex=USERNAME_PATTERN), name="username_is_plain"
            ),
            models.UniqueConstraint(
                fields=["name_skeleton"],
                name="display_name_looks_like_no_other",
                violation_error_message=_("Another player has this name."),
            ),
            models.CheckConstraint(condition=~Q(display_name=""), name="display_name_is_not_empty"),
            models.CheckConstraint(
                condition=Q(is_guest=False) | Q(password__startswith="!"),  # noqa: S106
                name="guest_has_no_password",
            ),
            models.CheckConstraint(
                condition=Q(is_guest=False) | Q(is_staff=False, is_superuser=False),
                name="guest_has_no_rights",
            ),
            models.UniqueConstraint(
                fields=["is_house"], condition=Q(is_house=True), name="house_has_one_account"
            ),
            models.CheckConstraint(
                condition=Q(is_house=False)
                | Q(password__startswith="!", is_guest=False, is_staff=False, is_superuser=False),  # noqa: S106
                name="house_is_signed_in_to_by_nobody",
            ),
        )
        # For searches by the beginning of a name, and for the beat.
        indexes = (
            models.Index(fields=["id"], name="user_closed", condition=Q(is_active=False)),
            models.Index(
                OpClass(Upper("username"), name="text_pattern_ops"), name="user_by_username"
            ),
            models.Index(
                OpClass(Upper("display_name"), name="text_pattern_ops"), name="user_by_shown_name"
            ),
        )

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.display_name = self.display_name or self.username
        if self._state.adding and not self.is_guest and self.name_skeleton is None:
            self.keep_name()
        super().save(*args, **kwargs)

    def keep_name(self) -> None:
        """Reserves the display name for this account, unless the name of another looks the same."""
        kept = skeleton(self.display_name)
        others = User.objects.exclude(pk=self.pk).filter(name_skeleton=kept)
        self.name_skeleton = None if others.exists() else kept

    @property
    def here_since(self) -> datetime:
        """Since when it is an account that one can sign in to."""
        return self.registered_at or self.date_joined

    def permissions(self) -> QuerySet[Permission]:
        """Those given to the account and to its groups, whether it is active or not."""
        own = User.user_permissions.through.objects.filter(user=self.pk).values("permission")
        theirs = Group.permissions.through.objects.filter(group__user=self.pk).values("permission")
        return Permission.objects.filter(Q(pk__in=own) | Q(pk__in=theirs)).order_by()

    @cached_property
    def _perm_cache(self) -> set[str]:
        """Django's backend finds the names here; it would ask for those of groups in a second
        statement.
        """
        rows = Permission.objects.order_by() if self.is_superuser else self.permissions()
        return {".".join(row) for row in rows.values_list("content_type__app_label", "codename")}

    def outranks(self, other: "User") -> bool:
        """Whether it may change the other account: its own, or one with fewer rights."""
        if self.is_superuser or self.pk == other.pk:
            return True
        return not other.is_superuser and other._perm_cache < self._perm_cache  # noqa: SLF001 - as Django names it

    def get_full_name(self) -> str:
        return self.display_name

    def get_short_name(self) -> str:
        return self.display_name


class Key(models.Model):
    """A program signs in with it. Only the digest of the secret is stored.

    ``scopes`` says what it allows; a key from before there were scopes allows everything. ``id``
    names a key in lists and URLs, so the digest never leaves the database. ``last_used_at`` is
    exact to the hour (`services.keys.record_use`). With a ``connection`` it is the access token of
    a program (`accounts.programs`), which ends with the connection.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    digest = models.CharField(max_length=128, unique=True, editable=False)
    user = models.ForeignKey(User, models.CASCADE, related_name="keys")
    name = models.CharField(max_length=KEY_NAME_LENGTH, blank=True)
    scopes: "ArrayField[list[Scope], list[Scope]]" = ArrayField(
        models.CharField(max_length=16), db_default=list(SCOPES)
    )
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(default=timezone.now)
    connection = models.ForeignKey(
        "programs.Connection",
        models.CASCADE,
        null=True,
        blank=True,
        editable=False,
        related_name="tokens",
    )

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return self.name or "a key without a name"


class AnsweredRequest(models.Model):
    """A request that made something, by its idempotency key, and its answer (`accounts.answers`).

    ``digest`` is that of the request. ``answer`` is encrypted, since a secret may be in it.
    """

    account = models.ForeignKey(User, models.CASCADE, related_name="answered_requests")
    key = models.CharField(max_length=64, editable=False)
    digest = models.BinaryField()
    answer = models.BinaryField(default=bytes)
    at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("account", "key"), name="key_has_one_answer"),
        )

    def __str__(self) -> str:
        return self.key


class BrowserSession(models.Model):
    """A browser in which a person is signed in (`services.sessions`); exact to the hour."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    session_key = models.CharField(max_length=40, unique=True, editable=False)
    user = models.ForeignKey(User, models.CASCADE, related_name="browser_sessions")
    device = models.CharField(max_length=DEVICE_LENGTH, blank=True)
    started_at = models.DateTimeField(default=timezone.now)
    last_used_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-last_used_at", "-id")

    def __str__(self) -> str:
        return self.device or "a browser"


class RegistrationBlock(models.Model):
    """No account is made from a range of addresses, or with mail of a domain; or few a day."""

    class Kind(models.TextChoices):
        NETWORK = "network", "A range of addresses"
        DOMAIN = "domain", "A mail domain"

    kind = models.CharField(max_length=8, choices=Kind.choices)
    value = models.CharField(max_length=100, help_text="203.0.113.0/24, or mail.example")
    per_day = models.PositiveSmallIntegerField(
        default=0, help_text="So many accounts a day are made all the same; 0: none"
    )
    until = models.DateTimeField(null=True, blank=True, help_text="Empty: until it is deleted")
    reason = models.CharField(max_length=200)
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ("-id",)
        constraints = (
            models.UniqueConstraint(fields=("kind", "value"), name="block_of_registration_is_once"),
        )

    def __str__(self) -> str:
        return self.value


class Trace(models.Model):
    """A use of an account from an address, or a kind of browser there: digests of a month."""

    account = models.ForeignKey(User, models.CASCADE, related_name="traces", db_index=False)
    kind = models.CharField(max_length=8)
    digest = models.CharField(max_length=20)
    at = models.DateTimeField(db_index=True)

    class Meta:
        default_permissions = ()
        constraints = (
            models.UniqueConstraint(
                fields=("account", "kind", "digest"), name="trace_is_kept_once"
            ),
        )
        indexes = (models.Index(fields=("kind", "digest"), name="trace_by_digest"),)

    def __str__(self) -> str:
        return self.kind


class SignUpLink(models.Model):
    """A link by which so many people may sign up until a time (`accounts.joining`)."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    note = models.CharField(max_length=100, blank=True, help_text="For whom; people do not see it")
    most = models.PositiveIntegerField(
        "accounts at most", default=1, validators=[MinValueValidator(1), MaxValueValidator(10_000)]
    )
    used = models.PositiveIntegerField(default=0, editable=False)
    ends_at = models.DateTimeField("ends")
    is_revoked = models.BooleanField(
        "revoked", default=False, help_text="Nobody signs up by it any more"
    )
    made_at = models.DateTimeField("made", auto_now_add=True)

    class Meta:
        ordering = ("-id",)
        default_permissions = ("view", "add", "change")

    def __str__(self) -> str:
        return self.note or f"a link for {self.most}"

    @classmethod
    def living(cls) -> models.QuerySet["SignUpLink"]:
        """Those by which somebody may still sign up."""
        return cls.objects.filter(
            is_revoked=False, ends_at__gt=timezone.now(), used__lt=models.F("most")
        )


class Press(models.Model):
    """The result of a sent form, in case it is sent again (`accounts.visitors`)."""

    key = models.CharField(max_length=64, primary_key=True)
    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    made = models.UUIDField()
    at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        verbose_name_plural = "presses"

    def __str__(self) -> str:
        return f"press at {self.at}"
