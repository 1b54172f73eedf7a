"""Every act of a person on the own account, and of administrators on all: names, keys, sessions."""

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from hashlib import sha256
from hmac import compare_digest
from typing import Any, Final, NamedTuple
from uuid import UUID

from allauth.mfa.models import Authenticator
from axes.utils import reset as lift_lock_out
from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.password_validation import validate_password
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext
from knox.crypto import create_token_string, hash_token
from knox.settings import knox_settings

from accounts import gate, joining, names, refusals
from accounts.audit import log
from accounts.models import DEVICE_LENGTH, BrowserSession, Key, User
from accounts.skeleton import skeleton
from config import club
from config.api.scopes import SCOPES, USUAL, Scope
from config.counting import present_address
from config.postgres.connections import ReadOnly
from config.refusals import NotFound, Refusal

# Keys: made once, shown once, kept as a digest, revoked one by one.

RECORDED_EVERY = timedelta(hours=1)


class NewKey(NamedTuple):
    key: Key
    secret: str  # shown once, never stored


def issue_key(*, user: User, name: str = "", scopes: Iterable[Scope] = USUAL) -> NewKey:
    """A new key that allows ``scopes``.

    The key of a guest never expires: it is the only way back into the account.
    """
    secret = create_token_string()
    with transaction.atomic():
        # One of two requests waits here; meanwhile a guest may have registered.
        locked = User.objects.select_for_update().get(pk=user.pk)
        _check_quota(locked)
        key = Key.objects.create(
            user=user,
            name=name,
            scopes=[scope for scope in SCOPES if scope in scopes],
            digest=hash_token(secret),
            expires_at=None if locked.is_guest else key_expiry(),
        )
    return NewKey(key, secret)


def revoke_key(*, user: User, key_id: UUID) -> None:
    deleted, _ = Key.objects.filter(user=user, connection=None, pk=key_id).delete()
    if not deleted:
        raise refusals.NoSuchKey


def revoke_keys(*, user: User) -> int:
    """Every program of theirs: keys, and connected programs with their tokens."""
    disconnect_all(user=user)
    deleted, _ = Key.objects.filter(user=user).delete()
    return deleted


def disconnect_all(*, user: User) -> None:
    """The connections of a person take their tokens with them."""
    user.connected_programs.all().delete()


def record_key_use(key: Key) -> None:
    """Records that the key is in use, once an hour instead of once a request, and where it can."""
    now = timezone.now()
    if now - key.last_used_at >= RECORDED_EVERY:
        with suppress(ReadOnly):
            Key.objects.filter(pk=key.pk).update(last_used_at=now)


def key_expiry() -> datetime | None:
    """The time at which a key made now expires; None for never."""
    lifetime: timedelta | None = knox_settings.TOKEN_TTL
    return timezone.now() + lifetime if lifetime else None


def _check_quota(user: User) -> None:
    own = Key.objects.filter(user=user, connection=None)
    own.filter(expires_at__lte=timezone.now()).delete()
    limit: int | None = knox_settings.TOKEN_LIMIT_PER_USER
    if limit is not None and own.count() >= limit:
        raise refusals.TooManyKeys(limit=limit)


# Accounts: guests, registered users, and guests who register and keep their matches.

ATTEMPTS = 5
UNIQUE_NAMES = ("username_is_unique_regardless_of_case", "display_name_looks_like_no_other")


def open_guest(*, language: str = "en") -> User:
    """A playable account with a generated name; raises ``NoGuests`` where there are none."""
    if not club.value("club.guests"):
        raise refusals.NoGuests
    gate.check_may_register()
    for _ in range(ATTEMPTS):
        with suppress(
            refusals.UsernameTaken
        ):  # rare, as names end in five random letters: draw again
            return _new_guest(language)
    raise refusals.UsernameTaken


@transaction.atomic
def register(
    *,
    username: str,
    password: str,
    email: str = "",
    invitation: str = "",
    agrees: bool = False,
    guest: User | None = None,
) -> User:
    """An account with a password. With a `guest` it is the guest's row, which keeps the matches.

    Blanks around the username come from a keyboard, not from a person. Raises BadAccount,
    UsernameTaken, AlreadyRegistered if `guest` is registered by now, and the refusals of
    `joining` where one does not sign up just so.
    """
    joining.use_up(invitation)
    confirmed = joining.confirmed_address(invitation)
    user = _register(username.strip(), password, confirmed or email, guest)
    if agrees:
        User.objects.filter(pk=user.pk).update(terms_agreed_at=timezone.now())
    if confirmed:
        joining.keep_address(user, confirmed)
    return user


def register_elsewhere(*, username: str, email: str = "", guest: User | None = None) -> User:
    """An account without a password, of somebody whom the club's own provider knows
    (`accounts.single_sign_on`); also where registration is closed. Raises as ``register``.
    """
    return _register(username, None, email, guest)


def _register(username: str, password: str | None, email: str, guest: User | None) -> User:
    _check(username=username, password=password, email=email)
    gate.check_may_register(email)
    if guest is not None:
        return _claim(guest, username, password, email)
    user = User(username=username, display_name=username, email=email, joined_from=_from())
    user.name_skeleton = skeleton(username)
    user.set_password(password)
    with _unique_names(refusals.UsernameTaken()):
        user.save(force_insert=True)
    return user


def pseudonym(name: str, number: int = 0) -> User:
    """The account of a person known by name from another installation; nobody can sign in to it.

    The same name and number give the same account. Its name is not reserved.
    """
    digest = sha256(f"{name}\n{number}".encode()).hexdigest()[:16]
    user = User(
        username=f"{names.IMPORTED}{digest}", display_name=name or "Imported", is_active=False
    )
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
    with _unique_names(
        refusals.BadAccount({"display_name": [gettext("Another player has this name.")]})
    ):
        changed = ("display_name", "name_skeleton", "language", "local_letters", "in_archive")
        user.save(update_fields=changed)
    return user


def _new_guest(language: str) -> User:
    username, display_name = names.guest_name(language)
    user = User(username=username, display_name=display_name, language=language, is_guest=True)
    user.joined_from = _from()
    user.set_unusable_password()
    with _unique_names(refusals.UsernameTaken()):
        user.save(force_insert=True)
    return user


def _from() -> str:
    """The caller's address as a keyed hash; empty where no request makes the account."""
    address = present_address()
    return salted_hmac("accounts.joined_from", address).hexdigest()[:16] if address else ""


def _claim(guest: User, username: str, password: str | None, email: str) -> User:
    with _unique_names(refusals.UsernameTaken()):
        user = User.objects.select_for_update().get(pk=guest.pk)
        if not user.is_guest:
            raise refusals.AlreadyRegistered
        user.keep_name()
        if names.is_generated(user.username, user.display_name) or user.name_skeleton is None:
            user.display_name, user.name_skeleton = username, skeleton(username)
        user.username, user.email, user.is_guest = username, email, False
        user.registered_at = timezone.now()
        user.set_password(password)
        user.save()
        Key.objects.filter(user=user, expires_at=None).update(expires_at=key_expiry())
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


def _check(*, username: str, password: str | None, email: str) -> None:
    candidate = User(username=username, email=email)
    with _collected_faults() as check:
        check("username", User.username.field.clean, username, candidate)
        check("username", _not_reserved, username)
        check("email", User.email.field.clean, email, candidate)
        if password is not None:
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
        raise refusals.BadAccount(faults)


def _own_name(name: str, user: User) -> str:
    shown = names.shown_name(name)
    if user.is_bot:
        return _name_of_bot(shown, user)
    if shown != user.display_name:
        names.check_imitation(shown, user)
        user.name_skeleton = None if user.is_guest else skeleton(shown)
    return shown


def _name_of_bot(shown: str, user: User) -> str:
    """The part before the sign is chosen as any name is."""
    name = names.signed(shown)
    if name != user.display_name:
        names.check_imitation(name.removesuffix(names.SIGN).rstrip(), user)
        user.name_skeleton = skeleton(name)
    return name


def _not_reserved(username: str) -> None:
    if names.is_reserved_username(username):
        raise ValidationError(gettext("This username is taken."))


def _known_language(language: str) -> str:
    known = [code for code, _ in settings.LANGUAGES]
    if language not in known:
        raise ValidationError(gettext("The languages are: {codes}.").format(codes=", ".join(known)))
    return language


# Browsers in which a person is signed in: what the account page lists, and what ends one.
#
# Django's sessions name no account and no last use, so each has a row beside it, written when a
# session is used and once an hour after that. A session that is over leaves its row to the night.

BROWSERS: Final = (
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("YaBrowser/", "Yandex Browser"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
SYSTEMS: Final = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


def sessions_of(user: User) -> list[BrowserSession]:
    """The sessions that still sign the person in, the last used one first."""
    rows = BrowserSession.objects.filter(user=user)
    living = Session.objects.filter(
        session_key__in=rows.values("session_key"), expire_date__gt=timezone.now()
    )
    facts = {session.session_key: session.get_decoded() for session in living}
    return [row for row in rows if _signs_in(user, facts.get(row.session_key, {}))]


def end_session(*, user: User, session_id: UUID) -> None:
    """Signs one browser out; again is no error."""
    for row in BrowserSession.objects.filter(user=user, pk=session_id):
        Session.objects.filter(session_key=row.session_key).delete()
        row.delete()


def forget_sessions(user: User) -> None:
    """Signs every browser out."""
    rows = BrowserSession.objects.filter(user=user)
    Session.objects.filter(session_key__in=rows.values("session_key")).delete()
    rows.delete()


def forget_ended(before: datetime) -> int:
    """Sessions that expired, and rows of those that are over. Called every night."""
    gone = Session.objects.filter(expire_date__lt=before).delete()[0]
    theirs = Session.objects.filter(session_key=OuterRef("session_key"))
    BrowserSession.objects.filter(~Exists(theirs), last_used_at__lt=before).delete()
    return gone


def device_of(agent: str) -> str:
    """Browser and system in the words of people: `Firefox, Linux`. Empty where it says neither."""
    named = (
        next((name for sign, name in known if sign in agent), "") for known in (BROWSERS, SYSTEMS)
    )
    return ", ".join(filter(None, named))[:DEVICE_LENGTH]


def _signs_in(user: User, facts: Mapping[str, str]) -> bool:
    """Whether Django takes the session for this person's: a new password ends all others."""
    given = facts.get(HASH_SESSION_KEY, "")
    hashes = [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]
    return facts.get(SESSION_KEY) == str(user.pk) and any(
        compare_digest(given, known) for known in hashes
    )


# Accounts changed from a shell, for people who cannot sign in; the audit log names the shell.

SHELL = "shell"
RANDOM_BYTES = 15


def create_administrator(username: str, password: str = "") -> str:
    """An account that may do everything; its password, made up if none is given.

    The name may be one that nobody can register. Raises UsernameTaken and BadAccount.
    """
    if User.objects.filter(username__iexact=username).exists():
        raise refusals.UsernameTaken(f"There is an account {username!r} already.")
    password = password or secrets.token_urlsafe(RANDOM_BYTES)
    _administrators_check("username", lambda: User.username.field.clean(username, User()))
    _administrators_check("password", lambda: validate_password(password, User(username=username)))
    with transaction.atomic():
        user = User.objects.create_superuser(username=username, password=password)
        _record("create_administrator", user)
    return password


def reset_password(
    username: str, password: str = "", *, second_factor: bool = False, keep_keys: bool = False
) -> str:
    """A new password for a registered account; ends its sessions and its lock-out.

    And its keys and connected programs, unless ``keep_keys``. With ``second_factor`` it signs in
    without one. Raises NotFound and BadAccount.
    """
    user = User.objects.filter(username__iexact=username, is_guest=False).first()
    if user is None:
        raise NotFound(f"There is no registered account {username!r}.")
    password = password or secrets.token_urlsafe(RANDOM_BYTES)
    _administrators_check("password", lambda: validate_password(password, user))
    with transaction.atomic():
        user.set_password(password)
        user.save(update_fields=["password"])
        if second_factor:
            Authenticator.objects.filter(user=user).delete()
        revoked = 0 if keep_keys else revoke_keys(user=user)
        _record("reset_password", user, second_factor=second_factor, keys=revoked)
    lift_lock_out(username=user.username.lower())
    return password


def _administrators_check(field: str, rule: Callable[[], object]) -> None:
    try:
        rule()
    except ValidationError as error:
        raise refusals.BadAccount({field: error.messages}) from None


def _record(action: str, user: User, **details: Any) -> None:
    log.write(SHELL, action, "person", user.pk, user.username, **details)


# Every read of an account.


def valid_keys() -> QuerySet[Key]:
    """Keys that open an account now."""
    unexpired = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
    return Key.objects.filter(unexpired, user__is_active=True)


def keys_of(user: User) -> QuerySet[Key]:
    """The user's keys, newest first; not the tokens of connected programs."""
    return valid_keys().filter(user=user, connection=None)


def ended_key(digest: str) -> Key | None:
    """A key that is expired or whose account is closed, and that was not removed yet."""
    return Key.objects.select_related("user").filter(digest=digest).first()


def key_by_digest(digest: str) -> Key | None:
    """The key and, in the same query, its user."""
    return valid_keys().select_related("user").filter(digest=digest).first()
