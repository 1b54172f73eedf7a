"""The button below a notice of the operators: it marks the notice as read."""

from contextlib import suppress
from uuid import UUID

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from accounts.audit import notices
from accounts.refusals import NoSuchNotice
from accounts.signing_in.signed_in import signed_in
from accounts.web.language import next_page
from config import club


@require_POST
def close_announcement(request: HttpRequest, announcement_id: UUID) -> HttpResponse:
    """This browser shows it no more; the newest of those that it closed are remembered."""
    closed = [*request.COOKIES.get(club.CLOSED, "").split("."), str(announcement_id)]
    response = redirect(next_page(request))
    response.set_cookie(
        club.CLOSED,
        ".".join([one for one in dict.fromkeys(closed) if one][-club.CLOSED_AT_MOST :]),
        max_age=settings.SESSION_COOKIE_AGE,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


@require_POST
@login_required
def read_notice(request: HttpRequest, notice_id: UUID) -> HttpResponse:
    with suppress(NoSuchNotice):  # of another account, or it was never there
        notices.mark_read(user_id=signed_in(request).pk, notice_id=notice_id)
    return redirect(next_page(request))
