"""Rows that duties could not do; what operators set without a restart, and what they announce."""

from datetime import datetime
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models.functions import Now
from django.utils import timezone

from config.uuid7 import uuid7


class Trouble(models.Model):
    """A row at which a duty fails, or (an empty ``row``) a duty that fails as a whole.

    It names no more than an id and the class of an exception: what an exception says may be secret.
    """

    duty = models.CharField(max_length=64)
    row = models.CharField(max_length=100, blank=True, default="")
    error = models.CharField(max_length=100)
    failures = models.PositiveIntegerField(default=1)
    first_at = models.DateTimeField()
    last_at = models.DateTimeField()
    next_at = models.DateTimeField(help_text="Not tried again before")
    is_set_aside = models.BooleanField(default=False, help_text="Not tried again by itself")

    class Meta:
        ordering: ClassVar = ["-is_set_aside", "-last_at"]
        default_permissions = ("view", "change")
        constraints: ClassVar = [
            models.UniqueConstraint(name="row_has_one_trouble_a_duty", fields=["duty", "row"]),
        ]

    def __str__(self) -> str:
        return f"{self.duty} {self.row}: {self.error}, {self.failures} times"


class SettingChange(models.Model):
    """A setting that an operator changed without a restart; the newest of a name counts.

    Without a ``value`` the environment's counts again.
    """

    name = models.CharField(max_length=64)
    value = models.JSONField(null=True)
    at = models.DateTimeField(db_default=Now())
    by = models.CharField(max_length=64)

    class Meta:
        ordering: ClassVar = ["-id"]
        default_permissions = ("view", "change")
        indexes: ClassVar = [models.Index(name="newest_of_setting", fields=["name", "-id"])]

    def __str__(self) -> str:
        return f"{self.name} = {'as in the environment' if self.value is None else self.value}"


class Announcement(models.Model):
    """A banner on every page from one moment until another; an empty text falls back to English."""

    class Audience(models.TextChoices):
        ALL = "all", "everybody"
        SIGNED_IN = "signed_in", "people who are signed in"
        STAFF = "staff", "staff"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    audience = models.CharField(max_length=10, choices=Audience.choices, default=Audience.ALL)
    text = models.CharField("text in English", max_length=300)
    text_tr = models.CharField("text in Turkish", max_length=300, blank=True, default="")
    text_ru = models.CharField("text in Russian", max_length=300, blank=True, default="")
    text_cs = models.CharField("text in Czech", max_length=300, blank=True, default="")
    link = models.CharField(
        max_length=300,
        blank=True,
        default="",
        validators=[
            RegexValidator(r"^(https?://|/(?![/\\]))\S+$", "An address, or a path of this site.")
        ],
        help_text="An address, or a path of this site",
    )
    shown_from = models.DateTimeField(db_default=Now(), default=timezone.now)
    shown_until = models.DateTimeField(
        null=True, blank=True, help_text="Without it: until you end it"
    )
    is_dismissable = models.BooleanField("a reader may close it", default=True)

    class Meta:
        ordering: ClassVar = ["-shown_from"]
        constraints: ClassVar = [
            models.CheckConstraint(
                name="announcement_ends_after_its_beginning",
                condition=models.Q(shown_until=None)
                | models.Q(shown_until__gt=models.F("shown_from")),
                violation_error_message="It ends before it begins.",
            ),
        ]

    def __str__(self) -> str:
        return self.text[:80]

    def clean(self) -> None:
        """Two operators who announce the same make one banner; it may come again another day."""
        ends_later = models.Q(shown_until=None) | models.Q(shown_until__gt=self.shown_from)
        same = Announcement.objects.filter(ends_later, text=self.text, audience=self.audience)
        if self.shown_until is not None:
            same = same.filter(shown_from__lt=self.shown_until)
        if same.exclude(pk=self.pk).exists():
            raise ValidationError("The same is announced already.")

    @property
    def texts(self) -> dict[str, str]:
        """By language, those that there are."""
        every = {"en": self.text, "tr": self.text_tr, "ru": self.text_ru, "cs": self.text_cs}
        return {language: text for language, text in every.items() if text}

    def text_in(self, language: str) -> str:
        return self.texts.get(language, self.text)

    def is_shown(self, now: datetime) -> bool:
        return self.shown_from <= now and (self.shown_until is None or now < self.shown_until)

    def is_for(self, user: Any) -> bool:
        if self.audience == self.Audience.ALL:
            return True
        signed_in = user is not None and bool(user.is_authenticated)
        return signed_in and (self.audience == self.Audience.SIGNED_IN or bool(user.is_staff))
