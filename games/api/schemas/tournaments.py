"""Bodies and answers of tournaments."""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from config.api.answers import ROOT
from games.api.schemas.fields import Body
from games.api.schemas.match_requests import ClockTerms
from games.api.schemas.seeks import PaceName, PaceShown, clock_shown, pace_shown
from games.competitions import selectors
from games.competitions.models import Board, Entrant, Tournament
from games.competitions.names import plain_name
from games.competitions.rules.standings import ARENA, KNOCKOUT, Line
from games.competitions.running.creating import Terms
from games.lobby.paces import clock_pace
from games.mirrored.order import LEAST_PAIRS, MOST_PAIRS

FormName = Literal["swiss", "round_robin", "knockout", "arena"]
Who = Literal["public", "link", "private"]


class NewTournament(Body, frozen=True):
    """The terms of a tournament, of which nothing can be changed later.

    ``minutes`` are those of an arena, ``rounds`` those of a Swiss; ``round_minutes``: after these
    a round is decided. ``mirrored``: each board is a set of ``pairs`` (3 without) of matches with
    the same deals and the sides swapped, and its result that of the set. Computers come in until
    there are ``fill_to`` players. Without ``starts_at`` it begins at once.
    """

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    game: Annotated[str, msgspec.Meta(max_length=32)]
    form: FormName = "swiss"
    pace: PaceName = "normal"
    clock: ClockTerms | None = None
    preset: Annotated[str, msgspec.Meta(max_length=64)] | None = None
    options: dict[str, Any] | None = None
    visibility: Who = "public"
    rated: bool = True
    mirrored: bool = False
    pairs: Annotated[int, msgspec.Meta(ge=LEAST_PAIRS, le=MOST_PAIRS)] | None = None
    rounds: Annotated[int, msgspec.Meta(ge=1, le=15)] | None = None
    minutes: Annotated[int, msgspec.Meta(ge=1, le=180)] | None = None
    round_minutes: Annotated[int, msgspec.Meta(ge=1, le=86400)] | None = None
    most: Annotated[int, msgspec.Meta(ge=2, le=1024)] = 16
    fill_to: Annotated[int, msgspec.Meta(ge=0, le=1024)] = 0
    starts_at: Annotated[datetime, msgspec.Meta(tz=True)] | None = None

    @property
    def terms(self) -> Terms:
        values = {name: getattr(self, name) for name in self.__struct_fields__ if name != "clock"}
        if self.clock is not None:
            values["pace"] = clock_pace(self.clock.clock).slug
        return Terms(**values)


class TournamentJson(msgspec.Struct, frozen=True):
    """``round`` is the last one paired, of ``rounds``; in an arena the number of boards so far.

    ``you`` is how the caller takes part, ``your_match`` the one to play now. ``ending`` says why a
    tournament was called off. ``pairs`` are there in a mirrored one: of each board's set.
    """

    id: UUID
    name: str
    form: FormName
    game: str
    preset: str | None
    options: Any
    pace: PaceShown
    visibility: Who
    rated: bool
    rounds: int | None
    minutes: int | None
    round_minutes: int
    most: int
    fill_to: int
    players: int
    status: Literal["announced", "running", "finished", "aborted"]
    ending: Literal["too_few", "creator", "operator"] | None
    is_paused: bool
    round: int
    version: int
    you: Literal["invited", "joined", "withdrawn", "removed"] | None
    your_match: UUID | None
    starts_at: datetime
    begun_at: datetime | None
    ended_at: datetime | None
    links: dict[str, str]
    mirrored: bool
    clock: ClockTerms | UnsetType = UNSET
    pairs: int | UnsetType = UNSET


class TournamentList(msgspec.Struct, frozen=True):
    results: list[TournamentJson]
    next: str | None


class Player(msgspec.Struct, frozen=True):
    """``number`` is the starting number; ``username`` is null for computers, ``bot`` for people."""

    number: int
    name: str
    username: str | None
    bot: str | None
    state: Literal["joined", "withdrawn", "removed"]


class StandingLine(msgspec.Struct, frozen=True):
    """``points`` with halves; in an arena with streaks, in a knockout the rounds one came through.

    ``ties`` are the tie-breaks by name, in the order in which they decide.
    """

    place: int
    number: int
    points: float
    won: int
    drawn: int
    lost: int
    ties: dict[str, float]


class BoardJson(msgspec.Struct, frozen=True):
    """``first`` and ``second`` are starting numbers, ``points`` theirs; none while it is played.

    ``matches`` are in their order; in the first one ``first`` has seat 0, then the seats change. A
    mirrored set is several matches: its first ones are here while it runs, with no points.
    """

    round: int
    board: int
    first: int
    second: int | None
    result: Literal["played", "bye", "walkover", "called_off"] | None
    points: list[float] | None
    matches: list[UUID]
    decided_at: datetime | None


class TournamentResults(msgspec.Struct, frozen=True):
    """All that standings are counted from, and the standings.

    With ``pairs`` each board is a mirrored set, the last twice as many of its ``matches``.
    """

    tournament: UUID
    name: str
    form: FormName
    status: Literal["announced", "running", "finished", "aborted"]
    players: list[Player]
    standings: list[StandingLine]
    boards: list[BoardJson]
    pairs: int | UnsetType = UNSET


def tournament_response(
    row: Tournament, players: int, entrant: Entrant | None = None, match: UUID | None = None
) -> TournamentJson:
    here = f"{ROOT}tournaments/{row.id}"
    links = {"self": here, "results": f"{here}/results"}
    if match is not None:
        links["your_match"] = f"{ROOT}matches/{match}"
    return TournamentJson(
        id=row.id,
        name=row.name,
        form=row.form,  # type: ignore[arg-type]
        game=row.game,
        preset=row.preset or None,
        options=row.options_sent,
        pace=pace_shown(row.pace),
        visibility=row.visibility,  # type: ignore[arg-type]
        rated=row.rated,
        rounds=row.rounds,
        minutes=row.minutes,
        round_minutes=row.round_minutes,
        most=row.most,
        fill_to=row.fill_to,
        players=players,
        status=row.status,  # type: ignore[arg-type]
        ending=row.ending or None,  # type: ignore[arg-type]
        is_paused=row.paused_at is not None,
        round=row.round,
        version=row.version,
        you=entrant.state if entrant else None,  # type: ignore[arg-type]
        your_match=match,
        starts_at=row.starts_at,
        begun_at=row.begun_at,
        ended_at=row.ended_at,
        links=links,
        mirrored=row.pairs is not None,
        clock=clock_shown(row.pace),
        pairs=_pairs(row),
    )


def results_response(sheet: selectors.Sheet) -> TournamentResults:
    row = sheet.tournament
    return TournamentResults(
        tournament=row.id,
        name=row.name,
        form=row.form,  # type: ignore[arg-type]
        status=row.status,  # type: ignore[arg-type]
        players=[_player(row, one) for _, one in sorted(sheet.numbered.items())],
        standings=[_line(row.form, line) for line in sheet.lines],
        boards=list(_boards(sheet)),
        pairs=_pairs(row),
    )


def _pairs(row: Tournament) -> int | UnsetType:
    return UNSET if row.pairs is None else row.pairs


def _player(row: Tournament, one: Entrant) -> Player:
    username = one.account.username if one.account else None
    return Player(one.number or 0, plain_name(row, one), username, one.bot or None, one.state)  # type: ignore[arg-type]


def _line(form: str, line: Line) -> StandingLine:
    halves = 1 if form in (ARENA, KNOCKOUT) else 2
    parts = {"buchholz": 2, "direct": 2, "sonneborn_berger": 4}
    ties = {name: value / parts.get(name, 1) for name, value in line.ties.items()}
    points = line.points / halves
    return StandingLine(line.place, line.entrant, points, line.won, line.drawn, line.lost, ties)


def _boards(sheet: selectors.Sheet) -> Iterable[BoardJson]:
    for board in sheet.boards:
        value = sheet.value(board)
        points = None
        if value.points is not None:
            points = [each / 2 for each, _ in zip(value.points, value.entrants, strict=False)]
        yield BoardJson(
            round=board.round,
            board=board.number,
            first=value.first,
            second=value.second,
            result=_result(board),
            points=points,
            matches=[one.match_id for one in board.matches.all()],
            decided_at=board.decided_at,
        )


def _result(board: Board) -> Any:
    return board.result or None
