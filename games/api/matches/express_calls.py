"""The calls that the express door answers, and what Django's views declare about them.

Limit, scope of the key, name in the metrics and allowed methods are read from the views, which are
looked up by their address. So they are declared once; and if a view moves to another address, the
process does not start, instead of answering with old facts.
"""

import re
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.http import HttpRequest
from django.urls import resolve
from rest_framework.request import Request

from accounts.api.authentication import key_digest
from config.api.json import BODY_LIMIT
from config.api.scopes import required_scope
from config.server.messages import Scope
from config.server.plain import PlainRequests
from config.telemetry.work import HEADER
from games.matches.selectors.access import Caller

JSON: Final = b"application/json"
MATCH: Final = "/api/v1/matches/{}"
_PATH: Final = re.compile(
    MATCH.format(r"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})") + "(/moves)?"
).fullmatch
_SEAT: Final = re.compile(rb"seat=([0-9]{1,2})").fullmatch


class Kind(NamedTuple):
    """What is true of all calls of one method at one address."""

    method: str
    is_move: bool
    limit: str  # in DEFAULT_THROTTLE_RATES
    scope: str  # that a key needs
    view: str  # its name in the metrics and in the log
    allow: str  # the header


class Call(NamedTuple):
    """A request that this door can answer, if it is right."""

    kind: Kind
    match_id: UUID
    digest: str
    seat: int | None
    headers: dict[bytes, bytes]
    request_id: str

    @property
    def caller(self) -> Caller:
        return Caller(digest=self.digest, scope=self.kind.scope)


class Calls:
    def __init__(self, plain: PlainRequests) -> None:
        self._plain = plain
        self._move = kind_of("POST", MATCH.format(UUID(int=0)) + "/moves", is_move=True)
        self._read = kind_of("GET", MATCH.format(UUID(int=0)))

    def call_in(self, scope: Scope, memo: dict[bytes, str]) -> Call | None:
        """The call, judged by its first lines alone; ``None`` if this door cannot answer it.

        ``memo`` keeps the digest of the key that the connection sent last.
        """
        path = _PATH(scope["path"])
        if path is None:
            return None
        kind, query = self._move if path[2] else self._read, scope["query_string"]
        if scope["method"] != kind.method:
            return None
        seat = _SEAT(query)
        headers = self._plain.headers_of(scope)
        if headers is None or (query and (seat is None or kind.is_move)):
            return None
        if not headers.get(b"accept-language", b"en").startswith((b"en", b"*")):
            return None
        authorization = headers.get(b"authorization", b"")
        digest = memo.get(authorization) or key_digest(authorization.decode("latin-1"))
        if digest is None or not _has_fitting_body(kind, headers):
            return None
        if authorization not in memo:
            memo.clear()
            memo[authorization] = digest
        own = int(seat[1]) if seat else None
        return Call(kind, UUID(path[1]), digest, own, headers, scope.get(HEADER, ""))


def kind_of(method: str, path: str, *, is_move: bool = False) -> Kind:
    """What the view at this address declares for a caller with a key."""
    address = resolve(path)
    made: Any = address.func  # by ``as_view``
    view = made.cls(**made.initkwargs)
    view.setup(HttpRequest())
    request = Request(HttpRequest())
    request.auth = "a key"
    (throttle,) = view.get_throttles()  # the door counts once
    return Kind(
        method=method,
        is_move=is_move,
        limit=throttle.scope_of(request),
        scope=str(required_scope(view, method)),
        view=address.view_name,
        allow=view.default_response_headers["Allow"],
    )


def _has_fitting_body(kind: Kind, headers: dict[bytes, bytes]) -> bool:
    length = headers.get(b"content-length", b"0")
    if not length.isdigit():
        return False
    if not kind.is_move:
        return int(length) == 0
    return headers.get(b"content-type") == JSON and 0 < int(length) <= BODY_LIMIT
