"""Blocks, friendships, and what an account shows of itself."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Greatest, Least
from django.utils import timezone

from config.uuid7 import uuid7


class Block(models.Model):
    """``owner`` wants nothing to do with ``blocked``, who does not learn of it."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="blocks", db_index=False
    )
    blocked = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(name="account_is_blocked_once", fields=["owner", "blocked"]),
            models.CheckConstraint(
                name="nobody_blocks_themselves", condition=~Q(owner=F("blocked"))
            ),
        ]

    def __str__(self) -> str:
        return f"block {self.pk}"


class Friendship(models.Model):
    """``sender`` wants to be a friend of ``recipient``. There is one row for two accounts.

    Friends end it by deleting the row. One that was declined is kept: to the sender it looks as if
    it still waited, and asking again changes nothing. The one who declined may change their mind.
    """

    class State(models.TextChoices):
        REQUESTED = "requested"
        ACCEPTED = "accepted"
        DECLINED = "declined"
        WITHDRAWN = "withdrawn"  # by the sender, after it was declined

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    sender = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    recipient = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    state = models.CharField(max_length=9, choices=State.choices, default=State.REQUESTED)
    requested_at = models.DateTimeField(default=timezone.now)
    accepted_at = models.DateTimeField(null=True)

    class Meta:
        default_permissions: ClassVar = ()
        constraints: ClassVar = [
            models.UniqueConstraint(
                Least("sender", "recipient"),
                Greatest("sender", "recipient"),
                name="two_accounts_are_friends_once",
            ),
            models.CheckConstraint(
                name="nobody_is_their_own_friend", condition=~Q(sender=F("recipient"))
            ),
            models.CheckConstraint(
                name="friendship_says_since_when",
                condition=Q(state="accepted", accepted_at__isnull=False)
                | (~Q(state="accepted") & Q(accepted_at__isnull=True)),
            ),
        ]

    def __str__(self) -> str:
        return f"friendship {self.pk}"


class Privacy(models.Model):
    """The privacy of an account. No row: nothing is hidden."""

    account = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="privacy"
    )
    hides_profile = models.BooleanField(
        default=False, db_default=False, help_text="Only friends see the profile"
    )
    hides_presence = models.BooleanField(
        default=False, db_default=False, help_text="Friends do not see whether they are online"
    )
    hides_titles = models.BooleanField(
        default=False, db_default=False, help_text="The profile shows no titles"
    )

    class Meta:
        verbose_name_plural = "privacy"
        default_permissions: ClassVar = ()

    def __str__(self) -> str:
        return f"privacy {self.pk}"
