"""Tables that everybody may join or watch, as lines of the lobby, each made once for all readers.

Which tables there are, and who sits where, is read for each page by one statement. A line is made
as a stranger reads it, and kept in this process for two seconds, in each language: points and
numbers of watchers may be as old as that. Only who knows somebody that strangers do not gets a line
of their own.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from enum import Enum
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Exists, F, OuterRef, QuerySet, TextField, Value
from django.db.models.functions import Cast, Coalesce
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext

from config.postgres.arrays import literal
from config.postgres.together import once, rows_of
from games.guests import name_for
from games.language import tag_of_language
from games.lobby.finding import TableFilter, known_ratings, watchers_of
from games.matches import time_bank
from games.matches.models import Match, Seat
from games.matches.resting import Resting, SeatResting, resting_of
from games.matches.selectors import lists
from games.matches.selectors.history import as_listed
from games.matches.selectors.secrecy import hides_somebody
from games.matches.time_bank import DAY
from games.templatetags.faces import TOKEN
from games.web.parts.match_list import Kept, MatchListing, listing_of
from games.web.parts.options_form import pace_in_words, rules_in_words

TABLES_PER_LIST: Final = 30
LOOKED_AT: Final = 60  # tables, of which some are not for this reader
KEPT_SECONDS: Final = 2.0


@dataclass(frozen=True)
class Chair:
    """A seat of an open table: ``name`` sits there or is awaited, or the reader may take it.

    ``label`` is the name as the reader has to read it: a guest is somebody's guest.
    """

    index: int
    name: str
    label: str
    bot: str | None
    is_free: bool


@dataclass(frozen=True)
class OpenTable:
    listing: MatchListing
    chairs: list[Chair]
    rules: list[str]  # the options that are not as usual, in words
    pace: str
    host_rating: int | None
    rests: list[SeatResting]  # whose clock stands still, where a move has days


@dataclass(frozen=True)
class WatchedTable:
    listing: MatchListing
    points: list[tuple[str, int]]
    watchers: int | None


class Known(NamedTuple):
    """A reader (``None``: nobody), their friends, and whom they see nothing of."""

    reader: UUID | None = None
    friends: Collection[UUID] = ()
    blocked: Collection[UUID] = ()


class Table(NamedTuple):
    """Names what a line shows, except what may be two seconds old."""

    id: str
    creator: UUID
    kinds: tuple[str, ...]
    people: tuple[UUID | None, ...]  # who sits there, or is invited
    for_friends: bool
    for_anybody: bool

    def __hash__(self) -> int:
        return hash(self.id)

    def knows_somebody(self, known: Known) -> bool:
        is_concerned = known.reader is not None and known.reader in self._everybody
        return is_concerned or not self._everybody.isdisjoint(known.friends)

    def is_blocked(self, known: Known) -> bool:
        return bool(known.blocked) and not self._everybody.isdisjoint(known.blocked)

    @property
    def _everybody(self) -> set[UUID | None]:
        return {self.creator, *self.people}


class Line(NamedTuple):
    html: str
    rank: int  # the lines with the highest one come first
    hides: bool  # somebody's name, from strangers


class Reader(Enum):
    """The people whom a line is for: only those who are signed in learn when others rest."""

    NOBODY = 0
    SOMEBODY = 1
    FRIEND = 2  # of the host


Make = Callable[[list[Match], Known, Reader], list[tuple[str, int]]]


class Lines:
    """Those of one kind of table, kept by language, reader and table."""

    most = 1_000

    def __init__(self, make: Make) -> None:
        self._make = make
        self._kept: Kept[Line] = Kept(self.most)

    def of(self, tables: Sequence[Table], known: Known) -> list[str]:
        """The lines of these tables as this reader reads them."""
        friends = [t for t in tables if t.for_friends and t.creator in known.friends]
        reader = Reader.NOBODY if known.reader is None else Reader.SOMEBODY
        lines = self._shared([t for t in tables if t not in friends], reader)
        lines |= self._shared(friends, Reader.FRIEND)
        own = [t for t in tables if t.id in lines and lines[t.id].hides and t.knows_somebody(known)]
        if own:
            lines |= self._lines([table.id for table in own], known, reader)
        shown = [lines[table.id] for table in tables if table.id in lines]
        return [line.html for line in sorted(shown, key=lambda line: -line.rank)]

    def _shared(self, tables: Iterable[Table], reader: Reader) -> dict[str, Line]:
        language = tag_of_language()
        keys = {table.id: (language, reader, table) for table in tables}
        return self._kept.of(keys, lambda ids: self._lines(ids, Known(), reader), KEPT_SECONDS)

    def _lines(self, ids: Collection[str], known: Known, reader: Reader) -> dict[str, Line]:
        matches = Match.objects.defer("state", "loaded").filter(id__in=ids).order_by("-id")
        rows = list(matches.select_related("creator").prefetch_related("seats"))
        hides = hides_somebody(rows)
        made = self._make(as_listed(rows, known.reader, gettext), known, reader)
        return {
            str(row.id): Line(html, rank, row.id in hides)
            for row, (html, rank) in zip(rows, made, strict=True)
        }


def _open_lines(rows: list[Match], known: Known, reader: Reader) -> list[tuple[str, int]]:
    ratings, as_friend = _host_ratings(rows), reader is Reader.FRIEND
    resting = {} if reader is Reader.NOBODY else _resting_in(rows)
    tables = [
        _open_table(row, known.reader, {row.creator_id} if as_friend else known.friends,
                    ratings[row.game], resting)
        for row in rows
    ]  # fmt: skip
    return [(_rendered("open_table", table), 0) for table in tables]


def _running_lines(rows: list[Match], known: Known, _: Reader) -> list[tuple[str, int]]:
    counts = watchers_of([row.id for row in rows])
    tables = [_watched(row, known.reader, counts.get(row.id)) for row in rows]
    return [(_rendered("running_table", table), table.watchers or 0) for table in tables]


def _rendered(part: str, table: OpenTable | WatchedTable) -> str:
    context = {"table": table, "csrf_token": TOKEN}
    with timezone.override(UTC):  # that of one reader is no other's business
        return render_to_string(f"games/parts/{part}.html", context)


OPEN: Final = Lines(_open_lines)
RUNNING: Final = Lines(_running_lines)


class PublicTables(NamedTuple):
    open: list[str]
    running: list[str]


def public_tables(known: Known, wanted: TableFilter) -> PublicTables:
    """Lines of the newest. Open tables where the reader sits, or is to sit, stand elsewhere."""
    tables: dict[bool, list[Table]] = {True: [], False: []}
    for is_open, *facts, kinds, people in rows_of(_newest(wanted)):
        id_, creator, for_friends, for_anybody = facts
        table = Table(id_, creator, tuple(kinds), tuple(people), for_friends, for_anybody)
        if not table.is_blocked(known):
            tables[is_open].append(table)
    joinable = [
        table
        for table in tables[True]
        if known.reader not in table.people or known.reader is None
        if table.for_anybody or table.creator in known.friends
    ]
    return PublicTables(
        OPEN.of(sorted(joinable, reverse=True)[:TABLES_PER_LIST], known),
        RUNNING.of(sorted(tables[False], reverse=True)[:TABLES_PER_LIST], known),
    )


@once
def _newest(wanted: TableFilter) -> QuerySet[Match, Any]:
    waiting = wanted.applied(lists.with_a_free_seat()).order_by("-id")[:LOOKED_AT]
    running = Match.objects.filter(
        status=literal(Match.Status.ACTIVE), visibility=literal(Match.Visibility.PUBLIC)
    )
    running = wanted.applied(running).order_by("-id")[:LOOKED_AT]
    return _described(waiting, is_open=True).union(_described(running, is_open=False), all=True)


def _described(matches: QuerySet[Match], *, is_open: bool) -> QuerySet[Match, Any]:
    seats = Seat.objects.filter(match=OuterRef("pk")).order_by("index")
    free = seats.filter(kind=literal("open"), invited=None)
    return matches.annotate(
        is_open=Value(is_open),
        named=Cast("id", TextField()),
        with_friends=Exists(free.filter(for_friends=True)) if is_open else Value(value=False),
        with_anybody=Exists(free.filter(for_friends=False)) if is_open else Value(value=False),
        kinds=ArraySubquery(seats.values("kind")),
        who=ArraySubquery(seats.annotate(who=Coalesce(F("user"), F("invited"))).values("who")),
    ).values_list("is_open", "named", "creator_id", "with_friends", "with_anybody", "kinds", "who")


def _resting_in(matches: Collection[Match]) -> dict[UUID, Resting]:
    """The people who rest, of the tables with days for a move."""
    slow = [match for match in matches if (match.turn_seconds or 0) >= DAY]
    people = {seat.user_id for match in slow for seat in match.seats.all() if seat.user_id}
    return resting_of(people) if people else {}


def _host_ratings(matches: Collection[Match]) -> dict[str, dict[UUID, float]]:
    """Of the hosts of each game."""
    hosts: defaultdict[str, set[UUID]] = defaultdict(set)
    for match in matches:
        hosts[match.game].add(match.creator_id)
    return {game: known_ratings(game, accounts) for game, accounts in hosts.items()}


def _open_table(
    match: Match,
    reader: UUID | None,
    friends: Collection[UUID],
    ratings: Mapping[UUID, float],
    resting: Mapping[UUID, Resting],
) -> OpenTable:
    seats = sorted(match.seats.all(), key=lambda seat: seat.index)
    is_slow = (match.turn_seconds or 0) >= DAY
    rating = ratings.get(match.creator_id)
    is_friend = match.creator_id in friends
    return OpenTable(
        listing=listing_of(match, reader, friends),
        chairs=[
            _chair(seat, name_for(seat, seat.name, seats, reader), is_friend=is_friend)
            for seat in seats
        ],
        rules=rules_in_words(match.rules, match.rules.decode_options(bytes(match.options))),
        pace=pace_in_words(match.turn_seconds, time_bank.terms_of(match.clock)),
        host_rating=None if rating is None else round(rating),
        rests=[
            SeatResting(seat.index, seat.name, resting[seat.user_id])
            for seat in seats
            if is_slow and seat.user_id and seat.user_id in resting
        ],
    )


def _chair(seat: Seat, label: str, *, is_friend: bool) -> Chair:
    is_open = seat.kind == Seat.Kind.OPEN and seat.invited_id is None
    is_free = is_open and (is_friend or not seat.for_friends)
    return Chair(seat.index, seat.name, label, seat.bot or None, is_free)


def _watched(match: Match, reader: UUID | None, watchers: int | None) -> WatchedTable:
    listing = listing_of(match, reader)
    seats = sorted(match.seats.all(), key=lambda seat: seat.index)
    points = [(name, seat.points) for seat, name in zip(seats, listing.names, strict=True)]
    return WatchedTable(listing, points, watchers)
