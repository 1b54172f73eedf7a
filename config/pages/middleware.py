"""Middleware of pages: policy, language, cookies, compression, other sites, refusals, addresses.

Requests of the API skip it: a program gains nothing from it, and it would slow down every move.
"""

import re
from contextlib import suppress
from http import HTTPStatus
from typing import Any, ClassVar, Final
from urllib.parse import urlsplit

from corsheaders.middleware import CorsMiddleware
from csp.middleware import CSPMiddleware
from django.conf import settings
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import render
from django.urls import Resolver404, ResolverMatch, resolve
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin
from django.utils.encoding import escape_uri_path
from django.utils.http import is_same_domain, url_has_allowed_host_and_scheme
from django.utils.translation import get_language_from_request, override
from django.utils.translation.trans_real import (
    get_supported_language_variant,
    parse_accept_lang_header,
)

from config.api.errors import (
    SECONDS_UNTIL_RETRY,
    ProblemResponse,
    prefers_text,
    rewrite_as_text,
)
from config.refusals import Refusal
from config.settings.addresses import ADMIN_ALSO
from config.telemetry import requests
from config.telemetry.requests import Handler
from config.words import sentences

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


def problems_as_text(get_response: Handler) -> Handler:
    """Refusals of the API in words, for who would rather read them."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if isinstance(response, ProblemResponse) and prefers_text(request):
            rewrite_as_text(response)
        return response

    return middleware


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


class StorableText(MiddlewareMixin):
    """Postgres stores no NUL: a page's fields with one are refused before a view reads them."""

    def process_view(self, request: HttpRequest, *_: Any) -> None:
        """The API reads its bodies itself and refuses it there (``config.api.json``)."""
        if request.path_info.startswith(API):
            return
        fields = (*request.GET.lists(), *request.POST.lists())
        if any("\x00" in value for _name, values in fields for value in values):
            raise BadRequest("A text cannot hold the character NUL.")


class Language:
    """Speaks the reader's language until the answer is made.

    A page: that of the cookie (`accounts.visitors`), else the browser's. The API: that of the
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
    if not admin and language not in (offered := settings.CLUB["languages"]):
        language = offered[0]
    request.LANGUAGE_CODE = language
    return language


# Compresses answers on request, where it saves enough and reveals no secret.
#
# BREACH reads a secret off the length of compressed answers in which it stands beside text of the
# attacker's choice, and it needs a browser that sends its cookie with the attacker's requests.
#
# * Answers of the API are compressed for requests without a cookie: a key is never sent by itself.
# * Pages hold one lasting secret, the token against forged requests. Django masks it differently in
#   each answer, and ``GZipMiddleware`` adds up to 100 random bytes. Pages that show a new key or
#   the
#   secret of a second factor are not compressed.
#
# Short answers, streams, files and answers that are compressed already are sent unchanged.

WORTH_IT: Final = 1400  # bytes of an API's answer: one that fits into one packet gains nothing
PAGE_WORTH_IT: Final = 1024
SHOW_SECRETS: Final = (
    "/accounts/keys/",
    "/accounts/2fa/",
    "/accounts/programs/",
    "/accounts/calendar/",
)


class Compression(GZipMiddleware):
    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if "gzip" not in request.headers.get("Accept-Encoding", "") or not _is_text(response):
            return response
        fits = _fits_api if request.path_info.startswith("/api/") else _fits_page
        if fits(request, len(getattr(response, "content", b""))):
            return super().process_response(request, response)
        return response


def _fits_api(request: HttpRequest, size: int) -> bool:
    open_to_guesses = bool(request.COOKIES) or "token" in request.path_info
    return size >= WORTH_IT and not open_to_guesses


def _fits_page(request: HttpRequest, size: int) -> bool:
    return size >= PAGE_WORTH_IT and not request.path_info.startswith(SHOW_SECRETS)


def _is_text(response: HttpResponseBase) -> bool:
    kind = response.get("Content-Type", "")
    return "json" in kind or kind.startswith(("text/", "image/svg"))


# Cookies of forms and sessions that an answer which comes late does not undo.
#
# A page asks for news while its reader signs in, and both answers set cookies. The one to the
# older request may come last. What it says of cookies that it was sent itself is no news, so it
# says nothing.

CHANGED: Final = "CSRF_COOKIE_NEEDS_UPDATE"  # Django's note on a request


def keep_form_cookie(get_response: Handler) -> Handler:
    """Middleware: the cookie of forms is set when its secret is a new one, not with every form.

    Else the old secret could come after that of a sign-in, and the form shown there is refused.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        secret = request.COOKIES.get(settings.CSRF_COOKIE_NAME)
        if request.META.get(CHANGED) and request.META["CSRF_COOKIE"] == secret:
            request.META[CHANGED] = False
            patch_vary_headers(response, ("Cookie",))
        return response

    return middleware


class SessionCookie(SessionMiddleware):
    """Takes the cookie of a session from the browser when this request ended the session.

    Django takes it as well when the session is not there any more, as after a sign-in in another
    request: the reader would be signed out again.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        session = request.session
        if session.is_empty() and not session.modified:
            if session.accessed:
                patch_vary_headers(response, ("Cookie",))
            return response
        return super().process_response(request, response)


# Pages of other sites that call the API with a key or a token; ``CORS_ORIGINS`` names them.
#
# They never act with a cookie: browsers are not allowed to send one along (there are no
# credentials in the answers), and one that arrives all the same is taken off the request.


class OtherSites(CorsMiddleware):
    """For requests that browsers mark as another site's; all others pass by unchanged."""

    async_capable = False

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if "Origin" not in request.headers:
            response: HttpResponseBase = self.get_response(request)  # type: ignore[assignment]
            if "public" in response.get("Cache-Control", "") and self.is_enabled(request):
                patch_vary_headers(response, ("origin",))  # as the same answer to another site has
            return response
        if self.is_enabled(request) and not _is_own(request):
            request.COOKIES = {}
            request.META.pop("HTTP_COOKIE", None)
        return super().__call__(request)  # type: ignore[return-value]


def headers_for(origin: str, path: str) -> dict[str, str]:
    """The headers of an answer that is given in front of Django, so that the page can read it."""
    request, answer = HttpRequest(), HttpResponse()
    request.path_info, request.META["HTTP_ORIGIN"] = path, origin
    del answer["Content-Type"]
    OtherSites(lambda _request: answer).add_response_headers(request, answer)
    return dict(answer.items())


def _is_own(request: HttpRequest) -> bool:
    """Whether the page is one of this service; the check of forms looks more closely."""
    try:
        origin = urlsplit(request.headers["Origin"])
    except ValueError:
        return False
    trusted = [urlsplit(one) for one in settings.CSRF_TRUSTED_ORIGINS]
    return origin.netloc == request.get_host() or any(
        origin.scheme == one.scheme and is_same_domain(origin.netloc, one.netloc.lstrip("*"))
        for one in trusted
    )


# The page for a refusal that the view does not show itself: the reason, and a way back.


class RefusedPage(MiddlewareMixin):
    """Middleware for pages; the API answers with problem documents before this sees anything."""

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, Refusal):
            return None
        requests.refused(error)
        context = {"sentences": sentences(error)}
        page = render(request, "refused.html", context, status=error.status)
        if error.status == HTTPStatus.SERVICE_UNAVAILABLE:
            page["Retry-After"] = str(SECONDS_UNTIL_RETRY)
        return page


# Addresses and methods as people and programs use them, led to the page that they mean.
#
# * HEAD is GET without the body: one view, the same status and headers. No view lists HEAD itself.
# * A slash too many or too few, or an id in capitals, is redirected to the address itself, a form
#   or a call with its body (308).
# * The address of a form, opened as a page, is redirected to the page above it.

FOR_PROGRAMS: Final = ("/api/", "/oauth/token", "/oauth/revoke")
OF_PAGES: Final = ("GET", "HEAD", "POST", "OPTIONS")
UUID: Final = re.compile(
    r"(?<=/)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![^/.])", re.IGNORECASE
)


class Elsewhere(HttpResponseRedirect):
    """A page that stands at another address, for good; method and body stay as they are."""

    status_code = 308


def way_back(get_response: Handler) -> Handler:
    def middleware(request: HttpRequest) -> HttpResponseBase:
        method, is_page = request.method, not request.path_info.startswith(FOR_PROGRAMS)
        if is_page and method not in ("GET", "HEAD", "POST") and _resolved(request.path_info):
            return _without_view(request)
        if method == "HEAD":
            request.method = "GET"
        response = get_response(request)
        request.method = method
        if response.status_code == 404 and (address := _address_meant(request)):
            return address
        if response.status_code == 405 and is_page and method in ("GET", "HEAD"):
            # A reload after an error, or the browser's history, sends GET to such an address.
            return HttpResponseRedirect(page_above(request.path_info))
        return response

    return middleware


def page_above(path: str) -> str:
    """The nearest address above that exists: of ``/matches/7/move`` it is ``/matches/7``."""
    while len(path) > 1:
        path = path.rstrip("/") if path.endswith("/") else path[: path.rindex("/") + 1]
        if _resolved(path):
            return path
    return "/"


def _without_view(request: HttpRequest) -> HttpResponse:
    """Pages have no other methods, whatever their view would make of one."""
    status = 204 if request.method == "OPTIONS" else 405
    return HttpResponse(status=status, headers={"Allow": ", ".join(OF_PAGES)})


def _address_meant(request: HttpRequest) -> HttpResponse | None:
    """A redirect to the address that this one is another spelling of."""
    path = request.path_info
    if _resolved(path):
        return None
    path = UUID.sub(lambda id_: id_[0].lower(), path)
    bare = path.rstrip("/")
    for address in (path, bare, f"{bare}/"):
        if match := _resolved(address):
            request.resolver_match = match  # so that no log names a path with a secret in it
            query = request.META.get("QUERY_STRING", "")
            whole = escape_uri_path(request.META.get("SCRIPT_NAME", "") + address)
            there = Elsewhere(f"{whole}?{query}" if query else whole)
            there["Cache-Control"] = "no-cache"
            return there
    return None


def _resolved(path: str) -> ResolverMatch | None:
    """The view that serves the path, unless it takes every path that nothing else takes."""
    try:
        match = resolve(path)
    except Resolver404:
        return None
    return None if match.route.rstrip("$").endswith("*") or "(?P<url>.*)" in match.route else match


# The page after a form: an address in the request, which must be one of ours.


def is_page_of_ours(request: HttpRequest, address: str) -> bool:
    """Whether it is on this host; a bare word is not: ``redirect`` takes it for a view's name."""
    here = {request.get_host()}
    safe = url_has_allowed_host_and_scheme(address, here, require_https=request.is_secure())
    return safe and "/" in address
