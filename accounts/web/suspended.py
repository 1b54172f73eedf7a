"""Pages for a suspended person: every page says that they are suspended, why and until when.

Django treats such a browser as a visitor's, but its session still names the account. Signing out
clears the session.
"""

from collections.abc import Callable
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.deprecation import MiddlewareMixin

from accounts.suspensions import Suspended, suspension_of
from config.api.problems import ProblemResponse
from config.telemetry import requests
from config.words import sentence_of

OPEN_TO_ALL: Final = frozenset(
    {"set_language", "favicon", "robots", "manifest", "app", "service_worker"}
)


class SuspendedPeople(MiddlewareMixin):
    def process_view(
        self, request: HttpRequest, _view: Callable[..., Any], _args: Any, _kwargs: Any
    ) -> HttpResponse | None:
        name = request.resolver_match and request.resolver_match.url_name
        suspended = None if name in OPEN_TO_ALL else _suspension(request)
        if suspended is None:
            return None
        if name == "account_logout" and request.method == "POST":
            request.session.flush()
            return redirect("landing")
        if request.path_info.startswith("/api/"):
            return ProblemResponse(suspended)
        return suspended_page(request, suspended)


def suspended_page(request: HttpRequest, suspended: Suspended) -> HttpResponse:
    requests.refused(suspended)
    context = {"sentence": sentence_of(suspended), "was_signed_in": SESSION_KEY in request.session}
    page = render(request, "account/suspended.html", context, status=suspended.status)
    if "HX-Request" in request.headers:  # htmx asked for a part of the page that is gone
        page["HX-Refresh"] = "true"
    return page


def _suspension(request: HttpRequest) -> Suspended | None:
    """Looked up only if the session names an account that Django does not sign in."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES or "Authorization" in request.headers:
        return None
    user_id = request.session.get(SESSION_KEY)
    if user_id is None or request.user.is_authenticated:
        return None
    return suspension_of(UUID(user_id))
