"""Programs of third parties: their reads and writes, redirects, and what scopes mean."""

import hmac
import re
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from hmac import compare_digest
from typing import Final, NamedTuple
from urllib.parse import SplitResult, urlsplit
from uuid import UUID

import structlog
from allauth.idp.oidc.models import Client
from django.contrib.auth.hashers import check_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count, F, Max, Q, QuerySet
from django.db.models.functions import Coalesce, Greatest
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop
from knox.crypto import hash_token

from accounts.models import KEY_NAME_LENGTH, Key, User
from accounts.names import shown_name
from accounts.programs.models import Connection, FormerSecret
from config import club
from config.api.scopes import SCOPES, Scope
from config.refusals import NotAllowed, NotFound, Refusal

# Every read of programs.


def connections_of(user: User) -> QuerySet[Connection]:
    """The programs that may act for this person now, newest first, with their last use."""
    rows = Connection.objects.filter(
        user=user, connected_at__isnull=False, expires_at__gt=timezone.now()
    )
    used = Coalesce(Max("tokens__last_used_at"), F("connected_at"))
    return rows.select_related("client", "client__owner").annotate(
        last_used_at=Greatest(used, F("connected_at"))
    )


def programs_of(user: User) -> "QuerySet[Client]":
    """The programs that this person registered, with how many people use them.

    ``both_until``: as long as the former secret holds too, None if none does.
    """
    connected = Q(connections__connected_at__isnull=False)
    people = Count("connections__user", filter=connected, distinct=True)
    holding = Q(former_secret__until__gt=timezone.now())
    own: QuerySet[Client] = Client.objects.filter(owner=user).annotate(
        people=people, both_until=Max("former_secret__until", filter=holding)
    )
    return own.order_by("created_at")


def program_of(owner: User, client_id: str) -> Client:
    """Raises NoSuchProgram, also for another person's."""
    program = programs_of(owner).filter(pk=client_id).first()
    if program is None:
        raise NoSuchProgram
    return program


def usable_client(client_id: str) -> Client | None:
    """A program whose owner may still sign in."""
    if "\0" in client_id:  # of a Basic header: Postgres stores none
        return None
    known = Client.objects.select_related("owner").filter(pk=client_id)
    return known.filter(Q(owner=None) | Q(owner__is_active=True)).first()


def locked_by_code(client: Client, code: str) -> Connection | None:
    """The consent of a code, used or not, until the transaction ends."""
    return _locked(client).filter(code_digest=hash_token(code)).first()


def locked_by_refresh(client: Client, token: str) -> Connection | None:
    """The connection of a refresh token, the newest one or one from before."""
    family = token.partition(".")[0]
    return _locked(client).filter(family_digest=hash_token(family)).first()


def lost_answer(
    connection: Connection, *, access: str, refresh: str, since: datetime
) -> Key | None:
    """The access token of the last refresh, if it gave these two after ``since``.

    And the refresh token is still the newest one, so nobody has used it.
    """
    newest = hash_token(refresh.partition(".")[2])
    if not connection.refresh_nonce or not compare_digest(newest, connection.refresh_digest):
        return None
    return connection.tokens.filter(digest=hash_token(access), created_at__gt=since).first()


def _locked(client: Client) -> QuerySet[Connection]:
    rows = Connection.objects.select_for_update(of=("self",)).filter(client=client)
    return rows.select_related("user", "client")


# The meaning of each scope, in the words of the page on which a person consents.

SENTENCES: Final[dict[Scope, str]] = {
    "play": gettext_noop(
        "Play as you: open, join, play and resign matches, answer invitations, run simulations."
    ),
    "decks": gettext_noop("Save, change and delete your side decks."),
    "read": gettext_noop(
        "See what you may see: your matches with your own hand, your decks and your results."
    ),
    "account": gettext_noop(
        "Change your account: your name and settings, friends and blocks. See and revoke your keys "
        "and download all your data. Your password stays unknown to it."
    ),
}


class Meaning(NamedTuple):
    scope: Scope
    sentence: str


def meanings(scopes: Collection[str]) -> list[Meaning]:
    """In the order of the scopes, in the reader's language."""
    return [Meaning(one, gettext(SENTENCES[one])) for one in SCOPES if one in scopes]


# Why a program is not registered, or not there.


class BadRedirect(Refusal, status=422):
    """This address cannot be returned to."""


class TooManyPrograms(Refusal, status=409, members={"limit": int}):
    """You have registered as many programs as one account may have. Delete one first."""


class BadProgramName(Refusal, status=422):
    """A program cannot have this name."""


class GuestsRegisterNothing(NotAllowed):
    """Sign up to register a program."""


class HasNoSecret(Refusal, status=409):
    """A public program has no secret."""


class NoSuchProgram(NotFound):
    """You have no such program."""


class NoSuchConnection(NotFound):
    """No such program is connected with your account."""


# The addresses to which a program lets people return with a code.
#
# Compared as text, so that nothing is left to a parser: OAuth 2.1 §2.3.1. Only the port of a
# program on the person's own machine may differ (RFC 8252 §7.3).

LENGTH: Final = 400
MOST: Final = 10
LOOPBACK: Final = frozenset({"127.0.0.1", "::1"})
_PLAIN: Final = re.compile(r"[!-~]+")  # printable ASCII
_NOT_IN_ADDRESSES: Final = frozenset("\\*<>\"'`{}|^")
_OWN_SCHEME: Final = re.compile(r"[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+")  # com.example.app


def check_redirect(uri: str) -> str:
    """The address. Raises BadRedirect: HTTPS, the person's own machine, or an app's own scheme."""
    parts = _parts(uri)
    if parts is None:
        raise BadRedirect(gettext("'{uri}' is no address.").format(uri=uri[:LENGTH]))
    if "#" in uri or "@" in parts.netloc:
        raise BadRedirect(
            gettext("'{uri}' must have no fragment and no user name.").format(uri=uri)
        )
    if not (_is_web(parts) or _OWN_SCHEME.fullmatch(parts.scheme)):
        raise BadRedirect(
            gettext(
                "'{uri}' must begin with https://, with http://127.0.0.1 for a program on the "
                "player's own machine, or with a scheme like com.example.app:/."
            ).format(uri=uri)
        )
    return uri


def is_allowed(uri: str, registered: list[str]) -> bool:
    own_machine = _without_port(uri)
    ports_aside = own_machine is not None and own_machine in map(_without_port, registered)
    return uri in registered or ports_aside


def form_target(uri: str) -> str:
    """The source that ``form-action`` of the consent page needs to go there."""
    parts = urlsplit(uri)
    if parts.scheme not in ("http", "https") or ":" in (parts.hostname or ""):
        return f"{parts.scheme}:"  # an app; CSP has no notation for IPv6
    return f"{parts.scheme}://{parts.netloc}"


def _parts(uri: str) -> SplitResult | None:
    if not _PLAIN.fullmatch(uri) or len(uri) > LENGTH or _NOT_IN_ADDRESSES & set(uri):
        return None
    try:
        parts = urlsplit(uri)
        _ = parts.port
    except ValueError:
        return None
    return parts if parts.scheme else None


def _is_web(parts: SplitResult) -> bool:
    if parts.scheme == "https":
        return bool(parts.hostname)
    return parts.scheme == "http" and parts.hostname in LOOPBACK


def _without_port(uri: str) -> str | None:
    """The address of a program on the person's own machine; None for any other."""
    parts = _parts(uri)
    if parts is None or parts.scheme != "http" or parts.hostname not in LOOPBACK:
        return None
    if "@" in parts.netloc or "#" in uri:
        return None
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return parts._replace(netloc=host).geturl()


CODE_LIFE: Final = timedelta(minutes=1)
ACCESS_LIFE: Final = timedelta(hours=1)
REFRESH_LIFE: Final = timedelta(days=90)  # since the last refresh
REPEATED_WITHIN: Final = timedelta(seconds=60)  # a refresh whose answer was lost
PROGRAMS_PER_OWNER: Final = 20
CONNECTIONS_PER_PROGRAM: Final = 20  # of one person: devices
SECRET_BYTES: Final = 32
BOTH_SECRETS_HOLD: Final = timedelta(hours=24)

log = structlog.get_logger(__name__)


class NewProgram(NamedTuple):
    client: Client
    secret: str  # shown once, never stored; empty for a public program


class Consent(NamedTuple):
    """The consent of a person, which the exchange of the code is checked against."""

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
    """A program that may ask people for any scope. Raises a refusal of its terms or number."""
    if owner.is_guest:
        raise GuestsRegisterNothing
    club.check_who("programs", owner)
    client = Client(owner=owner, name=checked_name(name))
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
    log.info("program_registered", client=client.pk)
    return NewProgram(client, secret if confidential else "")


def change(
    *,
    owner: User,
    client_id: str,
    name: str | None = None,
    redirect_uris: Iterable[str] | None = None,
) -> None:
    """Everybody stays connected; raises BadProgramName, BadRedirect or NoSuchProgram."""
    client = program_of(owner, client_id)
    if name is not None:
        client.name = checked_name(name)
    if redirect_uris is not None:
        client.set_redirect_uris([check_redirect(uri) for uri in redirect_uris])
    client.save(update_fields=["name", "redirect_uris"])
    log.info("program_changed", client=client.pk)


def rotate(*, owner: User, client_id: str) -> NewProgram:
    """A new secret; for a day the former one holds as well. Raises HasNoSecret."""
    with transaction.atomic():
        client = Client.objects.select_for_update().filter(owner=owner, pk=client_id).first()
        if client is None:
            raise NoSuchProgram
        if client.type != Client.Type.CONFIDENTIAL:
            raise HasNoSecret
        former = {"secret": client.secret, "until": timezone.now() + BOTH_SECRETS_HOLD}
        FormerSecret.objects.update_or_create(client=client, defaults=former)
        secret = new_secret()
        client.set_secret(secret)
        client.save(update_fields=["secret"])
    log.info("program_secret_made", client=client.pk)
    return NewProgram(client, secret)


def holds_secret(client: Client, secret: str) -> bool:
    """Whether this is the program's secret, or the former one in its last day."""
    if Client.check_secret(client, secret):
        return True
    former = FormerSecret.objects.filter(client=client, until__gt=timezone.now()).first()
    return former is not None and check_password(secret, former.secret)


def checked_name(name: str) -> str:
    """By the rules of every name that others see. Raises BadProgramName."""
    try:
        return shown_name(name)
    except ValidationError as error:
        raise BadProgramName(" ".join(error.messages)) from None


def delete_program(*, owner: User, client_id: str) -> None:
    """Everybody's connections with the program end."""
    deleted, _ = Client.objects.filter(owner=owner, pk=client_id).delete()
    if not deleted:
        raise NoSuchProgram
    log.info("program_deleted", client=client_id)


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
    """The programs that the person registered, and those that they connected."""
    Client.objects.filter(owner=user).delete()
    Connection.objects.filter(user=user).delete()


def forget_expired(before: datetime) -> int:
    """Connections that no token can continue. Called every night."""
    return Connection.objects.filter(expires_at__lt=before).delete()[0]
