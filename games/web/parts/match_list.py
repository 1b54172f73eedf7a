"""Matches as lines of lists: as the lobby lists them, and finished ones with their result.

Lines are kept by what they show and by whom it is for. One that is for all readers is in UTC.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from typing import Any, Final, Generic, NamedTuple, TypeVar
from uuid import UUID

from django.db.models import QuerySet
from django.http import QueryDict
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from config.postgres.together import Part, once, read_parts
from games.guests import name_for
from games.language import tag_of_language, words
from games.matches.models import Match, Seat
from games.matches.opening import awaits
from games.matches.seats import is_anybodys
from games.matches.selectors.history import as_listed
from games.matches.selectors.lists import Sought, newest_for, newest_of
from games.matches.selectors.secrecy import hides_somebody
from games.people.models import Tally
from games.people.profiles import NO_SCORE, Score
from games.web.parts.headline import numbered

FACES_SHOWN: Final = 3
LINE_KEPT_SECONDS: Final = 30.0

T = TypeVar("T")
Id = TypeVar("Id")


class Kept(Generic[T]):
    """Lines, or what else is read, by what they show. Of this process, whose threads share them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: dict[Hashable, tuple[float, T]] = {}  # replaced, never changed: others read it

    def of(
        self,
        keys: Mapping[Id, Hashable],
        make: Callable[[list[Id]], Mapping[Id, T]],
        seconds: float,
    ) -> dict[Id, T]:
        """In the order of the keys. What is not kept is made together; it may be gone by then."""
        kept, now = self._kept, time.monotonic()
        lines = {id_: one for id_, key in keys.items() if (one := kept.get(key)) and one[0] > now}
        if missing := [id_ for id_ in keys if id_ not in lines]:
            made = {id_: (now + seconds, line) for id_, line in make(missing).items()}
            lines |= made
            if len(kept) >= self._most:
                kept = {key: one for key, one in kept.items() if one[0] > now}
            if len(kept) >= self._most:
                kept = {}
            self._kept = kept | {keys[id_]: one for id_, one in made.items()}
        return {id_: lines[id_][1] for id_ in keys if id_ in lines}


@dataclass(frozen=True)
class MatchListing:
    match: Match
    game: str
    names: list[str]
    free: int
    is_your_turn: bool
    awaited: list[str]  # who is invited and has not answered
    host: str
    others: list[str]  # the names of the seats that are not the reader's
    faces: list["SeatFace"]  # some of theirs

    @property
    def round_said(self) -> str:
        """*deal 3*; empty where a match has one round only."""
        return numbered(self.match.rules, self.match.round)


@dataclass(frozen=True)
class SeatFace:
    """A face that a line shows."""

    name: str
    bot: str | None
    index: int


def listing_of(match: Match, user: UUID | None, friends: Collection[UUID] = ()) -> MatchListing:
    """``friends`` are the reader's; their hosts' seats are free for them."""
    seats = sorted(match.seats.all(), key=lambda seat: seat.index)
    own = {seat.index for seat in seats if user is not None and seat.user_id == user}
    names = [name_for(seat, seat.name or gettext("open"), seats, user) for seat in seats]
    return MatchListing(
        match=match,
        game=words(match.rules.name),
        names=names,
        free=sum(
            awaits(seat, user) or is_anybodys(seat) or _is_for_friends(seat, match, user, friends)
            for seat in seats
        ),
        is_your_turn=bool(own & set(match.to_act)),
        awaited=[seat.name for seat in seats if seat.kind == "open" and seat.invited_id],
        host=_host(match, seats),
        others=[name for seat, name in zip(seats, names, strict=True) if seat.index not in own],
        faces=[
            SeatFace(seat.name, seat.bot if seat.kind == "bot" else None, seat.index)
            for seat in seats
            if seat.name and seat.index not in own
        ][:FACES_SHOWN],
    )


def _is_for_friends(seat: Seat, match: Match, user: UUID | None, friends: Collection[UUID]) -> bool:
    may = match.creator_id == user or match.creator_id in friends
    return seat.kind == "open" and seat.invited_id is None and may


def _host(match: Match, seats: Iterable[Seat]) -> str:
    """A guest at the host's device goes by any name and is not the host."""
    own = [seat.name for seat in seats if seat.kind == "user" and seat.user_id == match.creator_id]
    return own[0] if own else match.creator.display_name


# Finished matches as lines to read, and somebody's record by game.

RESULTS_PER_PAGE: Final = 20


@dataclass(frozen=True)
class ResultFilter:
    """The wanted results: the reader's own ones or all public ones, of one game or of all."""

    mine: bool
    game: str | None

    @classmethod
    def of(cls, sent: QueryDict, *, is_somebody: bool) -> "ResultFilter":
        """Somebody sees the own results first; a visitor has none."""
        mine = is_somebody and sent.get("whose", "mine") == "mine"
        game = sent.get("of", "")
        return cls(mine, game if game in {each.slug for each in catalog.GAMES} else None)

    @property
    def query(self) -> str:
        """The query that shows these results again."""
        whose = "mine" if self.mine else "all"
        return f"whose={whose}&of={self.game or ''}"


@dataclass(frozen=True)
class ResultLine:
    """A finished match: who sat there, the winners first; ``outcome`` is the reader's own."""

    listing: MatchListing
    seats: list["ResultSeat"]
    outcome: str  # won, lost, drawn; empty for a reader who did not play

    @property
    def winners(self) -> list["ResultSeat"]:
        return [seat for seat in self.seats if seat.has_won]

    @property
    def winner_names(self) -> list[str]:
        return [seat.name for seat in self.winners]

    @property
    def is_draw(self) -> bool:
        return len(self.winners) in (0, len(self.seats))


@dataclass(frozen=True)
class ResultSeat:
    name: str
    bot: str | None
    index: int
    points: int
    has_won: bool
    is_own: bool


@dataclass(frozen=True)
class Record:
    """The number of matches of a game that somebody finished, and won."""

    game: AnyGame
    played: int
    won: int

    @property
    def lost(self) -> int:
        return self.played - self.won


class KeptResult(NamedTuple):
    """``own``: only these readers, and those who know somebody hidden, read another line."""

    html: str
    people: Collection[UUID | None]
    hides: bool  # somebody's name, from strangers


RESULTS: Final[Kept[KeptResult]] = Kept(most=4_000)


def listed(ids: Sequence[UUID]) -> list[Match]:
    """Newest first, with their seats."""
    rows = Match.objects.defer("state", "loaded").select_related("creator")
    return list(rows.prefetch_related("seats").filter(id__in=ids).order_by("-id"))


def results_of(
    user: UUID | None, *, mine: bool, game: str | None
) -> tuple[SafeString, Sequence["Record"]]:
    """The last finished matches, newest first: the reader's own ones, or all public ones.

    With the reader's record.
    """
    newest = Part((_finished(user if mine else None, game),), lambda rows: rows)
    matches, records = read_parts(newest, records_of(user))
    return lines_of([UUID(row["id"]) for row in matches], user), records


@once
def _finished(user: UUID | None, game: str | None) -> QuerySet[Match, Any]:
    sought = Sought(game=game, statuses=[Match.Status.FINISHED])
    if user is None:
        return newest_for(None, sought, most=RESULTS_PER_PAGE).values("id")
    return newest_of(user, sought, most=RESULTS_PER_PAGE).values("id")


def lines_of(ids: Iterable[UUID], user: UUID | None) -> SafeString:
    """Finished matches of which the reader may know, in this order.

    Each is made once for all who did not play it. Names in it, and how long ago that was, may be as
    old as it is kept.
    """
    language = tag_of_language()
    lines = RESULTS.of({i: (language, i) for i in ids}, _for_strangers, LINE_KEPT_SECONDS)
    own = [i for i, line in lines.items() if line.hides or user in line.people]
    if user is not None and own:
        keys = {i: (language, user, i) for i in own}
        lines |= RESULTS.of(keys, lambda missing: _results(missing, user), LINE_KEPT_SECONDS)
    return mark_safe("".join(line.html for line in lines.values()))  # noqa: S308 - our template's


def _for_strangers(ids: Sequence[UUID]) -> dict[UUID, KeptResult]:
    return _results(ids, None)


def _results(ids: Sequence[UUID], user: UUID | None) -> dict[UUID, KeptResult]:
    rows = listed(ids)
    hides = hides_somebody(rows)
    people = {row.id: frozenset(seat.user_id for seat in row.seats.all()) for row in rows}
    with timezone.override(UTC):
        return {
            row.id: KeptResult(_result(row, user), people[row.id], row.id in hides)
            for row in as_listed(rows, user, gettext)
        }


def _result(match: Match, user: UUID | None) -> str:
    return render_to_string("games/parts/result_line.html", {"line": result_line(match, user)})


def result_line(match: Match, user: UUID | None) -> ResultLine:
    listing = listing_of(match, user)
    rows = sorted(match.seats.all(), key=lambda seat: seat.index)
    seats = [
        ResultSeat(
            name=name,
            bot=row.bot if row.kind == "bot" else None,
            index=row.index,
            points=row.points,
            has_won=row.place == 1,
            is_own=user is not None and row.user_id == user,
        )
        for row, name in zip(rows, listing.names, strict=True)
    ]
    own = [row for row in rows if row.kind == Seat.Kind.USER and row.user_id == user]
    seats.sort(key=lambda seat: not seat.has_won)
    line = ResultLine(listing, seats, "")
    if len(own) != 1:
        return line
    outcome = "drawn" if line.is_draw else "won" if own[0].place == 1 else "lost"
    return ResultLine(listing, seats, outcome)


def records_of(user: UUID | None) -> Part:
    """By game, those that were played only: what is counted of the person's results."""
    return Part((_tallies(user),) if user else (), _records)


@once
def _tallies(user: UUID) -> QuerySet[Tally]:
    return Tally.objects.filter(account=user)


def _records(tallies: Sequence[Tally] = ()) -> Sequence[Record]:
    by_game: defaultdict[str, Score] = defaultdict(lambda: NO_SCORE)
    for row in tallies:
        by_game[row.game] = by_game[row.game].plus(row)
    return [
        Record(game, score.matches, score.won)
        for game in catalog.GAMES
        if (score := by_game[game.slug]).matches
    ]
