"""The block list of an account."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from config.uuid7 import uuid7


class Block(models.Model):
    """``owner`` wants no invitations from ``blocked``, who does not learn of it."""

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
