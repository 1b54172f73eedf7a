"""The stream of a match, as the listener may know it; that of an account with its matches."""

import asyncio
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple
from uuid import UUID

from games.live.listener import Credential, Form, Hub, Listener, Message, Talk
from games.live.news import Cursor
from games.live.page_stream import AccountListener
from games.matches.moves import went_back
from games.matches.selectors.access import Stamp, matches_by_id, stamp_of
from games.matches.selectors.history import delayed_for
from games.matches.selectors.log import LogEntry, entries_between
from games.matches.selectors.secrecy import named_for, with_somebody_hidden
from games.matches.snapshot import MatchSnapshot

MOST_VERSIONS: Final = 500  # of one message


class Content(NamedTuple):
    """The content of a message: plies up to a version, and its reader.

    ``is_last``: the version is that of the match; else more messages follow at once. ``seat`` is
    the one that the reader chose.
    """

    kind: Literal["match", "end"]
    version: int
    match: MatchSnapshot
    is_last: bool
    entries: Sequence[LogEntry]
    user: UUID | None
    seat: int | None


Render = Callable[[Content], bytes]


class Query(NamedTuple):
    """Content that a listener has not got yet: plies after ``after``, or any state but ``stamp``.

    ``after`` is ``None`` for a listener who wants only what happens from now on.
    """

    match: UUID
    user: UUID | None
    seat: int | None
    after: int | None
    stamp: Stamp | None
    render: Render


class Delivery(NamedTuple):
    """Messages, and what the listener has after them; ``over``: there will be no more."""

    messages: tuple[Message, ...]
    after: int | None
    stamp: Stamp | None
    over: bool


GONE: Final = Delivery((), None, None, over=True)


class MatchListener(Listener):
    def __init__(
        self,
        form: Form,
        credential: Credential,
        hub: Hub,
        match_id: UUID,
        *,
        render: Render,
        seat: int | None,
        after: int | None,
        plays: bool = False,
        talk: Talk | None = None,
    ) -> None:
        """``talk``: what is said at the table is sent too."""
        super().__init__(form, credential, hub, plays=plays)
        self._talk = talk
        self._query = Query(match_id, credential.user, seat, after, None, render)

    @property
    def watched(self) -> UUID:
        return self._query.match

    def matches(self) -> Iterable[tuple[UUID, Stamp | None]]:
        return [(self._query.match, self._query.stamp)]

    def spoken(self) -> None:
        if self._talk:
            self._talk.is_due = True
            self.wake()

    async def news(self) -> Iterable[Message]:
        delivery: Delivery = await self.hub.feed.read(read_deliveries, self._query)
        self._query = self._query._replace(after=delivery.after, stamp=delivery.stamp)
        if delivery.over:
            self.end()
        elif delivery.stamp is None:  # more of the past follows
            self.wake()
        if self._talk is None or delivery.over:
            return delivery.messages
        return [*delivery.messages, *await self._talk.messages(self.hub)]


def read_deliveries(queries: Sequence[Query]) -> list[Delivery]:
    """The deliveries to all listeners; equal readers of a match share its reading and encoding."""
    matches = matches_by_id({query.match for query in queries})
    for match_id, stamp in {(query.match, query.stamp) for query in queries}:
        if stamp and match_id in matches:
            went_back(matches[match_id], *stamp)  # is logged; readers see the lower version
    shown = _shown(queries, matches)
    all_spans = [_span(q, matches.get(q.match), s) for q, s in zip(queries, shown, strict=True)]
    spans = list(filter(None, dict.fromkeys(all_spans)))
    read = entries_between([(matches[id_], after, until) for id_, after, until in spans])
    plies = dict(zip(spans, read, strict=True))
    shared: dict[tuple[object, ...], Delivery] = {}
    return [
        _answer(query, matches.get(query.match), as_seen, plies, shared)
        for query, as_seen in zip(queries, shown, strict=True)
    ]


def _shown(
    queries: Sequence[Query], matches: dict[UUID, MatchSnapshot]
) -> list[MatchSnapshot | None]:
    """For each query the match as its reader may follow it; those who look on share one.

    Where somebody hides, each has their own: friends get the name.
    """
    watched: dict[tuple[UUID, UUID | None], MatchSnapshot] = {}
    lookers_on = [(matches.get(query.match), query.user) for query in queries]
    hiding = with_somebody_hidden(m for m, user in lookers_on if m and not m.concerns(user))

    def shown(query: Query) -> MatchSnapshot | None:
        match = matches.get(query.match)
        if match is None or match.seats_of(query.user):
            return match
        reader = match.id, query.user if match.id in hiding else None
        if reader not in watched:
            named = named_for(match, query.user) if match.id in hiding else match
            watched[reader] = delayed_for(named, query.user)
        return watched[reader]

    return [*map(shown, queries)]


Span = tuple[UUID, int, int]


def _span(query: Query, match: MatchSnapshot | None, shown: MatchSnapshot | None) -> Span | None:
    """The versions that a message is about."""
    if match is None or shown is None or query.stamp == stamp_of(match):
        return None
    last = last_version(shown)
    after = last if query.after is None else min(query.after, last)
    return query.match, after, min(after + MOST_VERSIONS, last)


def last_version(match: MatchSnapshot) -> int:
    """The last ply of the log, -1 before the cards are dealt."""
    return -1 if match.state_json is None else match.version


def _answer(
    query: Query,
    match: MatchSnapshot | None,
    shown: MatchSnapshot | None,
    plies: dict[Span, list[LogEntry]],
    shared: dict[tuple[object, ...], Delivery],
) -> Delivery:
    if match is None or shown is None or not match.is_visible_to(query.user):
        return GONE
    if query.stamp == stamp_of(match):
        return Delivery((), query.after, query.stamp, over=match.is_over)
    if query.seat is not None and query.seat not in match.seats_of(query.user):
        return GONE
    span = _span(query, match, shown)
    sits = bool(match.seats_of(query.user)) or match.is_over
    reader = span, query.user if sits else None, query.seat, query.render, tuple(shown.names)
    if reader not in shared and span is not None:
        shared[reader] = _delivery(query, shown, stamp_of(match), span[2], plies[span])
    return shared[reader]


def _delivery(
    query: Query, shown: MatchSnapshot, stamp: Stamp, until: int, plies: list[LogEntry]
) -> Delivery:
    whole = until == last_version(shown)

    def message(kind: Literal["match", "end"], entries: Sequence[LogEntry]) -> Message:
        content = Content(kind, until, shown, whole, entries, query.user, query.seat)
        return Message(kind, str(until), query.render(content))

    over = whole and shown.is_over
    messages = (message("match", plies), *([message("end", ())] if over else []))
    return Delivery(messages, until, stamp if whole else None, over)


# The stream of an account with the moves of matches: all that a program needs in one request.

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
        """The moves of a match; one that is over has no place in an id and is not sent again."""
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
