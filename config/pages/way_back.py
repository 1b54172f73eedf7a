"""Addresses and methods as people and programs use them, led to the page that they mean.

* HEAD is GET without the body: one view, the same status and headers. No view lists HEAD itself.
* A slash too many or too few, or an id in capitals, is redirected to the address itself, a form or
  a call with its body (308).
* The address of a form, opened as a page, is redirected to the page above it.
"""

import re
from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import Resolver404, ResolverMatch, resolve
from django.utils.encoding import escape_uri_path
from django.utils.http import url_has_allowed_host_and_scheme

Handler = Callable[[HttpRequest], HttpResponseBase]

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
