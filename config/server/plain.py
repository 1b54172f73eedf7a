"""Plain requests: those that Django's middleware would not change, and the headers that it adds.

For a door in front of Django. A request with anything unusual is not plain; Django answers it.
"""

from functools import lru_cache
from typing import Final

import msgspec
from django.conf import settings
from django.http.request import split_domain_port, validate_host
from django.template.loader import get_template
from django.utils.translation import override

from config.api.errors import MEDIA_TYPE, problem_document
from config.pages.middleware import API, accepted_language, headers_for
from config.refusals import Refusal
from config.server.streams import Headers, Message, Receive, Scope, Send
from config.telemetry import metrics
from config.telemetry.work import HEADER
from config.words import sentence_of

READ: Final = frozenset(
    {b"host", b"authorization", b"content-type", b"content-length", b"idempotency-key"}
    | {b"if-none-match", b"accept-language"}
)
NOT_PLAIN: Final = frozenset({b"cookie", b"origin", b"transfer-encoding"})


class PlainRequests:
    """Judges by the settings as they are when it is made."""

    def __init__(self) -> None:
        name, self._secure_value = settings.SECURE_PROXY_SSL_HEADER or ("", "")
        self._scheme_header = name.removeprefix("HTTP_").lower().replace("_", "-").encode()
        self._read = READ | {self._scheme_header}
        self._is_host = lru_cache(maxsize=64)(_is_host)
        self._around_length = lru_cache(_around_length)

    def headers_of(self, scope: Scope) -> dict[bytes, bytes] | None:
        """The headers that matter; ``None`` unless the request is plain."""
        if scope.get("root_path"):
            return None
        headers: dict[bytes, bytes] = {}
        for name, value in scope["headers"]:
            if name in self._read:
                if name in headers:
                    return None
                headers[name] = value
            elif name in NOT_PLAIN or not _is_ordinary(name, value):
                return None
        if not self._is_host(headers.get(b"host", b"")):
            return None
        if settings.SECURE_SSL_REDIRECT and not self.is_secure(scope, headers):
            return None
        return headers

    def is_secure(self, scope: Scope, headers: dict[bytes, bytes]) -> bool:
        """Whether the caller uses HTTPS, by the header of a trusted proxy if it is set."""
        passed_on = headers.get(self._scheme_header)
        if passed_on is None:
            return bool(scope.get("scheme") == "https")
        return passed_on.decode("latin-1").partition(",")[0].strip() == self._secure_value

    def response_headers(self, allow: str, length: int, *, secure: bool) -> Headers:
        """In the order in which REST framework and the middleware add them."""
        before, after = self._around_length(allow, secure=secure)
        return [*before, (b"content-length", b"%d" % length), *after]


def with_body(body: bytes) -> Receive:
    """``receive`` for the next application, after the body was read."""

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


def as_bytes(headers: dict[str, str]) -> Headers:
    return [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()]


def _is_ordinary(name: bytes, value: bytes) -> bool:
    """Whether the header allows an answer as JSON and in English."""
    if name == b"accept":
        return b"text/plain" not in value
    return name != b"accept-language" or _is_english(value)


@lru_cache(maxsize=1024)
def _is_english(accepted: bytes) -> bool:
    return accepted_language(accepted.decode("latin-1")) == settings.LANGUAGE_CODE


def _is_host(host: bytes) -> bool:
    domain, _ = split_domain_port(host.decode("latin-1"))
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)


def _around_length(allow: str, *, secure: bool) -> tuple[Headers, Headers]:
    """The headers before and after the length, which alone differs from answer to answer."""
    before = {"allow": allow, "x-frame-options": settings.X_FRAME_OPTIONS}
    headers = {
        "cache-control": "private, no-cache",
        "vary": "Authorization, Cookie",
    }
    if secure and settings.SECURE_HSTS_SECONDS:
        headers["strict-transport-security"] = f"max-age={settings.SECURE_HSTS_SECONDS}"
    headers |= {
        "x-content-type-options": "nosniff",
        "referrer-policy": settings.SECURE_REFERRER_POLICY,
        "cross-origin-opener-policy": settings.SECURE_CROSS_ORIGIN_OPENER_POLICY,
    }
    return as_bytes(before), as_bytes(headers)


# Refuses a request without a view and a thread: it was not read to its end.

TRY_AGAIN: Final = {429: b"5", 503: b"5"}  # seconds


async def refuse(scope: Scope, send: Send, refusal: Refusal) -> None:
    """A problem document for programs, a page or a sentence for people; the connection ends."""
    metrics.refused(refusal.code)
    kind, body = _document(scope, refusal)
    headers: Headers = [
        (b"content-type", kind),
        (b"content-length", b"%d" % len(body)),
        (b"connection", b"close"),
    ]
    origin = dict(scope["headers"]).get(b"origin", b"").decode("latin-1")
    for name, value in headers_for(origin, scope["path"]).items() if origin else ():
        headers.append((name.lower().encode(), value.encode("latin-1")))
    if refusal.status in TRY_AGAIN:
        headers.append((b"retry-after", TRY_AGAIN[refusal.status]))
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


def _document(scope: Scope, refusal: Refusal) -> tuple[bytes, bytes]:
    accepted = dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1")
    with override(accepted_language(accepted)):
        if scope["path"].startswith(API):
            document = problem_document(refusal, request_id=scope.get(HEADER, ""))
            return MEDIA_TYPE.encode(), msgspec.json.encode(document)
        if refusal.status == 503:
            return b"text/html; charset=utf-8", get_template("503.html").render().encode()
        return b"text/plain; charset=utf-8", sentence_of(refusal).encode()
