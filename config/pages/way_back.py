"""Redirects from the address of a form, opened as a page, to the page above it."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve

Handler = Callable[[HttpRequest], HttpResponseBase]


def way_back(get_response: Handler) -> Handler:
    """A reload after an error, or the browser's history, sends GET to such an address."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        is_page = request.method in ("GET", "HEAD") and not request.path_info.startswith("/api/")
        is_for_programs = response.get("Content-Type") == "application/json"
        if response.status_code == 405 and is_page and not is_for_programs:
            return HttpResponseRedirect(page_above(request.path_info))
        return response

    return middleware


def page_above(path: str) -> str:
    """The nearest address above that exists: of ``/matches/7/move`` it is ``/matches/7``."""
    while len(path) > 1:
        path = path.rstrip("/") if path.endswith("/") else path[: path.rindex("/") + 1]
        if _exists(path):
            return path
    return "/"


def _exists(path: str) -> bool:
    try:
        resolve(path)
    except Resolver404:
        return False
    return True
