"""Compresses answers on request, where it saves enough and reveals no secret.

BREACH reads a secret off the length of compressed answers in which it stands beside text of the
attacker's choice, and it needs a browser that sends its cookie with the attacker's requests. So
only requests without a cookie are compressed: a key is never sent by itself. Answers that bring a
new key are short, and so are most others of the API; what is short stays as it is.
"""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

WORTH_IT = 1400  # bytes: what fits into one packet anyway gains nothing


class Compression(GZipMiddleware):
    """For answers of the API; streams and what is compressed already pass by."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        asked = "gzip" in request.headers.get("Accept-Encoding", "")
        open_to_guesses = bool(request.COOKIES) or "token" in request.path_info
        content = getattr(response, "content", b"")
        if not asked or open_to_guesses or len(content) < WORTH_IT:
            return response
        if not request.path_info.startswith("/api/") or not _is_text(response):
            return response
        return super().process_response(request, response)


def _is_text(response: HttpResponseBase) -> bool:
    kind = response.get("Content-Type", "")
    return "json" in kind or kind.startswith("text/")
