"""A match as it concerns one account, and the news in it.

A piece of news has a kind, a match and a version. It follows from how a match stands and what
became of its invitations, so it can be derived again at any time; its key says whether it was
sent already.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal, NamedTuple
from uuid import UUID
from zlib import crc32

import msgspec
from django.db.models import Count, Max, Q
from django.utils import timezone
from msgspec import UNSET, UnsetType

from accounts.notifications.outbox import note_looking
from accounts.social.models import Friendship
from accounts.social.selectors import friendships_of, note_presence, state_of_list
from config import club
from games.coaching import analyses
from games.competitions import selectors as tournaments
from games.lobby import seeking
from games.lobby import selectors as lobby_selectors
from games.lobby.challenges import ChallengeTerms, Reason
from games.matches.selectors.access import InvitationChange, Stamp, stamp_of
from games.matches.snapshot import MatchSnapshot

Kind = Literal[
    "your_turn",
    "invited",
    "declined",
    "withdrawn",
    "started",
    "finished",
    "aborted",
    "rematch",
    "take_back",
    "take_back_accepted",
    "take_back_declined",
    "take_back_withdrawn",
    "nudge",
    "challenge",
]
WAITING: Final = (
    "your_turn",
    "invited",
    "declined",
    "rematch",
    "challenge",
    "take_back",
)  # for this account to act
# A commit may become visible so much later than the time that it wrote: another server takes over.
LATEST_COMMIT: Final = timedelta(seconds=60)
MOST_KEYS: Final = 300


class News(msgspec.Struct, frozen=True):
    """``at`` is when it happened; ``previous`` is the match that a rematch follows, which
    is wanted or declined.

    ``seat`` is that of an invitation, ``reason`` why it was declined; or the seat that wants a
    ``round`` to be taken back. ``challenge`` has the terms of one.
    """

    type: Kind
    match: UUID
    version: int
    game: str
    at: datetime
    deadline_at: datetime | None = None
    previous: UUID | None = None
    seat: int | UnsetType = UNSET
    reason: Reason | UnsetType = UNSET
    round: int | UnsetType = UNSET
    challenge: ChallengeTerms | UnsetType = UNSET

    @property
    def key(self) -> int:
        """Each invitation has its own: one may be sent, declined and sent again at one version."""
        own = "" if self.seat is UNSET else f" {self.seat} {self.at.timestamp()}"
        return crc32(f"{self.type} {self.match} {self.version}{own}".encode())


class Invitation(msgspec.Struct, frozen=True):
    """The outcome of an invitation, for this account."""

    type: Literal["invited", "declined", "withdrawn"]
    seat: int
    at: datetime
    reason: Reason | UnsetType = UNSET


class TakeBackNews(msgspec.Struct, frozen=True):
    """The outcome of the wish to take a round back, for this account."""

    type: Literal["take_back", "take_back_accepted", "take_back_declined", "take_back_withdrawn"]
    seat: int
    round: int
    version: int
    at: datetime


class Facts(msgspec.Struct, frozen=True):
    """The standing of a match for an account; ``phase`` is the account's view of it.

    A match without a seat for the account may be one whose seats it has to give away (``host``), or
    one to which it is no longer invited (``withdrawn``).
    """

    match: UUID
    game: str
    stamp: Stamp
    phase: Literal["invited", "open", "active", "finished", "aborted", "host", "withdrawn"]
    is_your_turn: bool
    created_at: datetime
    started_at: datetime | None
    started_version: int
    finished_at: datetime | None
    deadline_at: datetime | None
    previous: UUID | None
    invitations: tuple[Invitation, ...] = ()
    take_back: TakeBackNews | None = None
    nudged_at: datetime | None = None
    challenge: ChallengeTerms | None = None

    @property
    def is_over(self) -> bool:
        return self.phase in ("finished", "aborted", "withdrawn")

    def waiting(self) -> list[News]:
        """The news that waits for the account to act."""
        return [] if self.is_over else [news for news in self.news() if news.type in WAITING]

    def news(self) -> list[News]:
        """All that is true now, the oldest first."""
        all_news = [self._invitation_news(each) for each in self.invitations]
        if self.phase in ("host", "withdrawn"):
            return all_news
        if self.started_at is not None:
            all_news.append(self._news("started", self.started_at, self.started_version))
        if self.is_your_turn:
            all_news.append(self._news("your_turn", self.stamp.updated_at))
        if self.nudged_at is not None:
            all_news.append(self._news("nudge", self.nudged_at))
        if self.take_back is not None:
            all_news.append(self._take_back_news(self.take_back))
        if self.phase == "finished" or self.phase == "aborted":
            all_news.append(self._news(self.phase, self.finished_at or self.stamp.updated_at))
        return all_news

    def _invitation_news(self, invitation: Invitation) -> News:
        terms = self.challenge if invitation.type == "invited" else None
        news = self._news(self._kind_of(invitation), invitation.at)
        return msgspec.structs.replace(
            news, seat=invitation.seat, reason=invitation.reason, challenge=terms or UNSET
        )

    def _kind_of(self, invitation: Invitation) -> Kind:
        if invitation.type != "invited":
            return invitation.type
        if self.challenge is not None:
            return "challenge"
        return "invited" if self.previous is None else "rematch"

    def _take_back_news(self, wish: TakeBackNews) -> News:
        news = self._news(wish.type, wish.at, wish.version)
        return msgspec.structs.replace(news, seat=wish.seat, round=wish.round)

    def _news(self, kind: Kind, at: datetime, version: int | None = None) -> News:
        return News(
            type=kind,
            match=self.match,
            version=self.stamp.version if version is None else version,
            game=self.game,
            at=at,
            deadline_at=self.deadline_at if kind == "your_turn" else None,
            previous=self.previous if kind in ("rematch", "declined") else None,
        )


def facts_of(
    match: MatchSnapshot,
    user: UUID,
    changes: Sequence[InvitationChange] = (),
    nudged_at: datetime | None = None,
    challenge: ChallengeTerms | None = None,
) -> Facts | None:
    """``None`` for a match that does not concern the account; ``changes`` of its invitations."""
    own = match.seats_of(user)
    ends_with_a_no = match.previous_id is not None or challenge is not None
    invitations = tuple(_invitations(match, user, changes, ends_with_a_no=ends_with_a_no))
    if own or match.is_invited(user):
        phase = match.status if own or match.is_over else "invited"
    elif not invitations:
        return None
    else:
        phase = "withdrawn" if invitations[0].type == "withdrawn" else "host"
    return Facts(
        match=match.id,
        game=match.game,
        stamp=stamp_of(match),
        phase=phase,  # type: ignore[arg-type]
        is_your_turn=match.status == "active" and bool({*own} & {*match.people_to_act}),
        created_at=match.created_at,
        started_at=match.started_at,
        started_version=match.parent_version or 0,
        finished_at=match.finished_at,
        deadline_at=match.deadline_at,
        previous=match.previous_id,
        invitations=invitations,
        take_back=_take_back(match, own) if match.take_back_json and own else None,
        nudged_at=nudged_at,
        challenge=challenge,
    )


def _take_back(match: MatchSnapshot, own: Sequence[int]) -> TakeBackNews | None:
    """To be answered by those who have not; what came of it, for who asked."""
    wish = match.take_back
    if wish is None or match.status != "active":
        return None
    kind: Any = "take_back" if wish.status == "waiting" else f"take_back_{wish.status}"
    is_own = wish.seat in own
    if wish.status == "waiting" and (is_own or {*own} & {*wish.agreed}):
        return None
    if wish.status == "withdrawn" and is_own:
        return None
    return TakeBackNews(kind, wish.seat, wish.round, wish.version, wish.at)


def _invitations(
    match: MatchSnapshot,
    user: UUID,
    changes: Sequence[InvitationChange],
    *,
    ends_with_a_no: bool,
) -> Iterator[Invitation]:
    """The changes that still hold, and the invitation that the match began with."""
    times = {(change.kind, change.seat): change.at for change in changes}
    is_open = match.status == "open"
    if is_open or (match.status == "aborted" and ends_with_a_no):
        for seat in match.seats:
            if is_open and seat.awaits(user):
                at = times.get(("invited", seat.index), match.created_at)
                yield Invitation("invited", seat.index, at)
            if seat.is_reserved and seat.declined and match.creator_id == user:
                at = times.get(("declined", seat.index), match.updated_at)
                yield Invitation("declined", seat.index, at, seat.declined)  # type: ignore[arg-type]
    if not match.seats_of(user) and not any(seat.invited_id == user for seat in match.seats):
        gone = [change for change in changes if change.kind == "withdrawn"]
        if gone:
            last = max(gone, key=lambda change: change.at)
            yield Invitation("withdrawn", last.seat, last.at)


def fresh(facts: Facts, before: Facts | None, since: datetime) -> list[News]:
    """The new news. A match that was not followed before may have been over ``since`` long ago."""
    if before is None:
        return [news for news in facts.news() if news.type in WAITING or news.at > since]
    old = {news.key for news in before.news()}
    return [news for news in facts.news() if news.key not in old]


class Cursor(NamedTuple):
    """The news that a client has: all before ``at``, and the news with these keys."""

    at: datetime
    keys: frozenset[int]

    @property
    def since(self) -> datetime:
        return self.at - LATEST_COMMIT


class Delivered:
    """The news that a client has got up to now; its text is the cursor to resume after."""

    def __init__(self, at: datetime, keys: Iterable[int] = ()) -> None:
        self.at = at
        self._before = [(key, at) for key in keys]
        self._newest: dict[tuple[UUID, Kind, int | UnsetType], News] = {}

    def note(self, news: News) -> None:
        """Keeps one: of a kind and seat only the newest news of a match can be derived again."""
        name = news.match, news.type, news.seat
        self._newest.pop(name, None)
        self._newest[name] = news

    def note_key(self, key: int, at: datetime) -> None:
        """Keeps a piece of news that is no match's."""
        self._before.append((key, at))

    def advance(self, at: datetime) -> None:
        """All news before ``at`` is delivered."""
        self.at = max(self.at, at)
        since = self.at - LATEST_COMMIT
        self._before = [(key, when) for key, when in self._before if when > since]
        newest = self._newest.items()
        self._newest = {name: news for name, news in newest if news.at > since}

    def __str__(self) -> str:
        keys = [key for key, _ in self._before] + [news.key for news in self._newest.values()]
        milliseconds = int(self.at.timestamp() * 1000)
        return f"{milliseconds:x}-" + "".join(f"{key:08x}" for key in keys[-MOST_KEYS:])


def cursor_from(text: str) -> Cursor:
    """The cursor that a client sends back; ``ValueError`` for anything else."""
    milliseconds, _, keys = text.partition("-")
    if len(keys) > 8 * MOST_KEYS or len(keys) % 8 or len(milliseconds) > 12:
        raise ValueError("This names no piece of news.")
    at = datetime.fromtimestamp(int(milliseconds, 16) / 1000, UTC)
    return Cursor(at, frozenset(int(keys[n : n + 8], 16) for n in range(0, len(keys), 8)))


def missed_news(facts: Collection[Facts], cursor: Cursor) -> list[News]:
    """The news after a cursor that is still true, the oldest first."""
    all_missed = [
        news
        for each in facts
        for news in each.news()
        if news.at > cursor.since and news.key not in cursor.keys
    ]
    return sorted(all_missed, key=lambda news: news.at)


# News of analyses in the stream of an account: one that it asked for is finished.


class AnalysisNews(msgspec.Struct, frozen=True):
    """The analysis of this match is there: ``GET matches/<id>/analysis``."""

    type: Literal["analysed"]
    match: UUID
    at: datetime

    @property
    def key(self) -> int:
        return crc32(f"{self.type} {self.match} {self.at.timestamp()}".encode())


def analysis_news(user: UUID, since: datetime) -> list[AnalysisNews]:
    return [
        AnalysisNews("analysed", row.match_id, row.finished_at or row.created_at)
        for row in analyses.finished_since([user], since)
    ]


def requesters_with_news(users: Sequence[UUID], since: datetime) -> set[UUID]:
    rows = analyses.finished_since(users, since)
    return {row.requester_id for row in rows if row.requester_id is not None}


# News of friends in the stream of an account: new requests, and those that were accepted. In the
# stream of a page that lists friends: that the list has changed. News of analyses come the same
# way.
#
# A friendship that was declined or has ended is no news.

FriendKind = Literal["friend_request", "friend_accepted"]
MISSED: Final = timedelta(seconds=30)


class FriendNews(msgspec.Struct, frozen=True):
    """``username`` asks to be your friend, or has accepted that you asked."""

    type: FriendKind
    username: str
    display_name: str
    at: datetime

    @property
    def key(self) -> int:
        return crc32(f"{self.type} {self.username} {self.at.timestamp()}".encode())


class NoticeNews(msgspec.Struct, frozen=True):
    """Operators announce this to everybody, or to people who are signed in."""

    type: Literal["notice"]
    announcement: UUID
    texts: dict[str, str]
    link: str
    at: datetime

    @property
    def key(self) -> int:
        return crc32(f"{self.type} {self.announcement} {self.at.timestamp()}".encode())


Act = Literal[
    "changed", "invited", "removed", "paused", "resumed", "begun", "finished", "called_off"
]


class TournamentNews(msgspec.Struct, frozen=True):
    """An act on a tournament that you hold, take part in or are invited to.

    With ``removed`` you take part no more; ``version`` is that of the tournament.
    """

    type: Literal["tournament"]
    tournament: UUID
    name: str
    what: Act
    version: int
    at: datetime

    @property
    def key(self) -> int:
        return crc32(f"{self.what} {self.tournament} {self.at.timestamp()}".encode())


def _of_tournaments(user: UUID, since: datetime) -> list[TournamentNews]:
    events = [(row, row.tournament) for row in tournaments.events_of(user, since)]
    return [
        TournamentNews("tournament", cup.pk, cup.name, row.what, cup.version, row.at)  # type: ignore[arg-type]
        for row, cup in events
    ]


def _announced(since: datetime) -> list[NoticeNews]:
    """From the memory of this process."""
    return [
        NoticeNews("notice", one.id, one.texts, one.link, one.shown_from)
        for one in club.announced_since(since)
    ]


class Since(NamedTuple):
    user: UUID
    at: datetime


OtherNews = FriendNews | AnalysisNews | NoticeNews | TournamentNews


def read_other_news(queries: Sequence[Since]) -> list[list[OtherNews]]:
    return [sorted(_other_news(*query), key=lambda each: each.at) for query in queries]


def _other_news(user: UUID, since: datetime) -> Iterator[OtherNews]:
    yield from _news_of_friends(user, since)
    yield from analysis_news(user, since)
    yield from _of_tournaments(user, since)
    yield from _announced(since)


def _news_of_friends(user: UUID, since: datetime) -> list[FriendNews]:
    asks = Q(recipient=user, state="requested", requested_at__gt=since)
    accepted = Q(sender=user, state="accepted", accepted_at__gt=since)
    rows = friendships_of(user).filter(asks | accepted)
    return [_of(row, user) for row in rows]


def _of(row: Friendship, user: UUID) -> FriendNews:
    if row.sender_id == user:
        person, at = row.recipient, row.accepted_at or row.requested_at
        return FriendNews("friend_accepted", person.username, person.display_name, at)
    person = row.sender
    return FriendNews("friend_request", person.username, person.display_name, row.requested_at)


def read_with_other_news(queries: Sequence[list[UUID]]) -> list[set[UUID]]:
    """The accounts for whom there may be such news since a moment ago."""
    since = timezone.now() - MISSED
    return [_changed(users, since) for users in queries]


def _changed(users: Sequence[UUID], since: datetime) -> set[UUID]:
    if not users or _announced(since):
        return set(users)
    requested = Friendship.objects.filter(recipient__in=users, requested_at__gt=since)
    accepted = Friendship.objects.filter(sender__in=users, accepted_at__gt=since)
    return {
        *requested.values_list("recipient_id", flat=True),
        *accepted.values_list("sender_id", flat=True),
        *requesters_with_news(users, since),
        *tournaments.people_with_events(users, since),
    }


def read_friend_lists(queries: Sequence[UUID]) -> list[str]:
    states = {user: state_of_list(user) for user in set(queries)}
    return [states[user] for user in queries]


# Streams and seeks, as readings of the feed.
#
# A person with an open stream is there, and waits on. A page is sent the match into which its
# reader was paired; a lobby is sent that others wait.

Waiting = tuple[int, datetime | None]
"""Names who waits: how many, and since when the newest does."""


def give_signs_of_life(queries: Sequence[list[UUID]]) -> list[None]:
    """Notes that these people are there: for pairing, and for their friends."""
    people = {account for accounts in queries for account in accounts}
    seeking.sign_of_life(people)
    note_presence(people)
    return [None] * len(queries)


def note_readers(queries: Sequence[list[UUID]]) -> list[None]:
    """Notes that these people look at a page: nobody writes to them meanwhile."""
    note_looking({account for accounts in queries for account in accounts})
    return [None] * len(queries)


def read_waiting(queries: Sequence[None]) -> list[Waiting]:
    row = (
        lobby_selectors.waiting().order_by().aggregate(count=Count("id"), newest=Max("created_at"))
    )
    return [(row["count"], row["newest"])] * len(queries)


def read_paired(queries: Sequence[UUID]) -> list[UUID | None]:
    """For each account the match into which it was paired a moment ago."""
    matches = lobby_selectors.paired_lately(set(queries))
    return [matches.get(account) for account in queries]
