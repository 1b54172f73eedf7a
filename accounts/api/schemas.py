"""Request and response bodies of the account calls."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.password_validation import MinimumLengthValidator
from msgspec import UNSET, Meta, Struct, UnsetType

from accounts.models import (
    DISPLAY_NAME_LENGTH,
    KEY_NAME_LENGTH,
    USERNAME_PATTERN,
    Key,
    User,
)
from config.api.components import drawn
from config.api.scopes import USUAL, Scope

PASSWORD_LENGTH = MinimumLengthValidator().min_length

# Bounds that keep a request cheap; the services know the rules of each field and say what is wrong
# (422). The document draws these rules too, as far as a schema can.
Line = Annotated[str, Meta(max_length=254)]
Secret = Annotated[str, Meta(max_length=1024)]
Username = Annotated[
    str, Meta(max_length=254, extra_json_schema=drawn(pattern=USERNAME_PATTERN, maxLength=30))
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


class Nothing(Struct, forbid_unknown_fields=True):
    """An empty object."""


class Registration(Struct, forbid_unknown_fields=True):
    username: Username
    password: NewSecret
    email: Line = ""


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

    def changes(self) -> dict[str, Any]:
        given = {field: getattr(self, field) for field in self.__struct_fields__}
        return {field: value for field, value in given.items() if value is not UNSET}


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
        return cls(
            id=user.pk,
            username=user.username,
            display_name=user.display_name,
            language=user.language,
            is_guest=user.is_guest,
            email=user.email,
            created_at=user.date_joined,
            in_archive=user.in_archive,
            is_bot=user.is_bot,
        )


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

    @classmethod
    def of(cls, key: Key, current: object) -> "KeyLine":
        return cls(
            id=key.pk,
            name=key.name,
            scopes=key.scopes,
            created_at=key.created_at,
            expires_at=key.expires_at,
            last_used_at=key.last_used_at,
            is_current=key == current,
        )


class KeyPage(Struct):
    results: list[KeyLine]
    next: str | None
