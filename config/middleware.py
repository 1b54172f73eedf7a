"""Middleware that only pages need: languages, messages, htmx, the policy of what a page may load.

Requests of the API pass it by: a program gains nothing from it, and a move would pay for it.
"""

from collections.abc import Callable
from typing import Any, ClassVar

from csp.middleware import CSPMiddleware
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils.cache import patch_vary_headers
from django_structlog.middlewares import RequestMiddleware

from config.content_security import ADMIN_ALSO

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


class Language(PagesOnly):
    middleware = LocaleMiddleware


class RequestLog(PagesOnly):
    middleware = RequestMiddleware
