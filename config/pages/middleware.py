"""Middleware that only pages need: languages, messages, htmx, the policy of what a page may load.

Requests of the API skip it: a program gains nothing from it, and it would slow down every move.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, ClassVar

from csp.middleware import CSPMiddleware
from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language_from_request, override
from django.utils.translation.trans_real import (
    get_supported_language_variant,
    parse_accept_lang_header,
)

from config.settings.content_security import ADMIN_ALSO

Handler = Callable[[HttpRequest], HttpResponseBase]

API, API_PAGE = "/api/", "/api/v1/docs"
ADMIN = "/admin/"


class PagePolicy(CSPMiddleware):
    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if request.path_info.startswith(ADMIN):
            response._csp_update = ADMIN_ALSO  # type: ignore[attr-defined]  # noqa: SLF001
        return super().process_response(request, response)


class PagesOnly:
    """Applies the middleware of its subclass to pages, not to requests of the API."""

    middleware: ClassVar[Any]
    async_capable = False

    def __init__(self, get_response: Handler) -> None:
        self._pass_by = get_response
        self._through: Handler = self.middleware(get_response)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        path = request.path_info
        if path.startswith(API) and not path.startswith(API_PAGE):
            return self._pass_by(request)
        return self._through(request)


def keep_private(get_response: Handler) -> Handler:
    """Answers belong to one reader: no shared cache keeps one, unless the view allows it."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if not response.has_header("Cache-Control"):
            response["Cache-Control"] = "private, no-cache"
            patch_vary_headers(response, ("Authorization", "Cookie"))
        return response

    return middleware


class Policy(PagesOnly):
    middleware = PagePolicy


class StorableText:
    """Postgres stores no NUL: a page's fields with one are refused before a view reads them."""

    async_capable = False

    def __init__(self, get_response: Handler) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self._get_response(request)

    def process_view(self, request: HttpRequest, *_: Any) -> None:
        """The API reads its bodies itself and refuses it there (``config.api.json``)."""
        if request.path_info.startswith(API):
            return
        fields = (*request.GET.lists(), *request.POST.lists())
        if any("\x00" in value for _name, values in fields for value in values):
            raise BadRequest("A text cannot hold the character NUL.")


class Language:
    """Speaks the reader's language until the answer is made.

    A page: that of the cookie (`accounts.web.language`), else the browser's. The API: that of the
    header alone. The admin is English.
    """

    async_capable = False

    def __init__(self, get_response: Handler) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        path = request.path_info
        if path.startswith(API) and not path.startswith(API_PAGE):
            language = accepted_language(request.headers.get("Accept-Language", ""))
            if language == settings.LANGUAGE_CODE:
                return self._get_response(request)  # nothing is looked up for a program
        else:
            language = _language_of_page(request)
        with override(language):
            response = self._get_response(request)
        patch_vary_headers(response, ("Accept-Language",))
        response.headers.setdefault("Content-Language", language)
        return response


def accepted_language(header: str) -> str:
    """The first language of Accept-Language that this service speaks, else English."""
    for code, _ in parse_accept_lang_header(header):
        with suppress(LookupError):
            return get_supported_language_variant(code)
    return settings.LANGUAGE_CODE


def _language_of_page(request: HttpRequest) -> str:
    admin = request.path_info.startswith(ADMIN)
    language = settings.LANGUAGE_CODE if admin else get_language_from_request(request)
    request.LANGUAGE_CODE = language
    return language
