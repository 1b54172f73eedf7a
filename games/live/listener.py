"""One stream: waits until something changed, reads what it has not sent yet, sends it."""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple, Protocol
from uuid import UUID

import structlog
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import DatabaseError, InterfaceError, connection
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import User
from accounts.services import valid_keys
from config.api.scopes import Scope
from config.postgres.connections import patience
from config.server.streams import Write
from games.matches.selectors.access import Stamp
from games.phrases.models import Saying
from games.phrases.speaking import Wanted, matches_with_sayings, phrases_since

# Reads for all listeners together, in a thread of its own.
#
# A reading begins at most every ten milliseconds, and queries gather in between: under load there
# are few and large readings, and a single query is not delayed.

Reading = Callable[[Sequence[Any]], Sequence[Any]]
SECONDS_TO_GATHER = 0.01
AWAY = (DatabaseError, InterfaceError, OSError)

log = structlog.get_logger(__name__)


class Feed:
    """One a process. To be used in the thread of the event loop."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="feed")
        self._waiting: list[tuple[Reading, Any, asyncio.Future[Any]]] = []
        self._reading: asyncio.Task[None] | None = None
        self._begun = 0.0

    async def read(self, reading: Reading, query: Any) -> Any:
        """The result of ``reading`` for a query; raises what it raises.

        ``reading`` answers a sequence of queries at once, in order; it runs in the thread.
        """
        result: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.append((reading, query, result))
        if self._reading is None or self._reading.done():  # done also if it was cancelled unbegun
            self._reading = asyncio.create_task(self._read_all())
        return await result

    async def _read_all(self) -> None:
        while self._waiting:
            await asyncio.sleep(self._begun + SECONDS_TO_GATHER - time.monotonic())
            self._begun = time.monotonic()
            waiting, self._waiting = self._waiting, []
            await self._read(waiting)

    async def _read(self, waiting: list[tuple[Reading, Any, "asyncio.Future[Any]"]]) -> None:
        by_reading: dict[Reading, list[tuple[Any, asyncio.Future[Any]]]] = {}
        for reading, query, result in waiting:
            by_reading.setdefault(reading, []).append((query, result))
        work = {reading: [each[0] for each in alike] for reading, alike in by_reading.items()}
        loop = asyncio.get_running_loop()
        try:
            results = await loop.run_in_executor(self._thread, _read, work)
        except Exception as error:  # nobody waits for an answer that does not come
            log.exception("reading_failed", reading="all")
            results = {reading: [error] * len(queries) for reading, queries in work.items()}
        for reading, alike in by_reading.items():
            for (_, future), result in zip(alike, results[reading], strict=True):
                _settle(future, result)


def _settle(future: "asyncio.Future[Any]", result: Any) -> None:
    if future.done():  # its listener has left
        return
    if isinstance(result, Exception):
        future.set_exception(result)
    else:
        future.set_result(result)


def _read(work: dict[Reading, list[Any]]) -> dict[Reading, Sequence[Any]]:
    """A result or an exception for each query; the connection goes back to the pool."""
    results: dict[Reading, Sequence[Any]] = {}
    for reading, queries in work.items():
        try:
            with patience(settings.WAIT_SECONDS / 2):
                results[reading] = reading(queries)
        except Exception as error:
            if not isinstance(error, AWAY):
                log.exception("reading_failed", reading=reading.__name__)
            results[reading] = [error] * len(queries)
    connection.close()
    return results


# The credential of a listener, and whether it is still valid.
#
# A stream may stay open for days, so keys, sessions and accounts are looked up again meanwhile.

SCOPE: Scope = "read"


@dataclass(frozen=True)
class Credential:
    """A key by its digest, or a browser's session with the hash that it remembers; or nobody."""

    user: UUID | None = None
    digest: str | None = None
    session: str | None = None
    session_hash: str = ""
    address: str = ""

    @property
    def who(self) -> UUID | str:
        """The account or address that a stream is counted for."""
        return self.user or self.address


def session_credential(request: HttpRequest, address: str) -> Credential:
    """The credential of a page's visitor, who may be nobody."""
    user = request.user
    if not isinstance(user, User):
        return Credential(address=address)
    session, hashed = request.session.session_key, user.get_session_auth_hash()
    return Credential(user.pk, session=session, session_hash=hashed, address=address)


def still_valid(credentials: Sequence[Credential]) -> list[bool]:
    """Whether each would be let in now. Three queries at most, whatever their number."""
    keys = _keys([one.digest for one in credentials if one.digest])
    sessions = _sessions([one.session for one in credentials if one.session])
    users = _session_hashes([one.user for one in credentials if one.session and one.user])

    def holds(one: Credential) -> bool:
        if one.digest:
            return (one.digest, one.user) in keys
        if one.session:
            return one.session in sessions and users.get(one.user) == one.session_hash
        return one.user is None

    return [holds(one) for one in credentials]


def _keys(digests: list[str]) -> set[tuple[str, UUID]]:
    if not digests:
        return set()
    keys = valid_keys().filter(digest__in=digests, scopes__contains=[SCOPE])
    return set(keys.values_list("digest", "user_id"))


def _sessions(keys: list[str]) -> set[str]:
    if not keys:
        return set()
    sessions = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    return set(sessions.values_list("session_key", flat=True))


def _session_hashes(ids: list[UUID]) -> dict[UUID | None, str]:
    if not ids:
        return {}
    users = User.objects.filter(id__in=ids, is_active=True).only("id", "password")
    return {user.pk: user.get_session_auth_hash() for user in users}


# The two forms of a stream: Server-Sent Events for browsers, lines of JSON for programs.

RETRY_MILLISECONDS: Final = 1000


class Form(Protocol):
    content_type: str
    opening: bytes  # the first bytes of a stream
    keep_alive: bytes  # a message without content

    def message(self, kind: str, name: str, text: bytes) -> bytes:
        """A message: its kind, the name to resume after, its JSON without line breaks."""


class ServerSentEvents:
    content_type = "text/event-stream"
    opening = b"retry: %d\n\n" % RETRY_MILLISECONDS
    keep_alive = b":\n\n"

    def message(self, kind: str, name: str, text: bytes) -> bytes:
        named = f"id: {name}\n" if name else ""
        return f"{named}event: {kind}\ndata: ".encode() + text + b"\n\n"


class Lines:
    """NDJSON; the kind and the name stand in the JSON."""

    content_type = "application/x-ndjson"
    opening = b""
    keep_alive = b"\n"

    def message(self, _kind: str, _name: str, text: bytes) -> bytes:
        return text + b"\n"


EVENTS: Final = ServerSentEvents()
LINES: Final = Lines()


def form_for(accept: str) -> Form:
    """The form that an ``Accept`` header asks for."""
    return LINES if LINES.content_type in accept.lower() else EVENTS


SECONDS_UNTIL_RETRY = 0.5  # while the database is unreachable


class Message(NamedTuple):
    """A message; ``name`` is what a listener resumes after."""

    kind: str
    name: str
    text: bytes


class Hub(Protocol):
    """The part of the hub (``games.live.hub``) that a listener needs."""

    feed: Feed

    def add(self, listener: "Listener") -> None: ...

    def remove(self, listener: "Listener") -> None: ...


class Listener(ABC):
    """Made in the view's thread, run on the event loop."""

    silence: ClassVar[float] = 15.0  # seconds without a message until a keep-alive

    def __init__(
        self, form: Form, credential: Credential, hub: Hub, *, plays: bool = False
    ) -> None:
        """``plays``: the reader plays in the running match that the stream is about."""
        self.form, self.credential, self.hub, self.plays = form, credential, hub, plays
        self.sits = plays  # or the reader has a seat in a match that has not begun
        self.member = ""  # its name among those who are here, once it is noted
        self._wake = asyncio.Event()
        self._ended = False

    @abstractmethod
    async def news(self) -> Iterable[Message]:
        """The messages to send now; called at the beginning and after each ``wake``."""

    @property
    def watched(self) -> UUID | None:
        """The match that the stream is about."""
        return None

    @property
    def user(self) -> UUID | None:
        """The account whose news the stream sends."""
        return None

    def matches(self) -> Iterable[tuple[UUID, Stamp | None]]:
        """The matches of the stream, each with the state that it sent last."""
        return ()

    def changed(self, match_id: UUID) -> None:
        """A match differs from what was sent last, or is not there any more."""
        self.wake()

    @property
    def watches_openings(self) -> bool:
        """Whether it is woken for all matches that are opened, joined or started."""
        return False

    def lobby_changed(self) -> None:  # noqa: B027 - most show no lobby
        """Others wait for a match now."""

    def watchers_changed(self, count: int) -> None:  # noqa: B027 - most do not show it
        """So many people watch the match that the stream is about."""

    def spoken(self) -> None:  # noqa: B027 - most follow no table
        """Somebody said something at the match that is watched."""

    def friends_changed(self) -> None:  # noqa: B027 - most are not about an account
        """Somebody asks the account, or has accepted."""

    def checked(self) -> None:  # noqa: B027 - most hear of everything that concerns them
        """Some seconds have passed: what no message says may have changed."""

    def swept(self, at: float) -> None:  # noqa: B027 - most need not know
        """Every change before this time (seconds since the epoch) was noticed."""

    def wake(self) -> None:
        self._wake.set()

    def end(self) -> None:
        self._ended = True
        self._wake.set()

    async def run(self, write: Write) -> None:
        self.hub.add(self)
        self._sent_at = time.monotonic()
        self._wake.set()
        try:
            if self.form.opening:
                await write(self.form.opening)
            while not self._ended:
                data = await self._next()
                if data:
                    await write(data)
                    self._sent_at = time.monotonic()
        finally:
            self.hub.remove(self)

    async def _next(self) -> bytes:
        """The next messages, or a keep-alive after a time without any."""
        try:
            async with asyncio.timeout(self._sent_at + self.silence - time.monotonic()):
                await self._wake.wait()
        except TimeoutError:
            return self.form.keep_alive
        self._wake.clear()
        if self._ended:
            return b""
        try:
            messages = await self.news()
        except AWAY:
            return await self._later()
        return b"".join(self.form.message(*each) for each in messages)

    async def _later(self) -> bytes:
        """The database is unreachable; the client notices nothing, and nothing is lost."""
        await asyncio.sleep(SECONDS_UNTIL_RETRY)
        self._wake.set()
        return self.form.keep_alive


# Phrases at a table, as a stream sends them: read when somebody spoke, once for all readers.
#
# No part of the match's log: nothing of it is sent again to a client that resumes.


class Talk:
    """The phrases of one match for one reader, in whose words the door renders them."""

    def __init__(
        self,
        match_id: UUID,
        reader: UUID | None,
        render: Callable[[Sequence[Saying]], list[bytes]],
    ) -> None:
        self._match_id, self._reader, self._render = match_id, reader, render
        self._last = 0
        self.is_due = True  # what was said a moment ago

    async def messages(self, hub: Hub) -> list[Message]:
        if not self.is_due:
            return []
        self.is_due = False
        wanted = Wanted(self._match_id, self._reader, self._last)
        try:
            rows: list[Saying] = await hub.feed.read(phrases_since, wanted)
        except BaseException:
            self.is_due = True
            raise
        if rows:
            self._last = rows[-1].id
        return [Message("said", "", text) for text in self._render(rows)]


def read_talkative(queries: Sequence[None]) -> list[set[UUID]]:
    """The matches at which something was said a moment ago."""
    return [matches_with_sayings()] * len(queries)
