"""Accounts changed from a shell, for people who cannot sign in; the audit log names the shell."""

import secrets
from collections.abc import Callable
from typing import Any

from allauth.mfa.models import Authenticator
from axes.utils import reset as lift_lock_out
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction

from accounts.audit import log
from accounts.models import User
from accounts.refusals import BadAccount, UsernameTaken
from accounts.services import keys
from config.refusals import NotFound

SHELL = "shell"
RANDOM_BYTES = 15


def create_administrator(username: str, password: str = "") -> str:
    """An account that may do everything; its password, made up if none is given.

    The name may be one that nobody can register. Raises UsernameTaken and BadAccount.
    """
    if User.objects.filter(username__iexact=username).exists():
        raise UsernameTaken(f"There is an account {username!r} already.")
    password = password or secrets.token_urlsafe(RANDOM_BYTES)
    _check("username", lambda: User.username.field.clean(username, User()))
    _check("password", lambda: validate_password(password, User(username=username)))
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
    _check("password", lambda: validate_password(password, user))
    with transaction.atomic():
        user.set_password(password)
        user.save(update_fields=["password"])
        if second_factor:
            Authenticator.objects.filter(user=user).delete()
        revoked = 0 if keep_keys else keys.revoke_all(user=user)
        _record("reset_password", user, second_factor=second_factor, keys=revoked)
    lift_lock_out(username=user.username.lower())
    return password


def _check(field: str, rule: Callable[[], object]) -> None:
    try:
        rule()
    except ValidationError as error:
        raise BadAccount({field: error.messages}) from None


def _record(action: str, user: User, **details: Any) -> None:
    log.write(SHELL, action, "person", user.pk, user.username, **details)
