"""The stream of a page in a browser: whether what it shows has changed, what waits for its reader.

It carries no more than versions and names of matches. A page that gets a newer version loads itself
again, so that all it shows comes from one answer.
"""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Final, Generic, TypeVar
from uuid import UUID

from games.competitions.selectors import versions_of
from games.live.account_stream import AccountListener, encode
from games.live.credentials import Credential
from games.live.encodings import ServerSentEvents
from games.live.friend_news import FriendNews, read_friend_lists
from games.live.listener import Hub, Listener, Message
from games.live.seekers import read_paired
from games.live.talk import Talk
from games.matches.selectors.changes import Stamp, stamps_of

PING_SECONDS: Final = 1.0
LOBBY_SECONDS: Final = 1.0
State = TypeVar("State", str, int)


class PageEvents(ServerSentEvents):
    """A page has to notice that the connection is gone, so the keep-alive is an event."""

    keep_alive = b"event: ping\ndata: {}\n\n"


class Shown(ABC, Generic[State]):
    """What a page shows, by the state that it was in when the page was made."""

    def __init__(self, of: UUID, state: State) -> None:
        self._of = of
        self._state: State = state
        self.is_due = True

    async def messages(self, hub: Hub) -> list[Message]:
        """A message that its state is another one than was last named."""
        if not self.is_due:
            return []
        self.is_due = False
        try:
            state = await self._read(hub)
        except BaseException:
            self.is_due = True
            raise
        if state == self._state:
            return []
        self._state = state
        return [self._message(state)]

    @abstractmethod
    async def _read(self, hub: Hub) -> State:
        """Its state as it is now."""

    @abstractmethod
    def _message(self, state: State) -> Message: ...


class FriendList(Shown[str]):
    """The list of friends of a person."""

    async def _read(self, hub: Hub) -> str:
        state: str = await hub.feed.read(read_friend_lists, self._of)
        return state

    def _message(self, _state: str) -> Message:
        return Message("people", "", b"{}")


class TournamentSheet(Shown[int]):
    """The standings and boards of a tournament, which has a version."""

    async def _read(self, hub: Hub) -> int:
        version: int = await hub.feed.read(_read_versions, self._of)
        return version

    def _message(self, state: int) -> Message:
        return Message("tournament", "", encode({"version": state}))


class PageListener(Listener):
    """``match_id``: the page shows this match; ``lobby``: it lists everybody's open matches;
    ``friends``: it lists the reader's; ``sheet``: it shows this tournament.
    """

    silence = PING_SECONDS

    def __init__(
        self,
        credential: Credential,
        hub: Hub,
        match_id: UUID | None,
        *,
        lobby: bool,
        plays: bool = False,
        talk: Talk | None = None,
        friends: FriendList | None = None,
        sheet: TournamentSheet | None = None,
    ) -> None:
        super().__init__(PageEvents(), credential, hub, plays=plays)
        self._match_id, self._lobby, self._talk = match_id, lobby, talk
        self._friends, self._sheet = friends, sheet
        self._stamp: Stamp | None = None
        self._own: AccountListener | None = None
        if credential.user:
            self._own = AccountListener(self.form, credential, hub, credential.user, None)
        self._waiting: dict[str, list[UUID]] | None = None
        self._paired: UUID | None = None
        self._rematches: list[tuple[UUID, Stamp]] = []
        self._table_changed, self._lobby_changed = True, False
        self._lobby_sent_at = 0.0
        self._watchers: int | None = None

    @property
    def watched(self) -> UUID | None:
        return self._match_id

    @property
    def user(self) -> UUID | None:
        return self.credential.user

    @property
    def watches_openings(self) -> bool:
        return self._lobby

    def matches(self) -> Iterable[tuple[UUID, Stamp | None]]:
        if self._match_id:
            yield self._match_id, self._stamp
        if self._own:
            yield from self._own.matches()

    def changed(self, match_id: UUID) -> None:
        self._table_changed |= match_id == self._match_id
        self._lobby_changed |= self._lobby
        if self._own:
            self._own.changed(match_id)
        self.wake()

    def spoken(self) -> None:
        if self._talk:
            self._talk.is_due = True
            self.wake()

    def friends_changed(self) -> None:
        if self._own:
            self._own.friends_changed()
            self.wake()
        self.checked()

    def checked(self) -> None:
        if self._friends:
            self._friends.is_due = True
            self.wake()

    def lobby_changed(self) -> None:
        self._lobby_changed = True
        self.wake()

    def watchers_changed(self, count: int) -> None:
        self._watchers = count
        self.wake()

    def swept(self, at: float) -> None:
        if self._own:
            self._own.swept(at)
        if self._sheet:
            self._sheet.is_due = True
            self.wake()

    async def news(self) -> Iterable[Message]:
        """The table comes first: a player waits for it, and the rest is another reading."""
        table = await self._table()
        if table:
            self.wake()
            return table
        if self._talk and (said_now := await self._talk.messages(self.hub)):
            self.wake()
            return said_now
        friends = await self._friends.messages(self.hub) if self._friends else []
        own = await self._own_matches()
        sheet = await self._sheet.messages(self.hub) if self._sheet else []
        return [*own, *friends, *sheet, *self._everybodys(), *self._watched_by()]

    def _watched_by(self) -> list[Message]:
        """A message that others watch, or no longer do."""
        if self._watchers is None:
            return []
        count, self._watchers = self._watchers, None
        return [Message("watchers", "", encode({"count": count}))]

    async def _table(self) -> list[Message]:
        if self._match_id is None or not self._table_changed:
            return []
        self._table_changed = False
        try:
            stamp: Stamp | None = await self.hub.feed.read(_read_stamps, self._match_id)
        except BaseException:
            self._table_changed = True
            raise
        if stamp is None or stamp == self._stamp:
            return []
        self._stamp = stamp
        changed = int(stamp.updated_at.timestamp() * 1_000_000)
        return [Message("table", "", encode({"version": stamp.version, "changed": changed}))]

    async def _own_matches(self) -> list[Message]:
        """The matches that wait for the reader, when these have changed."""
        if self._own is None:
            return []
        friends = await self._friends_who_ask()
        if not self._own.begun:
            await self._own.begin()
            has_started = True
        else:
            has_started = any(news.type == "started" for news in await self._own.fresh())
        paired = await self._paired_match() if has_started else []
        more = [*paired, *self._rematch_of_the_table(self._own)]
        waiting = self._own.waiting()
        if waiting == self._waiting:
            return [*friends, *more]
        self._waiting = waiting
        return [*friends, *more, Message("waiting", "", encode(waiting))]

    def _rematch_of_the_table(self, own: AccountListener) -> list[Message]:
        """A message that somebody wants a rematch of the match shown, or does not."""
        rematches = own.rematches(self._match_id) if self._match_id else []
        if rematches == self._rematches:
            return []
        self._rematches = rematches
        return [Message("rematch", "", b"{}")]

    async def _friends_who_ask(self) -> list[Message]:
        """That somebody asks the reader, or has accepted."""
        news = await self._own.friend_news() if self._own else []
        friends = [each for each in news if isinstance(each, FriendNews)]
        return [Message("friends", "", encode({"news": each.type})) for each in friends]

    async def _paired_match(self) -> list[Message]:
        """The match into which the reader was paired: it is to be opened."""
        paired = await self.hub.feed.read(read_paired, self.user)
        if paired is None or paired == self._paired:
            return []
        self._paired = paired
        return [Message("paired", "", encode({"match": paired}))]

    def _everybodys(self) -> list[Message]:
        """A message that the lobby changed, at most one a second."""
        if not self._lobby_changed:
            return []
        wait = self._lobby_sent_at + LOBBY_SECONDS - time.monotonic()
        if wait > 0:
            asyncio.get_running_loop().call_later(wait, self.wake)
            return []
        self._lobby_changed, self._lobby_sent_at = False, time.monotonic()
        return [Message("lobby", "", b"{}")]


def _read_versions(queries: Sequence[UUID]) -> list[int]:
    versions = versions_of(set(queries))
    return [versions.get(tournament, 0) for tournament in queries]


def _read_stamps(queries: Sequence[UUID]) -> list[Stamp | None]:
    stamps = stamps_of(set(queries))
    return [stamps.get(match_id) for match_id in queries]
