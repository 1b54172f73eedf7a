"""One stream: waits until something changed, reads what it has not sent yet, sends it."""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import ClassVar, NamedTuple, Protocol
from uuid import UUID

import structlog

from config.server.streams import Write
from games.live.credentials import Credential
from games.live.encodings import Form
from games.live.feed import AWAY, Feed
from games.matches.selectors.changes import Stamp

SECONDS_UNTIL_RETRY = 0.5  # while the database is unreachable

log = structlog.get_logger(__name__)


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
