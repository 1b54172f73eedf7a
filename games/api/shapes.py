"""The JSON that goes in and out (api.md, Games to Records), as structs.

``match_json`` is the one place where a table becomes what its reader may see.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec

from config.api.pagination import PageQuery
from games.models import Match as MatchRow
from games.rules.base import Event, Outcome
from games.selectors import Entry
from games.services.refusals import NotYourSeat
from games.services.seating import SeatWish
from games.table import SeatRow, Table

Status = Literal["open", "active", "finished", "aborted"]
Visibility = Literal["public", "unlisted", "private"]
Version = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
SeatIndex = Annotated[int, msgspec.Meta(ge=0, le=99)]
Key = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request body: unknown fields are refused, since they are most often misspelt ones."""


class NewMatch(Body, frozen=True):
    game: str
    seats: Annotated[list[SeatWish], msgspec.Meta(max_length=32)]
    preset: str | None = None
    options: dict[str, Any] | None = None
    visibility: Visibility = "unlisted"
    turn_seconds: int | None = None


class Join(Body, frozen=True):
    seat: SeatIndex | None = None
    deck: str | None = None


class Nothing(Body, frozen=True):
    pass


class NewMove(Body, frozen=True):
    move: Annotated[str, msgspec.Meta(max_length=400)]
    version: Version
    seat: SeatIndex | None = None


class Resignation(Body, frozen=True):
    seat: SeatIndex | None = None


class Load(Body, frozen=True):
    cards: Literal["same", "reshuffled"]
    round: Version | None = None
    version: Version | None = None


class MatchesQuery(PageQuery, frozen=True):
    game: str = ""
    status: Status | Literal[""] = ""
    mine: bool = False
    joinable: bool = False


class SeatQuery(msgspec.Struct, frozen=True):
    seat: SeatIndex | None = None


class EventsQuery(msgspec.Struct, frozen=True):
    """``limit`` counts versions, so that a version's events always come together."""

    after: Annotated[int, msgspec.Meta(ge=-1, le=2**31 - 1)] = -1
    limit: Annotated[int, msgspec.Meta(ge=1, le=100)] = 25
    seat: SeatIndex | None = None


class SeatJson(msgspec.Struct, frozen=True):
    """``bot`` also names who plays on a seat that resigned."""

    index: int
    kind: Literal["open", "user", "local", "bot"]
    name: str
    points: int
    place: int | None
    is_you: bool
    bot: str | None
    invited: bool
    resigned: bool


class LegalMove(msgspec.Struct, frozen=True):
    move: str
    label: str


class Match(msgspec.Struct, frozen=True):
    """The match as the caller may see it; ``view`` is the game's own and null before the deal."""

    id: UUID
    game: str
    rules_version: int
    options: Any
    status: Status
    version: int
    round: int
    seats: list[SeatJson]
    to_act: list[int]
    your_seats: list[int]
    acting_seat: int | None
    view: Any
    legal_moves: list[LegalMove]
    outcome: Outcome | None
    commitment: str
    seed: str | None
    visibility: Visibility
    turn_seconds: int | None
    deadline_at: datetime | None
    created_at: datetime
    updated_at: datetime
    links: dict[str, str]
    rated: bool
    parent: UUID | None
    parent_version: int | None


class MatchSummary(msgspec.Struct, frozen=True):
    """A match in a list: no view."""

    id: UUID
    game: str
    status: Status
    version: int
    round: int
    seats: list[SeatJson]
    to_act: list[int]
    your_seats: list[int]
    visibility: Visibility
    turn_seconds: int | None
    deadline_at: datetime | None
    created_at: datetime
    updated_at: datetime
    links: dict[str, str]


class MatchList(msgspec.Struct, frozen=True):
    results: list[MatchSummary]
    next: str | None


class Events(msgspec.Struct, frozen=True):
    """``events``: each with ``version``, ``by`` (who moved), ``move``, ``type``, its own fields."""

    version: int
    events: list[dict[str, Any]]


class Save(msgspec.Struct, frozen=True):
    round: int
    version: int
    opened_at: datetime
    closed_at: datetime | None
    scores: list[int] | None


class Seats(msgspec.Struct, frozen=True):
    min: int
    max: int


class BotJson(msgspec.Struct, frozen=True):
    slug: str
    name: str
    summary: str
    level: int
    rated: bool


class GameJson(msgspec.Struct, frozen=True):
    slug: str
    name: str
    summary: str
    rules_url: str
    seats: Seats
    options: dict[str, Any]
    presets: dict[str, Any]
    bots: list[BotJson]


class Verdict(msgspec.Struct, frozen=True, omit_defaults=True):
    """``round`` and ``move`` say where the fault lies: round number, index of the move in it."""

    valid: bool
    round: int | msgspec.UnsetType | None = msgspec.UNSET
    move: int | msgspec.UnsetType | None = msgspec.UNSET
    fault: str | msgspec.UnsetType = msgspec.UNSET


def links(match_id: UUID) -> dict[str, str]:
    here = f"/api/v1/matches/{match_id}"
    calls = ("moves", "events", "stream", "saves", "record")
    return {"self": here, "page": f"/matches/{match_id}"} | {c: f"{here}/{c}" for c in calls}


def match_json(table: Table, user: UUID | None, seat: int | None = None) -> Match:
    """The match for one reader; ``seat`` is one of the reader's, by default the one to act.

    Raises ``NotYourSeat``.
    """
    own = table.seats_of(user)
    if seat is not None and seat not in own:
        raise NotYourSeat
    acting = acting_seat(table, own) if seat is None else seat
    game, dealt = table.game, table.state_json is not None and table.status != "open"
    view = game.view(table.state, acting) if dealt else None
    moves = view.legal_moves if view and table.status == "active" else ()
    return Match(
        id=table.id,
        game=table.slug,
        rules_version=table.rules_version,
        options=table.options,
        status=table.status,  # type: ignore[arg-type]
        version=table.version,
        round=table.round,
        seats=[seat_json(s, is_you=s.index in own, stand_in=game.stand_in) for s in table.seats],
        to_act=list(table.to_act),
        your_seats=list(own),
        acting_seat=acting,
        view=view,
        legal_moves=[LegalMove(m, game.label(m)) for m in moves],
        outcome=table.outcome,
        commitment=table.commitment,
        seed=table.seed.hex() if table.is_over else None,
        visibility=table.visibility,  # type: ignore[arg-type]
        turn_seconds=table.turn_seconds,
        deadline_at=table.deadline_at,
        created_at=table.created_at,
        updated_at=table.updated_at,
        links=links(table.id),
        rated=table.rated,
        parent=table.parent_id,
        parent_version=table.parent_version,
    )


def acting_seat(table: Table, own: Sequence[int]) -> int | None:
    """The reader's seat that is to act, else the reader's first; ``None`` for a spectator."""
    acting = [seat for seat in own if seat in table.to_act]
    return next(iter(acting or own), None)


def seat_json(seat: SeatRow, *, is_you: bool, stand_in: str) -> SeatJson:
    resigned = seat.resigned_at is not None
    return SeatJson(
        index=seat.index,
        kind=seat.kind,  # type: ignore[arg-type]
        name=seat.name,
        points=seat.points,
        place=seat.place,
        is_you=is_you,
        bot=seat.bot or (stand_in if resigned else None),
        invited=seat.invited is not None,
        resigned=resigned,
    )


def summary_json(match: MatchRow, user: UUID | None) -> MatchSummary:
    seats = [
        SeatJson(
            s.index,
            s.kind,  # type: ignore[arg-type]
            s.name,
            s.points,
            s.place,
            user is not None and s.user_id == user,
            s.bot or (match.rules.stand_in if s.resigned_at is not None else None),
            s.invited_id is not None,
            s.resigned_at is not None,
        )
        for s in sorted(match.seats.all(), key=lambda s: s.index)
    ]
    return MatchSummary(
        id=match.id,
        game=match.game,
        status=match.status,  # type: ignore[arg-type]
        version=match.version,
        round=match.round,
        seats=seats,
        to_act=match.to_act,
        your_seats=[seat.index for seat in seats if seat.is_you],
        visibility=match.visibility,  # type: ignore[arg-type]
        turn_seconds=match.turn_seconds,
        deadline_at=match.deadline_at,
        created_at=match.created_at,
        updated_at=match.updated_at,
        links=links(match.id),
    )


def event_json(table: Table, entry: Entry, event: Event, seat: int | None) -> dict[str, Any]:
    """One event in the log's clothes; ``seat`` reads it. Of others' moves only the public part."""
    own = entry.seat is not None and entry.seat == seat
    move = entry.move if own or table.is_over else table.game.public_move(entry.move)
    facts: dict[str, Any] = msgspec.to_builtins(event)
    head = {"version": entry.version, "by": entry.seat, "move": move or None, "seat": entry.seat}
    return head | facts
