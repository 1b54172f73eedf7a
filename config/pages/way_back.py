"""Where the address of a form leads that somebody opens as a page: to the page above it."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve

Handler = Callable[[HttpRequest], HttpResponseBase]


def way_back(get_response: Handler) -> Handler:
    """Reloading after an error, or the browser's history, asks for such an address with GET."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        asked = request.method in ("GET", "HEAD") and not request.path_info.startswith("/api/")
        if response.status_code == 405 and asked:
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
