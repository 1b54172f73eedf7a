"""The permission that a person gave a program, from the consent to the last token; old secrets."""

from typing import ClassVar

from allauth.idp.oidc.models import Client
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from config.api.scopes import Scope
from config.uuid7 import uuid7

DIGEST_LENGTH = 128


class Connection(models.Model):
    """One consent and the family of tokens that comes from it; deleted as a whole.

    It waits for its code until ``connected_at`` is set. ``code_digest`` stays, so that a code which
    is used again names the family that it must end. A refresh token has two parts: ``family`` is
    the same in all of them, ``refresh`` is the newest one's. A token of this family with another
    second part was used before. ``refresh_nonce`` gives the answer to the last refresh once more,
    to a client that sends its token again. Only digests are stored; access tokens are ``Key`` rows.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    client = models.ForeignKey(Client, models.CASCADE, related_name="connections")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="connected_programs"
    )
    scopes: "ArrayField[list[Scope], list[Scope]]" = ArrayField(models.CharField(max_length=16))
    code_digest = models.CharField(max_length=DIGEST_LENGTH, unique=True, editable=False)
    redirect_uri = models.TextField()
    code_challenge = models.CharField(max_length=DIGEST_LENGTH)
    family_digest = models.CharField(  # noqa: DJ001
        max_length=DIGEST_LENGTH, unique=True, null=True, editable=False
    )
    refresh_digest = models.CharField(max_length=DIGEST_LENGTH, blank=True, editable=False)
    refresh_nonce = models.CharField(
        max_length=DIGEST_LENGTH, blank=True, default="", db_default="", editable=False
    )
    created_at = models.DateTimeField(default=timezone.now)
    connected_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField()  # of the code, then of the refresh token

    class Meta:
        ordering = ("-id",)
        indexes: ClassVar = [models.Index(fields=["expires_at"], name="connection_expires")]

    def __str__(self) -> str:
        return f"{self.client.name} of {self.user}"


class FormerSecret(models.Model):
    """The secret of a program before its newest one, hashed, which holds until a moment."""

    client = models.OneToOneField(
        Client, models.CASCADE, primary_key=True, related_name="former_secret"
    )
    secret = models.CharField(max_length=200, editable=False)
    until = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"of {self.client.name}"
