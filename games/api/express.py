"""The express door: a move, or a match that is read, by key and without Django.

It answers what is plainly right: 201, 200, 304. Everything else goes on to Django's views with the
same body, and is judged there again by the same services. So nothing is refused here, and both
doors answer the same bytes (a test compares them). There is one exception: while the database is
away this door answers 503 itself. If nobody knows whether a move was written, it must not be judged
again; and who has waited here does not wait there again.

Limit, scope of the key, name in the metrics and allowed methods are read from the views, which are
looked up by their address. So they are declared once; and if a view moves to another address, the
process does not start, instead of answering with old facts.

How the server reads and writes without uvicorn's usual costs: `config.server.uvicorn_internals`.
"""

import logging
import re
import time
from functools import partial
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest
from django.urls import resolve
from rest_framework.request import Request

from accounts.signing_in import key_digest
from config import club
from config.api.errors import Unavailable, problem_for
from config.api.json import BODY_LIMIT, MsgspecRenderer, decoded, shaped
from config.api.operations import Key
from config.api.scopes import required_scope
from config.api.throttles import Taken, give_back, take
from config.postgres.connections import LOST
from config.refusals import Refusal
from config.server.bodies import Body, ClientDisconnected, arrived
from config.server.plain import PlainRequests, as_bytes, refuse, with_body
from config.server.protocol import respond
from config.server.streams import Application, Headers, Receive, Scope, Send
from config.server.uvicorn_internals import memo_of
from config.telemetry import work
from config.telemetry.metrics import record
from config.telemetry.work import HEADER, working_for
from games.api.bodies import NewMove
from games.api.match_answers import (
    etag_of_running,
    is_known,
    match_headers,
    match_response,
    with_rating_changes,
)
from games.matches.batcher import Batcher
from games.matches.moves import MoveRequest, SnapshotCache
from games.matches.rating import is_to_come, note_came
from games.matches.refusals import NoSuchMatch, NotYourSeat
from games.matches.selectors.access import Caller, Wanted
from games.matches.snapshot import MatchSnapshot

JSON: Final = b"application/json"
MATCH: Final = "/api/v1/matches/{}"
_PATH: Final = re.compile(
    MATCH.format(r"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})") + "(/moves)?"
).fullmatch
_SEAT: Final = re.compile(rb"seat=([0-9]{1,2})").fullmatch


class Kind(NamedTuple):
    """The common facts of all calls of one method at one address."""

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
    """The declarations of the view at this address for a caller with a key."""
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


_LANGUAGE: Final = ""  # this door speaks English
_JSON: Final = (b"content-type", JSON)
AWAY: Final = (Unavailable, *LOST)

logger = logging.getLogger("django.request")
_encode = MsgspecRenderer().render


class Answer(NamedTuple):
    status: int
    headers: Headers
    body: bytes = b""
    user: UUID | None = None
    version: int | None = None


class HandOn(Exception):
    """Django's views have to answer this call."""


class ExpressDoor:
    def __init__(self, django: Application) -> None:
        self._django = django
        self._plain = PlainRequests()
        self._calls = Calls(self._plain)
        self._batcher = Batcher(SnapshotCache(settings.KEPT_MATCHES))

    def close(self) -> None:
        self._batcher.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = time.perf_counter()
        call = self._calls.call_in(scope, memo_of(send))
        if call is None or (call.kind.is_move and club.read_only_until()):
            await self._django(scope, receive, send)
            return
        try:
            body = arrived(receive) if call.kind.is_move else b""
            if body is None:
                body = await _read(scope, receive)
        except Refusal as refusal:
            await refuse(scope, send, refusal)
            return
        except ClientDisconnected:
            return
        taken = take(call.kind.limit, call.digest)
        try:
            answer = await self._counted(call, body, taken)
        except AWAY as error:
            answer = _away(error, scope)
        except Exception:  # noqa: BLE001 - Django meets it too, and answers or logs it
            await self._django(scope, with_body(body), send)
            return
        secure = self._plain.is_secure(scope, call.headers)
        common = self._plain.response_headers(call.kind.allow, len(answer.body), secure=secure)
        headers = answer.headers + common + taken.raw_headers()
        await respond(send, answer.status, headers, answer.body)
        request = call.kind.method, call.kind.view, answer.status
        record(*request, begun)
        facts: dict[str, Any] = {"user": answer.user, "match": call.match_id}
        facts |= {"version": answer.version, "request_id": call.request_id}
        work.write_request(*request, begun, **facts)

    async def _counted(self, call: Call, body: bytes, taken: Taken) -> Answer:
        """The answer. A call that Django has to answer is given back, as Django counts it too."""
        if taken.wait is not None:
            raise HandOn
        try:
            return await (self._move(call, body) if call.kind.is_move else self._match(call))
        except AWAY:
            raise
        except Exception:
            give_back(call.kind.limit, call.digest)
            raise

    async def _move(self, call: Call, body: bytes) -> Answer:
        new, key = shaped(decoded(body), NewMove), call.headers.get(b"idempotency-key")
        idempotency_key = None if key is None else shaped(key.decode("latin-1"), Key)
        id_ = call.request_id
        request = MoveRequest(
            call.match_id, call.caller, new.move, new.version, new.seat, idempotency_key, id_
        )
        played = await self._batcher.play(request)
        return await self._shown(201, played.match, played.user, played.seat)

    async def _match(self, call: Call) -> Answer:
        access = await self._batcher.read(Wanted(call.match_id, call.caller))
        if access is None or access.user is None or not access.match.is_visible_to(access.user):
            raise NoSuchMatch
        match, user = access.match, access.user
        if match.is_delayed_for(user) or match.has_strangers_to(user):
            raise HandOn
        if is_to_come(match, user):
            await self._batcher.in_a_lane(partial(note_came, match, user))
        if call.seat is not None and call.seat not in match.seats_of(user):
            raise NotYourSeat
        if_none_match = call.headers.get(b"if-none-match")
        if if_none_match is not None:
            if match.is_over:
                raise HandOn
            tag = etag_of_running(match, user, call.seat, _LANGUAGE)
            if is_known(tag, if_none_match.decode("latin-1")):
                return Answer(304, as_bytes({"etag": tag}), user=user, version=match.version)
        return await self._shown(200, match, user, call.seat)

    async def _shown(
        self, status: int, match: MatchSnapshot, user: UUID, seat: int | None
    ) -> Answer:
        """The match for its reader. If it is over, the database has to say what may be shown."""
        if match.is_over:
            return await self._batcher.in_a_lane(partial(_rendered, status, match, user, seat))
        if status != 200 or not match.seats_of(user):
            return _rendered(status, match, user, seat)
        kept: Answer | None = match.answers.get((user, seat))  # a player reads more than once
        if kept is None:
            kept = match.answers[user, seat] = _rendered(status, match, user, seat)
        return kept


async def _read(scope: Scope, receive: Receive) -> bytes:
    """It counts for its address until it is whole; a move's is small."""
    with Body(scope, receive) as reading:
        return await reading.read()


def _rendered(status: int, match: MatchSnapshot, user: UUID, seat: int | None) -> Answer:
    body = match_response(match, user, seat, str)
    if status == 200 and match.is_over:  # the move that ends it is not rated yet
        body = with_rating_changes(body)
    headers = as_bytes(match_headers(body, user, _LANGUAGE, status=status))
    return Answer(status, [_JSON, *headers], _encode(body), user, match.version)


def _away(error: Exception, scope: Scope) -> Answer:
    with working_for(scope.get(HEADER, "")):
        problem: Any = problem_for(error)
        if not hasattr(problem, "_has_been_logged"):
            status = {"status_code": problem.status_code}
            logger.error("%s: %s", problem.reason_phrase, scope["path"], extra=status)
    return Answer(problem.status_code, as_bytes(dict(problem.items())), problem.content)
