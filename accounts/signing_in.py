"""How a request is signed in: password, second factor, what is locked out."""

import math
from typing import Any, cast

from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authentication_failed
from allauth.mfa.utils import is_mfa_enabled
from axes.helpers import get_cool_off
from django.contrib.auth import authenticate
from django.contrib.auth.signals import user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from rest_framework.request import Request

from accounts.models import User
from accounts.refusals import BadCredentials, LockedOut, SecondFactorRequired, TooManyWrongCodes
from config.api.errors import ProblemResponse
from config.api.throttles import WrongPasswords

# The account of a caller: of any caller, or of one who must have one.


def account_of(request: HttpRequest | Request) -> User | None:
    """The caller's; ``None`` of a view that is open to everybody and has a visitor."""
    return request.user if isinstance(request.user, User) else None


def signed_in(request: HttpRequest | Request) -> User:
    """The caller; the permissions of the view have checked that there is one."""
    return cast("User", request.user)


# Checks the password of a signed-in person again, before anything that cannot be undone.


def knows_password(request: HttpRequest, user: User, password: str) -> bool:
    """A wrong password counts as one of a sign-in does, up to the lock-out."""
    return authenticate(request, username=user.username, password=password) == user


# The second factor of a sign-in: a code of an authenticator, or a recovery code (allauth.mfa).


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


# Too many wrong passwords: django-axes counts them by account, this module by address.


@receiver(user_login_failed)
def count_failure(request: HttpRequest | None = None, **_: Any) -> None:
    if request is not None:
        WrongPasswords.take(request)


def lockout_response(
    request: HttpRequest, _response: HttpResponse | None = None, _credentials: Any = None
) -> HttpResponse:
    """AXES_LOCKOUT_CALLABLE: a problem below /api/, a page elsewhere."""
    wait = get_cool_off(request)
    seconds = math.ceil(wait.total_seconds()) if wait else 0
    headers = {"Retry-After": str(seconds)}
    if not request.path.startswith("/api/"):
        context = {"minutes": math.ceil(seconds / 60)}
        page = render_to_string("account/locked_out.html", context, request)
        return HttpResponse(page, status=429, headers=headers)
    sentence = f"Too many wrong passwords for this account. Try again in {seconds} s."
    return ProblemResponse(LockedOut(sentence), headers)


def lower_username(request: HttpRequest, credentials: dict[str, Any] | None = None) -> str:
    """AXES_USERNAME_CALLABLE: `Ada` and `ADA` are one account, with one count."""
    typed = (credentials or {}).get("username") or request.POST.get("login") or ""
    return str(typed).lower()
