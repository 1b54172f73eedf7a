"""The reader's language and card letters: cookies of the browser, kept with the account.

The cookies decide, so that a page needs no look at the account. Signing in brings the account's
choice to the browser; the switch in the page changes both. Cards carry the letters of the reader's
language unless the reader chose the international ones.
"""

from typing import Any, Final

from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import get_language
from django.views.decorators.http import require_POST

from accounts.models import User
from accounts.services import people
from config.pages.next_page import is_page_of_ours

LETTERS_COOKIE: Final = "card_letters"
LOCAL: Final = "local"
INTERNATIONAL: Final = "international"


def wants_local_letters(request: HttpRequest) -> bool:
    return request.COOKIES.get(LETTERS_COOKIE) != INTERNATIONAL


class KeepChoice(MiddlewareMixin):
    """Stores the choice of a person who has just signed in in the browser's cookies."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        user = getattr(request, "chooses", None)
        if user is not None:
            remember(response, user)
        return response


@receiver(user_logged_in)
def _signed_in(request: HttpRequest | None, user: User, **_: Any) -> None:
    if request is None or user.is_guest:  # a guest keeps the choice of the visitor
        return
    here = get_language(), wants_local_letters(request)
    if here != (user.language, user.local_letters):
        request.chooses = user  # type: ignore[attr-defined]


@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    """The switch in the page: ``language``, ``letters`` or both; back to ``next``."""
    user = request.user if request.user.is_authenticated else User()
    if request.POST.get("language") in dict(settings.LANGUAGES):
        user.language = request.POST["language"]
    elif not request.user.is_authenticated:
        user.language = get_language() or settings.LANGUAGE_CODE
    if "letters" in request.POST:
        user.local_letters = request.POST["letters"] != INTERNATIONAL
    elif not request.user.is_authenticated:
        user.local_letters = wants_local_letters(request)
    if request.user.is_authenticated:
        people.change_profile(user=user, language=user.language, local_letters=user.local_letters)
    response = redirect(next_page(request))
    remember(response, user)
    return response


def remember(response: HttpResponseBase, user: User) -> None:
    letters = LOCAL if user.local_letters else INTERNATIONAL
    for name, value in ((settings.LANGUAGE_COOKIE_NAME, user.language), (LETTERS_COOKIE, letters)):
        response.set_cookie(
            name,
            value,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            secure=settings.LANGUAGE_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )


def next_page(request: HttpRequest) -> str:
    """The page after a form: ``next``, if it is a page of ours."""
    to = request.POST.get("next", "")
    return to if is_page_of_ours(request, to) else "/"
