"""The stream of an account with the moves of matches: all that a program needs in one request."""

import asyncio
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final
from uuid import UUID

from games.live.listener import Credential, Form, Hub, Message
from games.live.match_stream import Delivery, Query, Render, read_deliveries
from games.live.news import Cursor
from games.live.page_stream import AccountListener
from games.matches.selectors.access import Stamp

MOST_FOLLOWED: Final = 20  # matches whose moves one stream carries


class FollowingListener(AccountListener):
    """With the moves of matches: those that are ``named``, or without them all that run.

    ``versions`` are those that the client has of matches which it followed before. The name of a
    message holds the version of each match, so that one name resumes everything.
    """

    def __init__(
        self,
        form: Form,
        credential: Credential,
        hub: Hub,
        user: UUID,
        cursor: Cursor | None,
        *,
        render: Render,
        named: Collection[UUID],
        versions: Mapping[UUID, int],
    ) -> None:
        super().__init__(form, credential, hub, user, cursor)
        self._render, self._follows_all = render, not named
        self._followed: dict[UUID, Query] = {}
        self._due: set[UUID] = set()
        self._over: set[UUID] = set()
        self._held: list[Message] = []  # news that could not be sent with the moves
        for match_id in dict.fromkeys((*named, *versions)):
            if self._follows_all or match_id in named:
                self._follow(match_id, versions.get(match_id))

    def matches(self) -> Iterable[tuple[UUID, Stamp | None]]:
        others = {match_id: query.stamp for match_id, query in self._followed.items()}
        return (others | dict(super().matches())).items()

    def changed(self, match_id: UUID) -> None:
        if match_id in self._followed:
            self._due.add(match_id)
        super().changed(match_id)

    async def news(self) -> Iterable[Message]:
        self._held += await super().news()
        if self._follows_all:
            for match_id, facts in self._facts.items():
                if facts.phase == "active":
                    self._follow(match_id, None)
        moves = await self._moves()
        held, self._held = self._held, []
        return [*held, *moves]

    def name(self) -> str:
        places = (
            f"_{match_id.hex}.{query.after}"
            for match_id, query in self._followed.items()
            if query.after is not None
        )
        return super().name() + "".join(places)

    def _follow(self, match_id: UUID, after: int | None) -> None:
        is_known = match_id in self._followed or match_id in self._over
        if not is_known and len(self._followed) < MOST_FOLLOWED:
            query = Query(match_id, self._user, None, after, None, self._render)
            self._followed[match_id] = query
            self._due.add(match_id)

    async def _moves(self) -> list[Message]:
        """The moves in matches that changed; if one cannot be read, all are read again."""
        due, self._due = list(self._due), set()
        reads = [self.hub.feed.read(read_deliveries, self._followed[one]) for one in due]
        try:
            deliveries: list[Delivery] = await asyncio.gather(*reads)
        except BaseException:
            self._due |= set(due)
            raise
        return [
            message
            for match_id, delivery in zip(due, deliveries, strict=True)
            for message in self._moves_of(match_id, delivery)
        ]

    def _moves_of(self, match_id: UUID, delivery: Delivery) -> Iterator[Message]:
        """One that is over has no place in a name: a client that resumes is not told again."""
        query = self._followed.pop(match_id)
        if delivery.over:
            self._over.add(match_id)
        else:
            more = query._replace(after=delivery.after, stamp=delivery.stamp)
            self._followed[match_id] = more
        for kind, _, text in delivery.messages:
            if kind == "match":
                name = self.name()
                yield Message("moves", name, text[:-1] + b',"id":"%s"}' % name.encode())
        if not delivery.over and delivery.stamp is None:  # more of the past follows
            self._due.add(match_id)
            self.wake()
