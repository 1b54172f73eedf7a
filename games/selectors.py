"""Reads. ``find`` is the one SELECT of the move path: key, user, match, seats and answered key."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any
from uuid import UUID

import msgspec
from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet
from psycopg import pq

from games.models import Match, Ply, Round, Seat
from games.rules.base import Deck, Event, Happened, State
from games.rules.resigning import RESIGN
from games.rules.shuffles import Stacked
from games.table import SeatRow, Table

_COLUMNS = """
    id game rules_version options status visibility creator_id rated version round to_act state
    outcome seed commitment shuffles_used turn_seconds deadline_at bot_due_at parent_id
    parent_version loaded previous_id created_at updated_at started_at finished_at
""".split()  # noqa: SIM905 - in the order of Table's fields

_TABLE = f"""
SELECT {", ".join(f"m.{column}" for column in _COLUMNS)},
    (SELECT json_agg(json_build_array(s.index, s.kind, s.user_id, s.invited_id, s.bot, s.name,
        s.side_deck, s.points, s.place, s.resigned_at, s.timed_out) ORDER BY s.index)::text
        FROM games_seat s WHERE s.match_id = m.id),
    u.id, p.version
FROM games_match m
LEFT JOIN accounts_key k ON k.digest = %s AND (k.expires_at IS NULL OR k.expires_at > now())
LEFT JOIN accounts_user u ON u.id = coalesce(k.user_id, %s) AND u.is_active
LEFT JOIN games_ply p ON p.match_id = m.id AND p.key = %s AND p.seat IN (
    SELECT s.index FROM games_seat s WHERE s.match_id = m.id AND s.user_id = u.id)
WHERE m.id = %s
"""  # noqa: S608 - the names are our own

_seats = msgspec.json.Decoder(tuple[SeatRow, ...])
_decks = msgspec.json.Decoder(tuple[Deck, ...])


@dataclass(frozen=True)
class Caller:
    """Who asks: a signed-in user, the digest of a key still to be looked up, or nobody."""

    user: UUID | None = None
    digest: str | None = None


@dataclass(frozen=True)
class Found:
    """A table as a caller found it: who the caller is and which version the key made, if any."""

    table: Table
    user: UUID | None
    answered: int | None


def find(match_id: UUID, caller: Caller, key: str | None = None) -> Found | None:
    """The match for a caller in one SELECT, ``None`` if there is no such match.

    With a digest the key is looked up in the same statement; ``Found.user`` is then its owner, or
    ``None`` for a key that is unknown, expired or whose user is not active.
    """
    with connection.cursor() as cursor:
        cursor.cursor.format = pq.Format.BINARY
        cursor.execute(_TABLE, [caller.digest, caller.user, key, match_id])
        row = cursor.fetchone()
    if row is None:
        return None
    *columns, user, answered = row
    columns[-1] = _seats.decode(columns[-1] or "[]")
    return Found(Table(*columns), user, answered)


def table(match_id: UUID) -> Table:
    """The match for the service itself; ``Match.DoesNotExist``."""
    found = find(match_id, Caller())
    if found is None:
        raise Match.DoesNotExist(match_id)
    return found.table


@dataclass(frozen=True)
class Entry:
    """A ply of the log with its events decoded, secrets included."""

    version: int
    seat: int | None
    move: str
    events: tuple[Event, ...]
    decks: tuple[Deck, ...]
    at: datetime


def log(table: Table, *, after: int = -1, until: int | None = None) -> Iterator[Entry]:
    """The plies with ``after < version <= until`` in order."""
    plies = Ply.objects.filter(match_id=table.id, version__gt=after).order_by("version")
    if until is not None:
        plies = plies.filter(version__lte=until)
    rows = plies.values_list("version", "seat", "move", "events", "decks", "at")
    for version, seat, move, events, decks, at in rows:
        happened = table.game.decode_events(bytes(events))
        yield Entry(version, seat, move, happened, _decks.decode(decks) if decks else (), at)


def seen(table: Table, entry: Entry, seat: int | None) -> list[Event]:
    """A ply's events as a seat may know them.

    Before a re-dealing load only the loading player's seats know what they were dealt: the others'
    cards of that time are dealt anew, so they read the past as a spectator does.
    """
    loaded = table.loaded
    if loaded and loaded.reshuffled and entry.version <= (table.parent_version or 0):
        seat = seat if seat in loaded.seats else None
    return [event.seen_by(seat) for event in entry.events]


def remembered(table: Table, seat: int, remembers: str) -> list[Event]:
    """The events a bot at this seat may remember, at least as far back as ``Bot.remembers``."""
    after = -1
    if remembers == "round":
        opening = Round.objects.get(match_id=table.id, number=table.round).opening_version
        after = opening - 1
    return list(chain.from_iterable(seen(table, entry, seat) for entry in log(table, after=after)))


def state_at(table: Table, version: int) -> State:
    """The state after ``version`` plies, by replaying the round it lies in."""
    if version == table.version:
        return table.state
    *_, (_, state) = _replayed(table, version)
    return state


def _replayed(table: Table, version: int) -> Iterator[tuple[datetime | None, State]]:
    """The states of a round up to a version, each with the time since when it stood."""
    state, since, at = _opening(table, version)
    yield at, state
    for entry in log(table, after=since, until=version):
        if entry.move != RESIGN:
            decks = [[table.game.card_text(card) for card in deck] for deck in entry.decks]
            shuffle = Stacked(decks, table.game.card_text)
            state = table.game.play(state, entry.seat or 0, entry.move, shuffle).state
        yield entry.at, state


def table_at(table: Table, version: int) -> Table:
    """The match as it was after ``version`` plies, as far as it is not over since."""
    if version == table.version:
        return table
    replayed = list(_replayed(table, version))
    at, state = replayed[-1]
    number, points = standing_at(table, version)
    then = table.moved(
        state=state,
        outcome=None,
        status="active",
        version=version,
        round=number,
        to_act=list(table.game.to_act(state)),
        seats=tuple(_seat_at(table, seat, version, points) for seat in table.seats),
        updated_at=at or table.updated_at,
        finished_at=None,
        bot_due_at=None,
    )
    since = _waited_since(then, replayed)
    return then.moved(deadline_at=then.first_deadline(since) if since else None)


def standing_at(table: Table, version: int) -> tuple[int, list[int]]:
    """The round that a version lies in and the points of every side before that round."""
    opened = Round.objects.filter(match_id=table.id, opening_version__lte=version)
    *closed, running = opened.order_by("number").values_list("number", "scores")
    rounds = [scores or [] for _, scores in closed]
    return running[0], [sum(scores[n] for scores in rounds) for n in range(len(table.sides))]


def _waited_since(
    table: Table, replayed: Sequence[tuple[datetime | None, State]]
) -> datetime | None:
    """When the time of those to act began; seats that act at once share theirs."""
    since: datetime | None = None
    before: set[int] = set()
    for at, state in replayed:
        acting = set(table.game.to_act(state))
        if len(before) <= 1 or not acting <= before:
            since = at
        before = acting
    return since


def _seat_at(table: Table, seat: SeatRow, version: int, points: Sequence[int]) -> SeatRow:
    side = next(n for n, side in enumerate(table.sides) if seat.index in side)
    gone = seat.resigned_at is not None and seat.resigned_at <= version
    return msgspec.structs.replace(
        seat,
        points=points[side],
        place=None,
        resigned_at=seat.resigned_at if gone else None,
        timed_out=seat.timed_out and gone,
    )


def _opening(table: Table, version: int) -> tuple[State, int, datetime | None]:
    """The nearest stored state at or before a version, that state's version and time."""
    opened, since, at = (
        Round.objects.filter(match_id=table.id, opening_version__lte=version)
        .order_by("-opening_version")
        .values_list("opening_state", "opening_version", "opened_at")[0]
    )
    begun = table.parent_version or 0
    if table.loaded and since <= begun <= version:
        return table.game.decode_state(table.loaded.state.encode()), begun, table.started_at
    return table.game.decode_state(bytes(opened)), since, at if since else table.started_at


def history(table: Table, until: int) -> list[Happened]:
    """Every step up to a version, with the decks it consumed (``Game.redeal``)."""
    rounds = list(
        Round.objects.filter(match_id=table.id, opening_version__lte=until).order_by("number")
    )
    opened = {round_.opening_version: round_ for round_ in rounds}
    steps, number = [], 0
    for entry in log(table, until=until):
        decks = entry.decks
        if entry.version in opened:
            number = opened[entry.version].number
            decks += _decks.decode(opened[entry.version].decks)
        steps.append(Happened(number, decks, entry.events))
    return steps


def matches(*, user: UUID | None, mine: bool = False, joinable: bool = False) -> QuerySet[Match]:
    """The matches a user may find, newest first: the own ones, public ones and invitations."""
    own = Exists(Seat.objects.filter(match=OuterRef("pk"), user=user))
    invited = Exists(Seat.objects.filter(match=OuterRef("pk"), invited=user))
    found = Match.objects.defer("state", "loaded").prefetch_related("seats").order_by("-id")
    if mine:
        return found.filter(own | invited | Q(creator=user)) if user else found.none()
    visible = Q(visibility=Match.Visibility.PUBLIC)
    if user:
        visible |= Q(own) | Q(invited) | Q(creator=user)
    if not joinable:
        return found.filter(visible)
    free = Exists(Seat.objects.filter(match=OuterRef("pk"), kind="open", invited=None))
    open_to = Q(free) | Q(invited) if user else Q(free)
    return found.filter(visible, open_to, status=Match.Status.OPEN)


def rounds(table: Table) -> QuerySet[Round]:
    """The saved points, newest first, without their states."""
    return (
        Round.objects.filter(match_id=table.id).defer("opening_state", "decks").order_by("-number")
    )


def decks_of(round_decks: bytes) -> tuple[Deck, ...]:
    return _decks.decode(round_decks)


def closed_scores(table: Table) -> Sequence[Any]:
    """The scores of the finished rounds in order, one number a side each."""
    found = Round.objects.filter(match_id=table.id, scores__isnull=False).order_by("number")
    return list(found.values_list("scores", flat=True))
