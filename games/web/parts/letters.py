"""The letters on cards of a page: those of the reader's language, unless the cookie says otherwise.

The API names cards by their codes, so the letters in its sentences are those of the codes.
"""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from accounts.web.language import wants_local_letters
from games.language import local_letters


class Letters:
    """Middleware: the reader's letters on cards, until the answer is made."""

    async_capable = False

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        is_page = not request.path_info.startswith("/api/")
        with local_letters(wanted=is_page and wants_local_letters(request)):
            return self._get_response(request)
