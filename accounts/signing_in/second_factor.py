"""The second factor of a sign-in: a code of an authenticator, or a recovery code (allauth.mfa)."""

from typing import Any

from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authentication_failed
from allauth.mfa.utils import is_mfa_enabled
from django.contrib.auth.signals import user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest

from accounts.models import User
from accounts.refusals import BadCredentials, SecondFactorRequired, TooManyWrongCodes


def has_second_factor(user: Any) -> bool:
    return bool(is_mfa_enabled(user, [Authenticator.Type.TOTP]))


def check_code(user: User, code: str) -> None:
    """After the right password: raises BadCredentials unless the code is right as well.

    Each code opens once. Wrong ones are counted by account (TooManyWrongCodes), as on the page.
    """
    if not has_second_factor(user):
        return
    if not code:
        raise SecondFactorRequired
    form = AuthenticateForm(user=user, data={"code": code})
    if form.is_valid():
        form.authenticator.record_usage()
        return
    if form.has_error("code", "too_many_login_attempts"):
        raise TooManyWrongCodes
    raise BadCredentials("The code is wrong, or was used already.")


@receiver(authentication_failed)
def count_wrong_code(request: HttpRequest, user: User, **_: Any) -> None:
    """A wrong code counts like a wrong password, here and on the page of allauth."""
    credentials = {"username": user.username}
    user_login_failed.send(sender=User, credentials=credentials, request=request)
