"""Every write of programs and of what people allow them."""

import hmac
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID

from allauth.idp.oidc.models import Client
from django.db import transaction
from django.utils import timezone
from knox.crypto import hash_token

from accounts.models import KEY_NAME_LENGTH, Key, User
from accounts.programs.models import Connection
from accounts.programs.redirects import check_redirect
from accounts.programs.refusals import NoSuchConnection, NoSuchProgram, TooManyPrograms
from config.api.scopes import SCOPES, Scope

CODE_LIFE: Final = timedelta(minutes=1)
ACCESS_LIFE: Final = timedelta(hours=1)
REFRESH_LIFE: Final = timedelta(days=90)  # since the last refresh
REPEATED_WITHIN: Final = timedelta(seconds=60)  # a refresh whose answer was lost
PROGRAMS_PER_OWNER: Final = 20
CONNECTIONS_PER_PROGRAM: Final = 20  # of one person: devices
SECRET_BYTES: Final = 32


class NewProgram(NamedTuple):
    client: Client
    secret: str  # shown once, never stored; empty for a public program


class Consent(NamedTuple):
    """What a person agreed to, and what the exchange of the code is checked against."""

    client: Client
    user: User
    scopes: list[str]
    redirect_uri: str
    code_challenge: str


class Successors(NamedTuple):
    """The tokens that a refresh token is exchanged for."""

    access: str
    refresh: str


def new_secret() -> str:
    return secrets.token_urlsafe(SECRET_BYTES)


def successors(presented: str, nonce: str) -> Successors:
    """The same ones for the same refresh token and nonce, so that an answer can be given again.

    The nonce is stored and the token is not: neither gives them away without the other.
    """

    def derived(purpose: str) -> str:
        digest = hmac.digest(presented.encode(), f"{purpose}:{nonce}".encode(), "sha256")
        return urlsafe_b64encode(digest).decode().rstrip("=")

    family = presented.partition(".")[0]
    return Successors(derived("access"), f"{family}.{derived('refresh')}")


def seconds_left(key: Key) -> int:
    """Until the access token expires."""
    expires_at = key.expires_at or timezone.now()
    return max(0, int((expires_at - timezone.now()).total_seconds()))


def register(
    *, owner: User, name: str, redirect_uris: Iterable[str], confidential: bool
) -> NewProgram:
    """A program that may ask people for any scope. Raises BadRedirect or TooManyPrograms."""
    client = Client(owner=owner, name=name)
    client.type = Client.Type.CONFIDENTIAL if confidential else Client.Type.PUBLIC
    client.set_redirect_uris([check_redirect(uri) for uri in redirect_uris])
    client.set_scopes(list(SCOPES))
    client.set_default_scopes(["read"])
    client.set_grant_types([Client.GrantType.AUTHORIZATION_CODE, Client.GrantType.REFRESH_TOKEN])
    client.set_response_types([Client.ResponseType.CODE])
    secret = new_secret()
    client.set_secret(secret)
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=owner.pk)
        if Client.objects.filter(owner=owner).count() >= PROGRAMS_PER_OWNER:
            raise TooManyPrograms(limit=PROGRAMS_PER_OWNER)
        client.save(force_insert=True)
    return NewProgram(client, secret if confidential else "")


def delete_program(*, owner: User, client_id: str) -> None:
    """Everybody's connections with the program end."""
    deleted, _ = Client.objects.filter(owner=owner, pk=client_id).delete()
    if not deleted:
        raise NoSuchProgram


def consent(given: Consent, code: str) -> None:
    """Waits for the exchange of the code."""
    now = timezone.now()
    of_person = Connection.objects.filter(user=given.user)
    of_person.filter(expires_at__lte=now).delete()
    devices = of_person.filter(client=given.client).values_list("pk", flat=True)
    of_person.filter(pk__in=devices[CONNECTIONS_PER_PROGRAM - 1 :]).delete()
    Connection.objects.create(
        client=given.client,
        user=given.user,
        scopes=[scope for scope in SCOPES if scope in given.scopes],
        redirect_uri=given.redirect_uri,
        code_challenge=given.code_challenge,
        code_digest=hash_token(code),
        expires_at=now + CODE_LIFE,
    )


def give_tokens(
    connection: Connection, *, access: str, refresh: str, scopes: list[Scope], life: timedelta
) -> None:
    """The access token is a key; the refresh token replaces the one before."""
    now = timezone.now()
    family, _, newest = refresh.partition(".")
    connection.family_digest, connection.refresh_digest = hash_token(family), hash_token(newest)
    connection.connected_at = connection.connected_at or now
    connection.expires_at = now + REFRESH_LIFE
    connection.save()
    connection.tokens.filter(expires_at__lte=now).delete()
    Key.objects.create(
        user_id=connection.user_id,
        connection=connection,
        name=connection.client.name[:KEY_NAME_LENGTH],
        scopes=scopes,
        digest=hash_token(access),
        expires_at=now + life,
    )


def disconnect(*, user: User, connection_id: UUID) -> None:
    """The program loses its tokens at once."""
    deleted, _ = Connection.objects.filter(user=user, pk=connection_id).delete()
    if not deleted:
        raise NoSuchConnection


def forget_programs(user: User) -> None:
    """Those that the person registered, and those that they connected."""
    Client.objects.filter(owner=user).delete()
    Connection.objects.filter(user=user).delete()


def forget_expired(before: datetime) -> int:
    """Connections that no token can continue. Called every night."""
    return Connection.objects.filter(expires_at__lt=before).delete()[0]
