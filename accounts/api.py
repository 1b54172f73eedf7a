"""The account calls of the API: accounts, keys, notices."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from django.conf import settings
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.password_validation import MinimumLengthValidator
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import asdict
from rest_framework.request import Request

from accounts import refusals as accounts
from accounts import services
from accounts.audit import log
from accounts.locking import Suspended
from accounts.models import (
    DISPLAY_NAME_LENGTH,
    KEY_NAME_LENGTH,
    USERNAME_LENGTH,
    USERNAME_PATTERN,
    User,
)
from accounts.signing_in import user_by_password
from config.api.components import drawn
from config.api.json import Pages
from config.api.operations import Api, Nothing, answer, given
from config.api.scopes import SCOPES, USUAL, Scope
from config.api.throttles import NewGuests, Registrations, WrongPasswords

api = Api("accounts")


PASSWORD_LENGTH = MinimumLengthValidator().min_length

# Bounds that keep a request cheap; the services know the rules of each field and say what is wrong
# (422). The document draws these rules too, as far as a schema can.
Line = Annotated[str, Meta(max_length=254)]
Secret = Annotated[str, Meta(max_length=1024)]
Username = Annotated[
    str,
    Meta(
        max_length=254,
        extra_json_schema=drawn(pattern=USERNAME_PATTERN, maxLength=USERNAME_LENGTH),
    ),
]
NewSecret = Annotated[
    str, Meta(max_length=1024, extra_json_schema=drawn(minLength=PASSWORD_LENGTH))
]
ShownName = Annotated[
    str, Meta(max_length=254, extra_json_schema=drawn(minLength=1, maxLength=DISPLAY_NAME_LENGTH))
]
Language = Annotated[
    str,
    Meta(max_length=254, extra_json_schema=drawn(enum=[code for code, _ in settings.LANGUAGES])),
]
Code = Annotated[str, Meta(max_length=32)]
KeyName = Annotated[str, Meta(max_length=KEY_NAME_LENGTH)]

Scopes = Annotated[
    tuple[Scope, ...],
    Meta(min_length=1, max_length=16, description="What the key allows."),
]


class Registration(Struct, forbid_unknown_fields=True):
    """``invitation``: of the link that a person was sent, where one does not sign up just so."""

    username: Username
    password: NewSecret
    email: Line = ""
    invitation: Annotated[str, Meta(max_length=512)] = ""


class SignIn(Struct, forbid_unknown_fields=True):
    """``code``: of the authenticator, or a recovery code, if the account has a second factor."""

    username: Line
    password: Secret
    code: Code = ""
    name: KeyName = ""
    scopes: Scopes = USUAL


class Profile(Struct, forbid_unknown_fields=True):
    """A field that is left out stays as it is.

    ``in_archive``: whether public matches that the account played come into the nightly archive.
    """

    display_name: ShownName | UnsetType = UNSET
    language: Language | UnsetType = UNSET
    in_archive: bool | UnsetType = UNSET


class Person(Struct):
    id: UUID
    username: str
    display_name: str
    language: str
    is_guest: bool
    email: str
    created_at: datetime
    in_archive: bool
    is_bot: bool

    @classmethod
    def of(cls, user: User) -> "Person":
        return answer(cls, user, created_at=user.date_joined)


class NewKey(Struct):
    """The secret is shown only here."""

    token: str
    id: UUID
    expires_at: datetime | None
    scopes: list[Scope]


class Account(Struct):
    """A new user and a key of theirs, whose secret is shown only here."""

    user: Person
    token: str
    expires_at: datetime | None


class KeyLine(Struct):
    id: UUID
    name: str
    scopes: list[Scope]
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime
    is_current: bool


class KeyPage(Struct):
    results: list[KeyLine]
    next: str | None


def account(user: User, *, key_name: str) -> Account:
    """The account and a key that allows everything: at first the only one."""
    key, secret = services.issue_key(user=user, name=key_name, scopes=SCOPES)
    return Account(Person.of(user), secret, key.expires_at)


@api.post(
    "accounts/guest",
    authentication_classes=(),  # every call makes a new user
    limits=(NewGuests,),
    body=Nothing,
    creates="accounts/me",
    refuses=[accounts.NoGuests, accounts.UsernameTaken, accounts.RegistrationIsBlocked],
)
def create_guest() -> Account:
    """Open a guest account

    A playable account at once. Its key is the only way into it until it is registered.
    """
    return account(services.open_guest(), key_name="guest")


@api.post(
    "accounts/register",
    scope="account",
    own_key=True,  # it answers with a key
    limits=(Registrations,),
    creates="accounts/me",
    refuses=[
        *(accounts.UsernameTaken, accounts.AlreadyRegistered, accounts.TooManyKeys),
        *(accounts.AddressTaken, accounts.BadAccount, accounts.RegistrationIsBlocked),
    ],
)
def register(request: Request, user: User | None, body: Registration) -> Account:
    """Register an account

    An account with a password. Called with a guest's key it keeps the guest's matches.
    """
    person = services.register(**asdict(body), guest=user)
    if user and request.auth is None:  # a browser: its session outlives the new password
        update_session_auth_hash(request._request, person)  # noqa: SLF001
    return account(person, key_name="registration")


@api.post(
    "accounts/token",
    authentication_classes=(),  # a client with an expired key gets a new one here
    limits=(WrongPasswords,),
    creates="accounts/tokens/{0.id}",
    refuses=[
        *(accounts.BadCredentials, accounts.SecondFactorRequired, Suspended, accounts.TooManyKeys),
        accounts.LockedOut,
    ],
)
def create_key(request: Request, body: SignIn) -> NewKey:
    """Sign in with a password

    A key for a username and password, and the code of a second factor if there is one.
    """
    user = user_by_password(
        request._request,  # noqa: SLF001 (django-axes wants Django's own)
        username=body.username,
        password=body.password,
        code=body.code,
    )
    key, secret = services.issue_key(user=user, name=body.name, scopes=body.scopes)
    return NewKey(secret, key.pk, key.expires_at, key.scopes)


@api.get("accounts/tokens", scope="account")
def keys(request: Request, user: User, page: Pages) -> KeyPage:
    """List your keys

    The caller's keys, newest first, without their secrets.
    """
    rows, following = page(services.keys_of(user))
    return KeyPage(
        [answer(KeyLine, key, is_current=key == request.auth) for key in rows], following
    )


@api.delete("accounts/tokens/<uuid:key_id>", scope="account")
def revoke_key(user: User, key_id: UUID) -> None:
    """Revoke a key

    Revoke a key: it is refused from now on.
    """
    services.revoke_key(user=user, key_id=key_id)


@api.get("accounts/me")
def me(user: User) -> Person:
    """Read your account

    The caller.
    """
    return Person.of(user)


@api.patch("accounts/me", scope="account", refuses=[accounts.BadAccount])
def change_me(user: User, body: Profile) -> Person:
    """Change your account

    Change the name others see, the language, or whether public matches are archived.
    """
    return Person.of(services.change_profile(user=user, **given(body)))


class AccountNotice(Struct):
    """What an operator told the caller; ``read_at`` is null until the caller has read it."""

    id: UUID
    at: datetime
    text: str
    read_at: datetime | None


@api.get("accounts/me/notices")
def my_notices(user: User) -> list[AccountNotice]:
    """List what the operators told you

    What the operators told the caller, newest first; at most 50.
    """
    return [answer(AccountNotice, notice) for notice in log.notices_of(user)]


@api.post(
    "accounts/me/notices/<uuid:notice_id>/read", scope="account", refuses=[accounts.NoSuchNotice]
)
def read_notice(user: User, notice_id: UUID) -> None:
    """Mark a notice as read

    The notice is not shown on the pages any more.
    """
    log.mark_read(user_id=user.pk, notice_id=notice_id)
