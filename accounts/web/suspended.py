"""Pages for a suspended person: every page says that they are suspended, why and until when.

Django treats such a browser as a visitor's, but its session still names the account. Signing out
clears the session. The person may answer once. The form of the answer names the suspension in a
signed text, since after the right password there is no session.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.deprecation import MiddlewareMixin
from django.views.decorators.http import require_POST

from accounts.audit.models import Suspension
from accounts.suspensions import Suspended, suspension_of
from config.api.errors import ProblemResponse
from config.offers import offered
from config.refusals import Refusal
from config.telemetry import requests
from config.words import sentence_of

OPEN_TO_ALL: Final = frozenset(
    {"set_language", "favicon", "robots", "manifest", "app", "service_worker", "account_appeal"}
)
APPEAL: Final = "accounts.appeal"
HOUR: Final = 3600


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
    context = {
        "sentence": sentence_of(suspended),
        "was_signed_in": SESSION_KEY in request.session,
        "token": signing.dumps(suspended.number, salt=APPEAL),
        "appeal": next((read(suspended.number) for read in offered("appeal_of")), None),
    }
    page = render(request, "account/suspended.html", context, status=suspended.status)
    if "HX-Request" in request.headers:  # htmx asked for a part of the page that is gone
        page["HX-Refresh"] = "true"
    return page


@require_POST
def appeal(request: HttpRequest) -> HttpResponse:
    """What a suspended person answers; then the page that says why, with the answer."""
    try:
        number = signing.loads(request.POST.get("token", ""), salt=APPEAL, max_age=HOUR)
    except signing.BadSignature:
        return redirect("account_login")
    with suppress(Refusal):  # it was answered already, or is over
        for write in offered("appeal"):
            write(number, request.POST.get("text", ""))
    row = Suspension.objects.filter(pk=number, lifted_at=None).first()
    suspended = suspension_of(row.user_id) if row else None
    return suspended_page(request, suspended) if suspended else redirect("account_login")


def _suspension(request: HttpRequest) -> Suspended | None:
    """Looked up only if the session names an account that Django does not sign in."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES or "Authorization" in request.headers:
        return None
    user_id = request.session.get(SESSION_KEY)
    if user_id is None or request.user.is_authenticated:
        return None
    return suspension_of(UUID(user_id))
