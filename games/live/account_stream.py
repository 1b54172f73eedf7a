"""The stream of an account: whose turn it is, invitations, what began and what is over."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID

import msgspec
from django.utils import timezone

from games.idle.selectors import nudges_in
from games.live.credentials import Credential
from games.live.encodings import Form
from games.live.friend_news import OtherNews, Since, read_other_news
from games.live.listener import Hub, Listener, Message
from games.live.news import Cursor, Delivered, Facts, News, facts_of, fresh, missed_news
from games.lobby.challenges.reading import open_challenges
from games.matches.selectors.changes import (
    Stamp,
    invitations_in,
    matches_by_id,
    matches_of,
    running_since,
)
from games.matches.snapshot import MatchSnapshot

REMEMBERED: Final = timedelta(minutes=2)  # a match that is over


class Query(NamedTuple):
    """How these matches stand for an account; without ``ids`` all that were not over ``since``."""

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
        name = str(self._delivered)
        hello = encode({"type": "hello", "id": name, "waiting": waiting})
        messages = [Message("hello", name, hello), *self._messages([*missed, *friends])]
        self._delivered = now
        return messages

    async def begin(self) -> tuple[list[Facts], list[News]]:
        """How all matches of the account stand, and the news since it listened last."""
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

    def _messages(self, several: Iterable[News | OtherNews]) -> list[Message]:
        """The name of each covers what was delivered up to it and no more."""
        messages = []
        for news in several:
            if isinstance(news, News):
                self._delivered.note(news)
            else:
                self._delivered.note_key(news.key, news.at)
            name = str(self._delivered)
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
