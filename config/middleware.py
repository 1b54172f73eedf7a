"""Middleware that only pages need, kept off the API's road.

Taken together these cost a request 250 µs, a quarter of a whole move, and say nothing to a
program: languages, messages, htmx, the policy of what a page may load.
"""

from collections.abc import Callable
from typing import Any, ClassVar

from csp.constants import UNSAFE_EVAL, UNSAFE_INLINE
from csp.middleware import CSPMiddleware
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django_structlog.middlewares import RequestMiddleware

Handler = Callable[[HttpRequest], HttpResponseBase]

API, API_PAGE = "/api/", "/api/v1/docs"
ADMIN = "/admin/"
# The admin's theme brings Alpine, which evaluates what stands in attributes.
ADMIN_MAY = {"script-src": [UNSAFE_EVAL, UNSAFE_INLINE], "style-src": [UNSAFE_INLINE]}


class PagePolicy(CSPMiddleware):
    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if request.path_info.startswith(ADMIN):
            response._csp_update = ADMIN_MAY  # type: ignore[attr-defined]  # noqa: SLF001
        return super().process_response(request, response)


class PagesOnly:
    """Lets requests of the API pass by the middleware of its subclass."""

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


class Policy(PagesOnly):
    middleware = PagePolicy


class Language(PagesOnly):
    middleware = LocaleMiddleware


class RequestLog(PagesOnly):
    middleware = RequestMiddleware
