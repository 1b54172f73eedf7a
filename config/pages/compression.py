"""Compresses answers on request, where it saves enough and reveals no secret.

BREACH reads a secret off the length of compressed answers in which it stands beside text of the
attacker's choice, and it needs a browser that sends its cookie with the attacker's requests.

* Answers of the API are compressed for requests without a cookie: a key is never sent by itself.
* Pages hold one lasting secret, the token against forged requests. Django masks it differently in
  each answer, and ``GZipMiddleware`` adds up to 100 random bytes. Pages that show a new key or the
  secret of a second factor are not compressed.

Short answers, streams, files and answers that are compressed already are sent unchanged.
"""

from typing import Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

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
        if not _is_asked(request) or not _is_text(response):
            return response
        fits = _fits_api if request.path_info.startswith("/api/") else _fits_page
        if fits(request, len(getattr(response, "content", b""))):
            return super().process_response(request, response)
        return response


def _is_asked(request: HttpRequest) -> bool:
    return "gzip" in request.headers.get("Accept-Encoding", "")


def _fits_api(request: HttpRequest, size: int) -> bool:
    open_to_guesses = bool(request.COOKIES) or "token" in request.path_info
    return size >= WORTH_IT and not open_to_guesses


def _fits_page(request: HttpRequest, size: int) -> bool:
    return size >= PAGE_WORTH_IT and not request.path_info.startswith(SHOW_SECRETS)


def _is_text(response: HttpResponseBase) -> bool:
    kind = response.get("Content-Type", "")
    return "json" in kind or kind.startswith(("text/", "image/svg"))
