"""Refuses a request without a view and a thread: it was not read to its end."""

from typing import Final

import msgspec
from django.template.loader import get_template
from django.utils.translation import override

from config.api.errors import MEDIA_TYPE, problem_document
from config.pages.middleware import API, accepted_language
from config.pages.other_sites import headers_for
from config.refusals import Refusal
from config.server.messages import Headers, Scope, Send
from config.telemetry import metrics
from config.telemetry.work import HEADER
from config.words import sentence_of

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
