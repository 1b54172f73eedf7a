"""Cookies of forms and sessions that an answer which comes late does not undo.

A page asks for news while its reader signs in, and both answers set cookies. The one to the older
request may come last. What it says of cookies that it was sent itself is no news, so it says
nothing.
"""

from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers

CHANGED: Final = "CSRF_COOKIE_NEEDS_UPDATE"  # Django's note on a request


def keep_form_cookie(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
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
