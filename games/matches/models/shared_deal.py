"""A seed that several matches are dealt from."""

import secrets
from typing import Final

from django.db import models
from django.db.models.functions import Now

from config.uuid7 import uuid7
from games.matches.models.match import new_seed

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
