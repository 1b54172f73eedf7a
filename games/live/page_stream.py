"""The stream of a page in a browser: whether what it shows has changed, what waits for its reader.

It carries no more than versions and names of matches. A page that gets a newer version loads itself
again, so that all it shows comes from one answer.
"""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, Generic, NamedTuple, TypeVar
from uuid import UUID

import msgspec
from django.utils import timezone

from games.competitions.selectors import versions_of
from games.idle.ending import nudges_in
from games.live.listener import Credential, Form, Hub, Listener, Message, ServerSentEvents, Talk
from games.live.news import (
    Cursor,
    Delivered,
    Facts,
    FriendNews,
    News,
    OtherNews,
    Since,
    facts_of,
    fresh,
    missed_news,
    read_friend_lists,
    read_other_news,
    read_paired,
)
from games.lobby.challenges import open_challenges
from games.matches.selectors.access import (
    Stamp,
    invitations_in,
    matches_by_id,
    matches_of,
    running_since,
    stamps_of,
)
from games.matches.snapshot import MatchSnapshot

# The stream of an account: whose turn it is, invitations, what began and what is over.

REMEMBERED: Final = timedelta(minutes=2)  # a match that is over


class Query(NamedTuple):
    """The states of these matches for an account; no ``ids``: all that were not over ``since``."""

    user: UUID
    ids: frozenset[UUID] | None
    since: datetime


Answer = dict[UUID, Facts | None]


class AccountListener(Listener):
    """``cursor`` is what the client has got before."""

    def __init__(
        self, form: Form, credential: Credential, hub: Hub, user: UUID, cursor: Cursor | None
    ) -> None:
        super().__init__(form, credential, hub)
        self._user = user
        self._resumed = cursor
        self._delivered = Delivered(timezone.now())
        self._swept: datetime | None = None
        self.begun = self._reading = False
        self._facts: dict[UUID, Facts] = {}
        self._dirty: set[UUID] = set()
        self._friends_since = self._resumed.since if self._resumed else timezone.now()
        self._friends_due = self._resumed is not None
        self._friend_keys = set(self._resumed.keys) if self._resumed else set[int]()

    @property
    def user(self) -> UUID:
        return self._user

    def matches(self) -> Iterable[tuple[UUID, Stamp | None]]:
        return [(match_id, facts.stamp) for match_id, facts in self._facts.items()]

    def changed(self, match_id: UUID) -> None:
        self._dirty.add(match_id)
        self.wake()

    def friends_changed(self) -> None:
        self._friends_due = True
        self.wake()

    async def friend_news(self) -> list[OtherNews]:
        """The news of friends and analyses that were not sent yet."""
        if not self._friends_due:
            return []
        self._friends_due = False
        try:
            query = Since(self._user, self._friends_since)
            rows: list[OtherNews] = await self.hub.feed.read(read_other_news, query)
        except BaseException:
            self._friends_due = True
            raise
        new = [each for each in rows if each.key not in self._friend_keys]
        self._friend_keys |= {each.key for each in new}
        return new

    def swept(self, at: float) -> None:
        self._swept = datetime.fromtimestamp(at, UTC)
        if not self._dirty and not self._reading:
            self._advance(self._swept)

    def _advance(self, moment: datetime) -> None:
        """All news before this moment is delivered."""
        self._delivered.advance(moment)
        forgotten = moment - REMEMBERED
        for match_id, facts in list(self._facts.items()):
            if facts.is_over and facts.stamp.updated_at < forgotten:
                del self._facts[match_id]

    def waiting(self) -> dict[str, list[UUID]]:
        """The matches that wait for the account, by the kind of their news."""
        waiting: dict[str, list[UUID]] = {}
        for facts in self._facts.values():
            for news in facts.waiting():
                waiting.setdefault(news.type, []).append(news.match)
        return waiting

    def rematches(self, match_id: UUID) -> list[tuple[UUID, Stamp]]:
        """The rematches of a match that concern the account, as they stand."""
        mine = [facts for facts in self._facts.values() if facts.previous == match_id]
        return sorted((facts.match, facts.stamp) for facts in mine)

    async def news(self) -> Iterable[Message]:
        if self.begun:
            swept = self._swept
            messages = self._messages([*await self.fresh(), *await self.friend_news()])
            if swept is not None:
                self._advance(swept)
            return messages
        all_facts, missed = await self.begin()
        friends = await self.friend_news()
        now, before = self._delivered, self._resumed
        if before:  # names count as delivered only what was, until all missed news is sent
            self._delivered = Delivered(before.at, before.keys)
        waiting = [news for facts in all_facts for news in facts.waiting()]
        name = self.name()
        hello = encode({"type": "hello", "id": name, "waiting": waiting})
        messages = [Message("hello", name, hello), *self._messages([*missed, *friends])]
        told_at = timezone.now()
        for key in self._friend_keys:  # nothing else remembers them for the next connection
            now.note_key(key, told_at)
        self._delivered = now
        return messages

    async def begin(self) -> tuple[list[Facts], list[News]]:
        """The states of all matches of the account, and the news since it listened last."""
        begun = timezone.now()
        since = min(begun, self._resumed.at if self._resumed else begun) - REMEMBERED
        answer: Answer = await self.hub.feed.read(read_facts, Query(self._user, None, since))
        all_facts = [facts for facts in answer.values() if facts]
        self._facts = {facts.match: facts for facts in all_facts}
        self._delivered = Delivered(begun)
        for news in [news for facts in all_facts for news in facts.news()]:
            self._delivered.note(news)
        self._delivered.advance(begun)
        self.begun = True
        return all_facts, missed_news(all_facts, self._resumed) if self._resumed else []

    async def fresh(self) -> list[News]:
        """The news in the matches that changed."""
        dirty, self._dirty = self._dirty, set()
        if not dirty:
            return []
        self._reading = True
        query = Query(self._user, frozenset(dirty), self._delivered.at)
        try:
            answer: Answer = await self.hub.feed.read(read_facts, query)
        except BaseException:
            self._dirty |= dirty
            raise
        finally:
            self._reading = False
        return [news for match_id, facts in answer.items() for news in self._learn(match_id, facts)]

    def _learn(self, match_id: UUID, facts: Facts | None) -> list[News]:
        before = self._facts.pop(match_id, None)
        if facts is None:
            return []
        self._facts[match_id] = facts
        return fresh(facts, before, self._delivered.at - REMEMBERED)

    def name(self) -> str:
        """The id after which a client resumes that has received everything up to now."""
        return str(self._delivered)

    def _messages(self, several: Iterable[News | OtherNews]) -> list[Message]:
        """The name of each covers what was delivered up to it and no more."""
        messages = []
        for news in several:
            if isinstance(news, News):
                self._delivered.note(news)
            else:
                self._delivered.note_key(news.key, news.at)
            name = self.name()
            text = encode({**msgspec.to_builtins(news), "id": name})
            messages.append(Message(news.type, name, text))
        return messages


encode = msgspec.json.Encoder().encode


def read_facts(queries: Sequence[Query]) -> list[Answer]:
    """The answers to all queries, from one reading of all their matches."""
    ids = [_ids(query) for query in queries]
    matches = matches_by_id(set[UUID]().union(*ids))
    people = [
        (query.user, matches[match_id])
        for query, wanted in zip(queries, ids, strict=True)
        for match_id in wanted
        if match_id in matches and _may_have_news_of_invitations(matches[match_id], query.user)
    ]
    changes = invitations_in({match.id for _, match in people}, {user for user, _ in people})
    nudges = nudges_in(matches.values())
    challenges = open_challenges({match.id for _, match in people if _may_be_challenge(match)})
    return [
        {
            match_id: facts_of(
                matches[match_id],
                query.user,
                changes.get((match_id, query.user), ()),
                nudges.get((match_id, query.user)),
                challenges.get(match_id),
            )
            if match_id in matches
            else None
            for match_id in wanted
        }
        for query, wanted in zip(queries, ids, strict=True)
    ]


def _may_have_news_of_invitations(match: MatchSnapshot, user: UUID) -> bool:
    """A player of a running match has got all of them: after a move none are read."""
    return match.status == "open" or not match.seats_of(user)


def _may_be_challenge(match: MatchSnapshot) -> bool:
    """One that waits, or was declined a moment ago."""
    return match.status == "open" or (match.status == "aborted" and match.started_at is None)


def _ids(query: Query) -> frozenset[UUID] | set[UUID]:
    if query.ids is not None:
        return query.ids
    return running_since(matches_of([query.user]), query.since)


PING_SECONDS: Final = 1.0
LOBBY_SECONDS: Final = 1.0
State = TypeVar("State", str, int)


class PageEvents(ServerSentEvents):
    """A page has to notice that the connection is gone, so the keep-alive is an event."""

    keep_alive = b"event: ping\ndata: {}\n\n"


class Shown(ABC, Generic[State]):
    """The content of a page, by the state that it was in when the page was made."""

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
