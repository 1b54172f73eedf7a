"""The stream of an account: whose turn it is, invitations, what began and what is over."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID

import msgspec
from django.utils import timezone

from games.live.credentials import Credential
from games.live.encodings import Form
from games.live.listener import Hub, Listener, Said
from games.live.news import WAITING, Cursor, Facts, News, Told, facts_of, fresh, untold
from games.matches.selectors.changes import (
    Stamp,
    invitations_in,
    matches_by_id,
    matches_of,
    running_since,
)
from games.matches.snapshot import MatchSnapshot

REMEMBERED: Final = timedelta(minutes=2)  # a match that is over


class Question(NamedTuple):
    """How these matches stand for an account; without ``ids`` all that were not over before."""

    user: UUID
    ids: frozenset[UUID] | None
    since: datetime


Answer = dict[UUID, Facts | None]


class AccountListener(Listener):
    """``cursor`` is what the client was told before."""

    def __init__(
        self, form: Form, credential: Credential, hub: Hub, user: UUID, cursor: Cursor | None
    ) -> None:
        super().__init__(form, credential, hub)
        self._user = user
        self._resumed = cursor
        self._told = Told(timezone.now())
        self._swept: datetime | None = None
        self.begun = self._asking = False
        self._known: dict[UUID, Facts] = {}
        self._dirty: set[UUID] = set()

    @property
    def user(self) -> UUID:
        return self._user

    def matches(self) -> Iterable[tuple[UUID, Stamp | None]]:
        return [(match_id, facts.stamp) for match_id, facts in self._known.items()]

    def changed(self, match_id: UUID) -> None:
        self._dirty.add(match_id)
        self.wake()

    def swept(self, at: float) -> None:
        self._swept = datetime.fromtimestamp(at, UTC)
        if not self._dirty and not self._asking:
            self._advance(self._swept)

    def _advance(self, moment: datetime) -> None:
        """All that happened before this moment is told."""
        self._told.advance(moment)
        forgotten = moment - REMEMBERED
        for match_id, facts in list(self._known.items()):
            if facts.is_over and facts.stamp.updated_at < forgotten:
                del self._known[match_id]

    def waiting(self) -> dict[str, list[UUID]]:
        """The matches that wait for the account, by the kind of news that said so."""
        found: dict[str, list[UUID]] = {}
        for facts in self._known.values():
            for news in facts.news():
                if news.type in WAITING:
                    found.setdefault(news.type, []).append(news.match)
        return found

    async def news(self) -> Iterable[Said]:
        if self.begun:
            swept = self._swept
            said = self._each_said(await self.fresh())
            if swept is not None:
                self._advance(swept)
            return said
        found, missed = await self.begin()
        now, before = self._told, self._resumed
        if before:  # until all that was missed is told, names say what was told before
            self._told = Told(before.at, before.keys)
        waiting = [news for facts in found for news in facts.news() if news.type in WAITING]
        name = str(self._told)
        hello = encode({"type": "hello", "id": name, "waiting": waiting})
        said = [Said("hello", name, hello), *self._each_said(missed)]
        self._told = now
        return said

    async def begin(self) -> tuple[list[Facts], list[News]]:
        """How all matches of the account stand, and what happened since it listened last."""
        begun = timezone.now()
        since = min(begun, self._resumed.at if self._resumed else begun) - REMEMBERED
        answer: Answer = await self.hub.feed.ask(read_facts, Question(self._user, None, since))
        found = [facts for facts in answer.values() if facts]
        self._known = {facts.match: facts for facts in found}
        self._told = Told(begun)
        for news in [news for facts in found for news in facts.news()]:
            self._told.note(news)
        self._told.advance(begun)
        self.begun = True
        return found, untold(found, self._resumed) if self._resumed else []

    async def fresh(self) -> list[News]:
        """What is new in the matches that changed."""
        dirty, self._dirty = self._dirty, set()
        if not dirty:
            return []
        self._asking = True
        question = Question(self._user, frozenset(dirty), self._told.at)
        try:
            answer: Answer = await self.hub.feed.ask(read_facts, question)
        except BaseException:
            self._dirty |= dirty
            raise
        finally:
            self._asking = False
        return [news for match_id, facts in answer.items() for news in self._learn(match_id, facts)]

    def _learn(self, match_id: UUID, facts: Facts | None) -> list[News]:
        before = self._known.pop(match_id, None)
        if facts is None:
            return []
        self._known[match_id] = facts
        return fresh(facts, before, self._told.at - REMEMBERED)

    def _each_said(self, found: Iterable[News]) -> list[Said]:
        """Each names what was told up to it and no more."""
        said = []
        for news in found:
            self._told.note(news)
            name = str(self._told)
            text = encode({**msgspec.to_builtins(news), "id": name})
            said.append(Said(news.type, name, text))
        return said


encode = msgspec.json.Encoder().encode


def read_facts(questions: Sequence[Question]) -> list[Answer]:
    """Answers for all who ask, from one reading of all their matches."""
    ids = [_ids(asked) for asked in questions]
    matches = matches_by_id(set[UUID]().union(*ids))
    asked_of = [
        (asked.user, matches[match_id])
        for asked, wanted in zip(questions, ids, strict=True)
        for match_id in wanted
        if match_id in matches and _may_tell_of_invitations(matches[match_id], asked.user)
    ]
    told = invitations_in({match.id for _, match in asked_of}, {user for user, _ in asked_of})
    return [
        {
            match_id: facts_of(matches[match_id], asked.user, told.get((match_id, asked.user), ()))
            if match_id in matches
            else None
            for match_id in wanted
        }
        for asked, wanted in zip(questions, ids, strict=True)
    ]


def _may_tell_of_invitations(match: MatchSnapshot, user: UUID) -> bool:
    """Whom a running match seats has heard all of them: a move asks for none."""
    return match.status == "open" or not match.seats_of(user)


def _ids(asked: Question) -> frozenset[UUID] | set[UUID]:
    if asked.ids is not None:
        return asked.ids
    return running_since(matches_of([asked.user]), asked.since)
