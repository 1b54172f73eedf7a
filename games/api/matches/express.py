"""The express door: a move, or a match that is read, by key and without Django.

It answers what is plainly right: 201, 200, 304. Everything else goes on to Django's views with the
same body, and what was judged here is judged there again by the same services. So nothing is
refused here, and both doors answer the same bytes (a test compares them). The one exception is a
move of which nobody knows whether it was written: it must not be judged again, so its 503 is given
here.
"""

import logging
import re
import time
from functools import partial
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.conf import settings

from accounts.api.authentication import key_digest
from config.api.errors import problem_for
from config.api.json import BODY_LIMIT, MsgspecRenderer, decoded, shaped
from config.api.throttles import Taken, give_back, take
from config.refusals import Refusal
from config.server.bodies import Body, ClientDisconnected
from config.server.messages import Application, Headers, Receive, Scope, Send
from config.server.plain import PlainRequests, as_bytes, with_body
from config.server.protocol import respond
from config.server.refusing import refuse
from config.telemetry import lines
from config.telemetry.metrics import record
from config.telemetry.work import HEADER, working_for
from games.api.matches.answers import etag_of_running, is_known, match_headers
from games.api.schemas.fields import Key
from games.api.schemas.matches import match_response
from games.api.schemas.moves import NewMove
from games.matches.moving.batcher import Batcher
from games.matches.moving.judging import MoveRequest
from games.matches.moving.snapshot_cache import SnapshotCache
from games.matches.refusals import NoSuchMatch, NotKnown, NotYourSeat
from games.matches.selectors.access import Caller, Wanted
from games.matches.snapshot import MatchSnapshot

_PATH: Final = re.compile(
    r"/api/v1/matches/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(/moves)?"
).fullmatch
_SEAT: Final = re.compile(rb"seat=([0-9]{1,2})").fullmatch
_LANGUAGE: Final = ""  # this door speaks English
_JSON: Final = (b"content-type", b"application/json")

logger = logging.getLogger("django.request")
_encode = MsgspecRenderer().render


class Kind(NamedTuple):
    """What both doors say of a call: its limit, the scope of its key, its name in the metrics."""

    limit: str
    scope: str
    view: str
    allow: str


MOVE: Final = Kind("moves", "play", "games.api.matches.moves.MatchMoves", "POST, OPTIONS")
READ: Final = Kind("user", "read", "games.api.matches.matches.MatchDetail", "GET, HEAD, OPTIONS")


class Call(NamedTuple):
    """A request that this door can answer, if it is right."""

    kind: Kind
    match_id: UUID
    digest: str
    seat: int | None
    said: dict[bytes, bytes]
    request_id: str

    @property
    def caller(self) -> Caller:
        return Caller(digest=self.digest, scope=self.kind.scope)


class Answer(NamedTuple):
    status: int
    headers: Headers
    body: bytes = b""
    user: UUID | None = None
    version: int | None = None


class HandOn(Exception):
    """Django's views answer this."""


class ExpressDoor:
    def __init__(self, django: Application) -> None:
        self._django = django
        self._plain = PlainRequests()
        self._batcher = Batcher(SnapshotCache(settings.KEPT_MATCHES))

    def close(self) -> None:
        self._batcher.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = time.perf_counter()
        call = self._call(scope)
        if call is None:
            await self._django(scope, receive, send)
            return
        try:
            with Body(scope, receive) as reading:
                body = await reading.read() if call.kind is MOVE else b""
        except Refusal as refusal:
            await refuse(scope, send, refusal)
            return
        except ClientDisconnected:
            return
        taken = take(call.kind.limit, call.digest)
        try:
            answer = await self._counted(call, body, taken)
        except NotKnown as error:
            answer = _not_known(error, scope)
        except Exception:  # noqa: BLE001 - Django comes to the same, and answers or logs it
            await self._django(scope, with_body(body), send)
            return
        secure = self._plain.is_secure(scope, call.said)
        common = self._plain.response_headers(call.kind.allow, len(answer.body), secure=secure)
        headers = answer.headers + common + taken.raw_headers()
        await respond(send, answer.status, headers, answer.body)
        said = scope["method"], call.kind.view, answer.status
        record(*said, begun)
        about: dict[str, Any] = {"user": answer.user, "match": call.match_id}
        about |= {"version": answer.version, "request_id": call.request_id}
        lines.request(*said, begun, **about)

    def _call(self, scope: Scope) -> Call | None:
        """The request as its first lines say; ``None`` if this door cannot answer it."""
        path = _PATH(scope["path"])
        if path is None or scope["method"] != ("POST" if path[2] else "GET"):
            return None
        kind, query = MOVE if path[2] else READ, scope["query_string"]
        seat = _SEAT(query)
        said = self._plain.headers_of(scope)
        if said is None or (query and (seat is None or kind is MOVE)):
            return None
        if not said.get(b"accept-language", b"en").startswith((b"en", b"*")):
            return None
        digest = key_digest(said.get(b"authorization", b"").decode("latin-1"))
        if digest is None or not _has_fitting_body(kind, said):
            return None
        own = int(seat[1]) if seat else None
        return Call(kind, UUID(path[1]), digest, own, said, scope.get(HEADER, ""))

    async def _counted(self, call: Call, body: bytes, taken: Taken) -> Answer:
        """The answer, and one request less for the caller; if another door answers, it counts."""
        if taken.wait is not None:
            raise HandOn
        try:
            return await (self._move(call, body) if call.kind is MOVE else self._match(call))
        except NotKnown:
            raise
        except Exception:
            give_back(call.kind.limit, call.digest)
            raise

    async def _move(self, call: Call, body: bytes) -> Answer:
        new, key = shaped(decoded(body), NewMove), call.said.get(b"idempotency-key")
        named = None if key is None else shaped(key.decode("latin-1"), Key)
        id_ = call.request_id
        request = MoveRequest(
            call.match_id, call.caller, new.move, new.version, new.seat, named, id_
        )
        played = await self._batcher.play(request)
        return await self._shown(201, played.match, played.user, played.seat)

    async def _match(self, call: Call) -> Answer:
        found = await self._batcher.read(Wanted(call.match_id, call.caller))
        if found is None or found.user is None or not found.match.is_visible_to(found.user):
            raise NoSuchMatch
        match, user = found.match, found.user
        if call.seat is not None and call.seat not in match.seats_of(user):
            raise NotYourSeat
        known = call.said.get(b"if-none-match")
        if known is not None:
            if match.is_over:
                raise HandOn
            tag = etag_of_running(match, user, call.seat, _LANGUAGE)
            if is_known(tag, known.decode("latin-1")):
                return Answer(304, as_bytes({"etag": tag}), user=user, version=match.version)
        return await self._shown(200, match, user, call.seat)

    async def _shown(
        self, status: int, match: MatchSnapshot, user: UUID, seat: int | None
    ) -> Answer:
        """The match for its reader. Of one that is over the database says what may be told."""
        if match.is_over:
            return await self._batcher.in_a_lane(partial(_rendered, status, match, user, seat))
        if status != 200 or not match.seats_of(user):
            return _rendered(status, match, user, seat)
        kept: Answer | None = match.answers.get((user, seat))  # who plays reads more than once
        if kept is None:
            kept = match.answers[user, seat] = _rendered(status, match, user, seat)
        return kept


def _rendered(status: int, match: MatchSnapshot, user: UUID, seat: int | None) -> Answer:
    shown = match_response(match, user, seat, str)
    headers = as_bytes(match_headers(shown, user, _LANGUAGE, status=status))
    return Answer(status, [_JSON, *headers], _encode(shown), user, match.version)


def _has_fitting_body(kind: Kind, said: dict[bytes, bytes]) -> bool:
    length = said.get(b"content-length", b"0")
    if not length.isdigit():
        return False
    if kind is READ:
        return int(length) == 0
    return said.get(b"content-type") == _JSON[1] and 0 < int(length) <= BODY_LIMIT


def _not_known(error: NotKnown, scope: Scope) -> Answer:
    with working_for(scope.get(HEADER, "")):
        problem: Any = problem_for(error)
        said = {"status_code": problem.status_code}
        logger.error("%s: %s", problem.reason_phrase, scope["path"], extra=said)
    return Answer(problem.status_code, as_bytes(dict(problem.items())), problem.content)
