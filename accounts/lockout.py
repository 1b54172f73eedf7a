"""The response after too many wrong passwords; django-axes counts them."""

import math
from typing import Any

from axes.helpers import get_cool_off
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from accounts.refusals import LockedOut
from config.api.problems import ProblemResponse


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
