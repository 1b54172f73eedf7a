"""The switch of how cards look."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from accounts.web.language import next_page
from games.card_look import COOKIE, chosen, look_of


@require_POST
def set_look(request: HttpRequest) -> HttpResponse:
    """The switch in the page: ``colours``, ``back`` or both; back to ``next``."""
    look = chosen(request.POST.dict(), look_of(request))
    response = redirect(next_page(request))
    response.set_cookie(
        COOKIE,
        f"{look.colours}.{look.back}",
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response
