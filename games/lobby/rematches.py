"""The same people once more: who wants it, who does not, and the score of all they played."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import connection, transaction
from django.db.models import QuerySet

from accounts.models import User
from config.postgres.together import Part, once
from games.lobby.models import SeriesMatch
from games.matches import party
from games.matches.joining import decline_rematch, open_rematch
from games.matches.models import Match, Seat
from games.matches.refusals import MatchNotOpen
from games.matches.selectors.access import matches_by_id, snapshot_of
from games.matches.selectors.lists import invitations_of
from games.matches.selectors.secrecy import named_for
from games.matches.snapshot import MatchSnapshot, SeatSnapshot

# A series: rematches of rematches, and how often each player won.
#
# A match belongs to it from the moment it is asked for. Matches that are finished count, and only
# those in which everybody sat as in the match that is looked at: a host may give a seat away.

_LINE: Final = """
WITH RECURSIVE up AS (
    SELECT id, previous_id, 0 AS back FROM games_match WHERE id = %s
    UNION ALL
    SELECT m.id, m.previous_id, up.back + 1 FROM games_match m JOIN up ON m.id = up.previous_id
    WHERE NOT EXISTS (SELECT FROM lobby_seriesmatch known WHERE known.match_id = up.id)
)
SELECT up.id, known.series, known.turned FROM up
LEFT JOIN lobby_seriesmatch known ON known.match_id = up.id ORDER BY up.back DESC
"""

_PLAYED: Final = """
SELECT one.turned, array_agg(s.place = 1 ORDER BY s.index),
    array_agg(CASE s.kind WHEN 'bot' THEN s.bot WHEN 'local' THEN s.user_id::text || s.name
        ELSE s.user_id::text END ORDER BY s.index)
FROM lobby_seriesmatch one
JOIN games_match m ON m.id = one.match_id AND m.status = 'finished'
JOIN games_seat s ON s.match_id = one.match_id
WHERE one.series = %s GROUP BY one.match_id, one.turned
"""


@dataclass(frozen=True)
class Series:
    """``wins`` by seat of the match that is looked at, in the finished ones of ``matches``."""

    id: UUID
    matches: int
    draws: int
    wins: tuple[int, ...]


def note(match: MatchSnapshot) -> None:
    """Notes that a match goes on with the series of the one before. Again changes nothing."""
    if match.previous_id is None:
        return
    with connection.cursor() as cursor:
        cursor.execute(_LINE, [match.id])
        line = cursor.fetchall()
    first, series, turned = line[0]
    start, series = turned or 0, series or first
    rows = [SeriesMatch(match_id=id_, series=series, turned=start + n)
            for n, (id_, *_) in enumerate(line)]  # fmt: skip
    SeriesMatch.objects.bulk_create(rows, ignore_conflicts=True)


def series_of(match: MatchSnapshot) -> Series | None:
    """The series that a match belongs to, if one of its matches is finished."""
    if match.previous_id is None and not match.is_over:
        return None
    row = SeriesMatch.objects.filter(match=match.id).first()
    return _counted(row, match) if row else None


def _counted(row: SeriesMatch, match: MatchSnapshot) -> Series | None:
    with connection.cursor() as cursor:
        cursor.execute(_PLAYED, [row.series])
        played: list[tuple[int, list[bool], list[str]]] = cursor.fetchall()
    holders = [*map(_holder, match.seats)]
    results = [
        _moved_on(won, row.turned - turned)
        for turned, won, held in played
        if _moved_on(held, row.turned - turned) == holders
    ]
    if not results:
        return None
    decided = [won for won in results if not all(won)]
    wins = tuple(sum(won[seat] for won in decided) for seat in range(len(holders)))
    return Series(row.series, len(results), len(results) - len(decided), wins)


def _holder(seat: SeatSnapshot) -> str | None:
    """As the statement names the holder of a seat."""
    if seat.kind == "bot":
        return seat.bot
    return f"{seat.user_id or seat.invited_id}{seat.name if seat.kind == 'local' else ''}"


def _moved_on(by_seat: Sequence[Any], times: int) -> list[Any]:
    """The same as seen after so many rematches: what was at seat 1 is at seat 0 after one."""
    step = times % len(by_seat)
    return [*by_seat[step:], *by_seat[:step]]


# Asking for a rematch, and saying no to one.
#
# Everybody presses the same button: the first opens the rematch, the others join it. Both acts
# lock the match that was played, so a rematch is opened once however many press at the same
# moment.

_TRIES: Final = 3


def ask(*, match_id: UUID, user: User) -> MatchSnapshot:
    """Seats the user at the rematch; opens it where there is none, or it was just cancelled."""
    for left in reversed(range(_TRIES)):
        try:
            return party.seat_guests(match_id, _with_them(match_id, user))
        except MatchNotOpen:
            if not left:
                raise
    raise AssertionError("the last try returns or raises")


@transaction.atomic
def _with_them(match_id: UUID, user: User) -> MatchSnapshot:
    match = open_rematch(match_id=match_id, user=user)
    note(match)
    return match


def refuse(*, match_id: UUID, user: User) -> MatchSnapshot:
    """No rematch with this person, who was asked or had asked; the match that was played."""
    return decline_rematch(match_id=match_id, user=user)


# The series of two people, for their profiles: a line each, the newest first.

SHOWN: Final = 10
LOOKED_AT: Final = 100  # matches


class PersonSeries(NamedTuple):
    """``own`` and ``other`` are matches won; ``match`` is the last one."""

    game: str
    opponent: str
    own: int
    other: int
    match: UUID | None
    at: datetime


def series_of_person(account: UUID, reader: UUID | None) -> Part:
    """Series whose last match the reader may find: public, or their own; against one person."""
    return Part((_played(account),), lambda rows: [*_lines(rows, account, reader)][:SHOWN])


@once
def _played(account: UUID) -> QuerySet[SeriesMatch]:
    rows = SeriesMatch.objects.filter(match__seats__user=account, match__status="finished")
    return rows.order_by("-match_id").distinct()[:LOOKED_AT]


def _lines(
    rows: Iterable[SeriesMatch], account: UUID, reader: UUID | None
) -> Iterator[PersonSeries]:
    newest: dict[UUID, UUID] = {}
    for row in rows:
        newest.setdefault(row.series, row.match_id)
    matches = matches_by_id(list(newest.values())[: 2 * SHOWN])
    for match in sorted(matches.values(), key=lambda one: one.id, reverse=True):
        if match.visibility == "public" or match.seats_of(reader):
            yield from _line(named_for(match, reader), account)


def _line(match: MatchSnapshot, account: UUID) -> Iterator[PersonSeries]:
    others = [seat for seat in match.seats if seat.user_id not in (None, account)]
    own = match.seats_of(account)
    if len(match.seats) != 2 or len(own) != 1 or len(others) != 1:
        return
    series = series_of(match)
    if series is not None:
        wins, other = series.wins, others[0].index
        at = match.finished_at or match.updated_at
        yield PersonSeries(match.game, match.names[other], wins[own[0]], wins[other], match.id, at)


# How it stands with the rematch of a match: who wants it, who has not answered, who does not.


@dataclass(frozen=True)
class Standing:
    """The newest rematch; ``wants``, ``awaited`` and ``declined`` are seats of the match played."""

    match: UUID
    status: str
    wants: tuple[int, ...]
    awaited: tuple[int, ...]
    declined: tuple[int, ...]

    @property
    def is_open(self) -> bool:
        return self.status == Match.Status.OPEN


def standing_of(match: MatchSnapshot, reader: UUID | None) -> Standing | None:
    """``None`` where nobody wants a rematch, or the reader may not know of it.

    A person is not asked by somebody whom they have blocked.
    """
    if not match.is_over:
        return None
    row = Match.objects.filter(previous=match.id).prefetch_related("seats").order_by("-id").first()
    if row is None or not _may_know(row, reader):
        return None
    seats = list(row.seats.all())
    free = [seat for seat in seats if seat.kind == Seat.Kind.OPEN and seat.invited_id]
    return Standing(
        match=row.id,
        status=row.status,
        wants=_before(seats, [seat for seat in seats if seat.user_id]),
        awaited=_before(seats, [seat for seat in free if not seat.declined]),
        declined=_before(seats, [seat for seat in free if seat.declined]),
    )


def _may_know(row: Match, reader: UUID | None) -> bool:
    match = snapshot_of(row, row.seats.all())
    if not match.is_visible_to(reader) and not _declined(match, reader):
        return False
    if reader is None or row.status != Match.Status.OPEN or not match.is_invited(reader):
        return True
    return invitations_of(reader).filter(id=row.id).exists()


def _declined(match: MatchSnapshot, reader: UUID | None) -> bool:
    return reader is not None and any(seat.invited_id == reader for seat in match.seats)


def _before(seats: list[Seat], which: Iterable[Seat]) -> tuple[int, ...]:
    """The places of these seats in the match that was played: seat 1 has become seat 0."""
    return tuple(sorted((seat.index + 1) % len(seats) for seat in which))
