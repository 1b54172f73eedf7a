"""Too many wrong passwords: django-axes counts them by account, this module by address."""

import math
from typing import Any

from axes.helpers import get_cool_off
from django.contrib.auth.signals import user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from accounts.refusals import LockedOut
from config.api.errors import ProblemResponse
from config.api.throttles import WrongPasswords


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
