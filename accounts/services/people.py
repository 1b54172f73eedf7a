"""Accounts: guests, registered users, and guests who register and keep their matches."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext

from accounts.models import Key, User
from accounts.names.bot_sign import SIGN, signed
from accounts.names.guest_names import guest_name, is_generated
from accounts.names.shown_names import (
    IMPORTED,
    check_imitation,
    is_reserved_username,
    shown_name,
)
from accounts.refusals import (
    AlreadyRegistered,
    BadAccount,
    NoGuests,
    RegistrationIsClosed,
    UsernameTaken,
)
from accounts.services import keys
from accounts.skeleton import skeleton
from config import club
from config.counting.client_address import present_address
from config.refusals import Refusal

ATTEMPTS = 5
UNIQUE_NAMES = ("username_is_unique_regardless_of_case", "display_name_looks_like_no_other")


def open_guest(*, language: str = "en") -> User:
    """A playable account with a generated name; raises ``NoGuests`` where there are none."""
    if not club.value("club.guests"):
        raise NoGuests
    for _ in range(ATTEMPTS):
        with suppress(UsernameTaken):  # rare, as names end in five random letters: draw again
            return _new_guest(language)
    raise UsernameTaken


def register(*, username: str, password: str, email: str = "", guest: User | None = None) -> User:
    """An account with a password. With a `guest` it is the guest's row, which keeps the matches.

    Blanks around the username come from a keyboard, not from a person. Raises BadAccount,
    UsernameTaken, or AlreadyRegistered if `guest` is registered by now.
    """
    if club.value("club.registration") == "closed":
        raise RegistrationIsClosed
    username = username.strip()
    _check(username=username, password=password, email=email)
    if guest is not None:
        return _claim(guest, username, password, email)
    user = User(username=username, display_name=username, email=email, joined_from=_from())
    user.name_skeleton = skeleton(username)
    user.set_password(password)
    with _unique_names(UsernameTaken()):
        user.save(force_insert=True)
    return user


def pseudonym(name: str, number: int = 0) -> User:
    """The account of a person known by name from another installation; nobody can sign in to it.

    The same name and number give the same account. Its name is not reserved.
    """
    digest = sha256(f"{name}\n{number}".encode()).hexdigest()[:16]
    user = User(username=f"{IMPORTED}{digest}", display_name=name or "Imported", is_active=False)
    user.set_unusable_password()
    User.objects.bulk_create(
        [user], ignore_conflicts=True
    )  # past save(), which would keep the name
    return User.objects.get(username=user.username, is_active=False)


def change_profile(
    *,
    user: User,
    display_name: str | None = None,
    language: str | None = None,
    local_letters: bool | None = None,
    in_archive: bool | None = None,
) -> User:
    """None leaves a field as it is. Raises BadAccount."""
    with _collected_faults() as check:
        if display_name is not None:
            user.display_name = check("display_name", _own_name, display_name, user) or ""
        if language is not None:
            user.language = check("language", _known_language, language) or ""
        if local_letters is not None:
            user.local_letters = local_letters
        if in_archive is not None:
            user.in_archive = in_archive
    with _unique_names(BadAccount({"display_name": [gettext("Another player has this name.")]})):
        changed = ("display_name", "name_skeleton", "language", "local_letters", "in_archive")
        user.save(update_fields=changed)
    return user


def _new_guest(language: str) -> User:
    username, display_name = guest_name(language)
    user = User(username=username, display_name=display_name, language=language, is_guest=True)
    user.joined_from = _from()
    user.set_unusable_password()
    with _unique_names(UsernameTaken()):
        user.save(force_insert=True)
    return user


def _from() -> str:
    """The caller's address as a keyed hash; empty where no request makes the account."""
    address = present_address()
    return salted_hmac("accounts.joined_from", address).hexdigest()[:16] if address else ""


def _claim(guest: User, username: str, password: str, email: str) -> User:
    with _unique_names(UsernameTaken()):
        user = User.objects.select_for_update().get(pk=guest.pk)
        if not user.is_guest:
            raise AlreadyRegistered
        user.keep_name()
        if is_generated(user.username, user.display_name) or user.name_skeleton is None:
            user.display_name, user.name_skeleton = username, skeleton(username)
        user.username, user.email, user.is_guest = username, email, False
        user.registered_at = timezone.now()
        user.set_password(password)
        user.save()
        Key.objects.filter(user=user, expires_at=None).update(expires_at=keys.expiry())
    return user


@contextmanager
def _unique_names(taken: Refusal) -> Iterator[None]:
    """Raises ``taken`` if another account has the username, or a name that looks the same."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        if any(name in str(error) for name in UNIQUE_NAMES):
            raise taken from error
        raise


def _check(*, username: str, password: str, email: str) -> None:
    candidate = User(username=username, email=email)
    with _collected_faults() as check:
        check("username", User.username.field.clean, username, candidate)
        check("username", _not_reserved, username)
        check("email", User.email.field.clean, email, candidate)
        check("password", validate_password, password, candidate)


@contextmanager
def _collected_faults() -> Iterator[Callable[..., Any]]:
    """Checks every field first and raises all faults together."""
    faults: dict[str, list[str]] = {}

    def check(field: str, rule: Callable[..., Any], *values: Any) -> Any:
        try:
            return rule(*values)
        except ValidationError as error:
            faults[field] = error.messages

    yield check
    if faults:
        raise BadAccount(faults)


def _own_name(name: str, user: User) -> str:
    shown = shown_name(name)
    if user.is_bot:
        return _name_of_bot(shown, user)
    if shown != user.display_name:
        check_imitation(shown, user)
        user.name_skeleton = None if user.is_guest else skeleton(shown)
    return shown


def _name_of_bot(shown: str, user: User) -> str:
    """What stands before the sign is chosen as any name is."""
    name = signed(shown)
    if name != user.display_name:
        check_imitation(name.removesuffix(SIGN).rstrip(), user)
        user.name_skeleton = skeleton(name)
    return name


def _not_reserved(username: str) -> None:
    if is_reserved_username(username):
        raise ValidationError(gettext("This username is taken."))


def _known_language(language: str) -> str:
    known = [code for code, _ in settings.LANGUAGES]
    if language not in known:
        raise ValidationError(gettext("The languages are: {codes}.").format(codes=", ".join(known)))
    return language
