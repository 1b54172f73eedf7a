"""The letters on cards, by the reader's cookie."""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from accounts.web.language import LETTERS_COOKIE, LOCAL
from games.language import local_letters


class Letters:
    """Middleware: the reader's letters on cards, by a cookie, until the answer is made."""

    async_capable = False

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        with local_letters(wanted=request.COOKIES.get(LETTERS_COOKIE) == LOCAL):
            return self._get_response(request)
