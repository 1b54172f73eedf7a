"""Headers of every answer: its id, and how many requests its caller has left.

The id is the one in the log (``config.telemetry.work``). Our own server writes it into every answer
itself, also into those that Django never sees (``config.server.naming``).
"""

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config.telemetry import work

Handler = Callable[[HttpRequest], HttpResponseBase]
REQUEST_ID: Final = "X-Request-Id"


def say_headers(get_response: Handler) -> Handler:
    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        taken = getattr(request, "rate_limit", None)
        if taken is not None:
            for name, value in taken.headers().items():
                response[name] = value
        if work.HEADER not in request.META:
            response[REQUEST_ID] = work.request_id()
        return response

    return middleware
