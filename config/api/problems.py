"""A refusal as the API sends it: ``application/problem+json`` (RFC 9457)."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from django.http import HttpResponse

from config.refusals import Refusal
from config.telemetry import requests, work
from config.words import in_words, sentence_of

MEDIA_TYPE: Final = "application/problem+json"
SECONDS_UNTIL_RETRY: Final = 2  # after an outage


def problem_document(refusal: Refusal, **extras: Any) -> dict[str, Any]:
    """The members of the document; ``extras`` are added to those of the refusal."""
    return {
        "type": f"urn:cardroom:problem:{refusal.code}",
        "title": refusal.title,
        "status": refusal.status,
        "code": refusal.code,
        "detail": sentence_of(refusal),
        **in_words(refusal.extras),
        **({"request_id": known} if (known := work.request_id()) else {}),
        **extras,
    }


class ProblemResponse(HttpResponse):
    """The answer for a refusal; a 401 says how to sign in (RFC 9110 §15.5.2), a 503 when."""

    def __init__(
        self, refusal: Refusal, headers: Mapping[str, str] | None = None, **extras: Any
    ) -> None:
        requests.refused(refusal)
        challenge = {"WWW-Authenticate": "Token"} if refusal.status == 401 else {}
        if refusal.status == 503:
            challenge["Retry-After"] = str(SECONDS_UNTIL_RETRY)
        super().__init__(
            msgspec.json.encode(problem_document(refusal, **extras)),
            MEDIA_TYPE,
            refusal.status,
            headers=challenge | dict(headers or {}),
        )
