"""The stream of one match: what happened since, as the listener's seat may know it."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, Literal, NamedTuple
from uuid import UUID

from games.live.credentials import Credential
from games.live.encodings import Form
from games.live.listener import Hub, Listener, Said
from games.matches.selectors.changes import Stamp, matches_by_id, stamp_of
from games.matches.selectors.log import LogEntry, entries_between
from games.matches.snapshot import MatchSnapshot

MOST_VERSIONS: Final = 500  # of one message


class Part(NamedTuple):
    """What a message is made of: plies up to a version, and who reads it.

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


Tell = Callable[[Part], bytes]


class Question(NamedTuple):
    """What a listener has not been told: plies after ``after``, or any state but ``stamp``.

    ``after`` is ``None`` for a listener who wants to hear only of what happens from now on.
    """

    match: UUID
    user: UUID | None
    seat: int | None
    after: int | None
    stamp: Stamp | None
    tell: Tell


class Told(NamedTuple):
    """The answer: messages, and what the listener knows then; ``over``: there will be no more."""

    said: tuple[Said, ...]
    after: int | None
    stamp: Stamp | None
    over: bool


GONE: Final = Told((), None, None, over=True)


class MatchListener(Listener):
    def __init__(
        self,
        form: Form,
        credential: Credential,
        hub: Hub,
        match_id: UUID,
        *,
        tell: Tell,
        seat: int | None,
        after: int | None,
        plays: bool = False,
    ) -> None:
        super().__init__(form, credential, hub, plays=plays)
        self._asked = Question(match_id, credential.user, seat, after, None, tell)

    @property
    def watched(self) -> UUID:
        return self._asked.match

    def matches(self) -> Iterable[tuple[UUID, Stamp | None]]:
        return [(self._asked.match, self._asked.stamp)]

    async def news(self) -> Iterable[Said]:
        told: Told = await self.hub.feed.ask(read_told, self._asked)
        self._asked = self._asked._replace(after=told.after, stamp=told.stamp)
        if told.over:
            self.end()
        elif told.stamp is None:  # there is more of the past to tell
            self.wake()
        return told.said


def read_told(questions: Sequence[Question]) -> list[Told]:
    """Answers for all who listen; who know the same of a match share its reading and encoding."""
    matches = matches_by_id({asked.match for asked in questions})
    spans = {span: n for n, span in enumerate(dict.fromkeys(_span(q, matches) for q in questions))}
    wanted = [(matches[id_], after, until) for id_, after, until in filter(None, spans)]
    plies = dict(zip(filter(None, spans), entries_between(wanted), strict=True))
    known: dict[tuple[object, ...], Told] = {}
    return [_answer(asked, matches.get(asked.match), plies, known) for asked in questions]


Span = tuple[UUID, int, int]


def _span(asked: Question, matches: dict[UUID, MatchSnapshot]) -> Span | None:
    """The versions that a message is about."""
    match = matches.get(asked.match)
    if match is None or asked.stamp == stamp_of(match):
        return None
    last = last_version(match)
    after = last if asked.after is None else min(asked.after, last)
    return asked.match, after, min(after + MOST_VERSIONS, last)


def last_version(match: MatchSnapshot) -> int:
    """The last ply of the log, -1 before the cards are dealt."""
    return -1 if match.state_json is None else match.version


def _answer(
    asked: Question,
    match: MatchSnapshot | None,
    plies: dict[Span, list[LogEntry]],
    known: dict[tuple[object, ...], Told],
) -> Told:
    if match is None or not match.is_visible_to(asked.user):
        return GONE
    if asked.stamp == stamp_of(match):
        return Told((), asked.after, asked.stamp, over=match.is_over)
    if asked.seat is not None and asked.seat not in match.seats_of(asked.user):
        return GONE
    span = _span(asked, {asked.match: match})
    sits = bool(match.seats_of(asked.user)) or match.is_over
    reader = span, asked.user if sits else None, asked.seat, asked.tell
    if reader not in known and span is not None:
        known[reader] = _told(asked, match, span[2], plies[span])
    return known[reader]


def _told(asked: Question, match: MatchSnapshot, until: int, plies: list[LogEntry]) -> Told:
    whole = until == last_version(match)

    def said(kind: Literal["match", "end"], entries: Sequence[LogEntry]) -> Said:
        part = Part(kind, until, match, whole, entries, asked.user, asked.seat)
        return Said(kind, str(until), asked.tell(part))

    over = whole and match.is_over
    messages = (said("match", plies), *([said("end", ())] if over else []))
    return Told(messages, until, stamp_of(match) if whole else None, over)
