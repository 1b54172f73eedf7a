"""Tournaments: listed, created, joined, left, and their results."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Annotated, Any, ClassVar, Final, Literal
from uuid import UUID

import msgspec
from django.http import HttpResponse
from django.utils.translation import gettext
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from msgspec import UNSET, UnsetType

from accounts.api import Username
from accounts.models import User
from config.api.components import deprecated, one_of
from config.api.json import ROOT, PageQuery, Pages
from config.api.operations import Api, IdempotencyKey, Nothing, answer, given
from games.api.lobby import PaceShown, clock_shown, pace_shown, pace_words
from games.api.text import PlainText, lines_of
from games.competitions import organising, selectors, taking_part
from games.competitions.files import TABLE_CONTENT_TYPE, table_of
from games.competitions.models import Entrant, Tournament
from games.competitions.organising import TournamentChange
from games.competitions.selectors import plain_name
from games.competitions.taking_part import MOST_OF_OPERATORS, FormName, NewTournament
from games.matches import refusals as matches
from games.matches.seats import Visibility
from games.matches.time_bank import ClockTerms
from games.mirrored import results as mirrored

api = Api("tournaments")


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
    visibility: Visibility
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
    status: Literal["joined", "withdrawn", "removed"]
    state: Annotated[Literal["joined", "withdrawn", "removed"], deprecated("status")]


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
    return answer(
        TournamentJson,
        row,
        preset=row.preset or None,
        options=row.options_sent,
        visibility=row.seen_by,
        pace=pace_shown(row.pace),
        players=players,
        ending=row.ending or None,
        is_paused=row.paused_at is not None,
        you=entrant.state if entrant else None,
        your_match=match,
        links=links,
        mirrored=row.pairs is not None,
        clock=clock_shown(row.pace),
        pairs=_pairs(row),
    )


def _pairs(row: Tournament) -> int | UnsetType:
    return UNSET if row.pairs is None else row.pairs


def _player(row: Tournament, one: Entrant) -> Player:
    username, bot = one.account.username if one.account else None, one.bot or None
    name = plain_name(row, one)
    named = {"number": one.number or 0, "name": name, "username": username, "bot": bot}
    return answer(Player, one, status=one.state, **named)


def _boards(sheet: selectors.Sheet) -> Iterable[BoardJson]:
    for board in sheet.boards:
        value = sheet.value(board)
        points = None
        if value.points is not None:
            points = [each / 2 for each, _ in zip(value.points, value.entrants, strict=False)]
        yield answer(
            BoardJson,
            board,
            board=board.number,
            first=value.first,
            second=value.second,
            result=board.result or None,
            points=points,
            matches=[one.match_id for one in board.matches.all()],
        )


class TournamentFilter(PageQuery, frozen=True):
    """``mine``: those that you hold, take part in or are invited to."""

    game: str = ""
    status: Literal["announced", "running", "finished", "aborted", ""] = ""
    mine: bool = False


@api.get("tournaments", scope=None, plain_text=PlainText, a_second_old=True)
def tournaments(user: User | None, query: TournamentFilter, page: Pages) -> TournamentList:
    """List tournaments

    Public ones and your own, the newest first.
    """
    rows = selectors.listed_for(user.pk if user else None, mine=query.mine)
    if query.game:
        rows = rows.filter(game=query.game)
    if query.status:
        rows = rows.filter(status=query.status)
    shown, following = page(rows)
    counts = selectors.counts_of(shown)
    return TournamentList(
        [tournament_response(row, counts.get(row.id, 0)) for row in shown], following
    )


@api.post(
    "tournaments",
    creates="tournaments/{0.id}",
    refuses=[
        *(matches.UnknownGame, matches.BadOptions, selectors.BadTournament),
        *(selectors.TooManyTournaments, mirrored.CannotBeMirrored),
    ],
)
def create_tournament(user: User, body: NewTournament, key: IdempotencyKey) -> TournamentJson:
    """Create a tournament

    Announces it. You join it by a call of its own, and change it until it begins.

    An account may have two that are not over, for up to 64 players (a round robin 16), with up
    to 16 computers; operators have no limits. The same `Idempotency-Key` again gives the
    tournament that it made.
    """
    row = taking_part.create_tournament(creator=user, terms=body, key=key)
    return _answer(row.id, user)


@api.get(
    "tournaments/<uuid:tournament_id>",
    scope=None,
    plain_text=PlainText,
    refuses=[selectors.NoSuchTournament],
)
def tournament(user: User | None, tournament_id: UUID) -> TournamentJson:
    """Read a tournament

    How far it is, and the match that you are to play now.
    """
    return _answer(tournament_id, user)


@api.post(
    "tournaments/<uuid:tournament_id>/join",
    body=Nothing,
    refuses=[
        *(selectors.NoSuchTournament, selectors.TooLateToJoin, selectors.TournamentIsFull),
        *(selectors.TournamentIsOver, matches.BadDeck, matches.GameNotInstalled),
    ],
)
def join_tournament(user: User, tournament_id: UUID) -> TournamentJson:
    """Take part in a tournament

    Again is no error. A Swiss takes late players in its first half, an arena to its end.
    """
    taking_part.join(tournament_id=tournament_id, user=user)
    return _answer(tournament_id, user)


@api.post(
    "tournaments/<uuid:tournament_id>/withdraw",
    body=Nothing,
    refuses=[*(selectors.NoSuchTournament, selectors.NotTakingPart, selectors.TournamentIsOver)],
)
def withdraw_from_tournament(user: User, tournament_id: UUID) -> TournamentJson:
    """Take part in a tournament no more

    Your match that runs is lost, and your opponents to come win without playing.
    """
    row = taking_part.withdraw(tournament_id=tournament_id, user=user)
    return _response(row, user)


# By its host, or an operator with the right.


class TournamentInvitation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    username: Username


class TournamentRemoval(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A person by ``username``, or anybody by the starting ``number``."""

    bounds: ClassVar = one_of("username", "number")

    username: Username | UnsetType = UNSET
    number: Annotated[int, msgspec.Meta(ge=1, le=MOST_OF_OPERATORS)] | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.username is UNSET) == (self.number is UNSET):
            raise ValueError("Give one of `username` and `number`")


BY_ITS_HOST: Final = (selectors.NoSuchTournament, selectors.TournamentIsOver)


@api.patch(
    "tournaments/<uuid:tournament_id>",
    refuses=[*BY_ITS_HOST, selectors.AlreadyBegun, selectors.BadTournament],
)
def change_tournament(user: User, body: TournamentChange, tournament_id: UUID) -> TournamentJson:
    """Change a tournament

    By its host: its name, and until it begins when it does, its places and rounds, and who sees it.

    The game, its options, the form, the pace and whether it is rated stay as they were announced.
    Those who take part or are invited are told of each act by their stream (`tournament`).
    """
    return _response(organising.change(tournament_id=tournament_id, user=user, **given(body)), user)


@api.post(
    "tournaments/<uuid:tournament_id>/invite",
    refuses=[
        *BY_ITS_HOST,
        *(selectors.TournamentIsFull, matches.UnknownUser, matches.BadSeats),
    ],
)
def invite_to_tournament(
    user: User, body: TournamentInvitation, tournament_id: UUID
) -> TournamentJson:
    """Invite a person to a tournament

    By its host: this person can see and join it, also a private one. Again is no error.
    """
    row = taking_part.invite(tournament_id=tournament_id, user=user, username=body.username)
    return _response(row, user)


@api.post(
    "tournaments/<uuid:tournament_id>/remove", refuses=[*BY_ITS_HOST, selectors.NotAmongPlayers]
)
def remove_from_tournament(
    user: User, body: TournamentRemoval, tournament_id: UUID
) -> TournamentJson:
    """Remove a player from a tournament

    By its host, who does not play in it once it has begun. The player's match that runs is lost,
    and the opponents to come win without playing.
    """
    row = organising.remove(tournament_id=tournament_id, user=user, **given(body))
    return _response(row, user)


@api.post(
    "tournaments/<uuid:tournament_id>/begin",
    body=Nothing,
    refuses=[selectors.NoSuchTournament, selectors.AlreadyBegun, selectors.BadTournament],
)
def begin_tournament(user: User, tournament_id: UUID) -> TournamentJson:
    """Begin a tournament now

    By its host, as soon as two take part. A moment later it is `running`.
    """
    return _response(taking_part.begin(tournament_id=tournament_id, user=user), user)


@api.post("tournaments/<uuid:tournament_id>/pause", body=Nothing, refuses=BY_ITS_HOST)
def pause_tournament(user: User, tournament_id: UUID) -> TournamentJson:
    """Pause a tournament

    By its host: nothing is paired until it goes on, and matches that run are played on. Again is
    no error.
    """
    return _response(organising.pause(tournament_id=tournament_id, user=user), user)


@api.post("tournaments/<uuid:tournament_id>/resume", body=Nothing, refuses=BY_ITS_HOST)
def resume_tournament(user: User, tournament_id: UUID) -> TournamentJson:
    """Let a tournament go on

    By its host. The present round has as much time left as it had. Again is no error.
    """
    return _response(organising.resume(tournament_id=tournament_id, user=user), user)


@api.post(
    "tournaments/<uuid:tournament_id>/call-off",
    body=Nothing,
    refuses=[selectors.NoSuchTournament, selectors.AlreadyBegun],
)
def call_off_tournament(user: User, tournament_id: UUID) -> TournamentJson:
    """Call a tournament off

    By its host, before it begins; afterwards operators can.
    """
    return _response(taking_part.call_off(tournament_id=tournament_id, user=user), user)


def _answer(tournament_id: UUID, user: User | None) -> TournamentJson:
    return _response(selectors.find(tournament_id, user.pk if user else None), user)


def _response(row: Tournament, user: User | None) -> TournamentJson:
    entrant = selectors.entrant_of(row, user.pk if user else None)
    match = selectors.current_match(row, user.pk) if user and entrant else None
    players = selectors.counts_of([row]).get(row.id, 0)
    return tournament_response(row, players, entrant, match)


@api.get(
    "tournaments/<uuid:tournament_id>/results",
    scope=None,
    plain_text=PlainText,
    refuses=[selectors.NoSuchTournament],
)
def tournament_results(reader: UUID | None, tournament_id: UUID) -> TournamentResults:
    """Read the results of a tournament

    Its players, the boards of every round with their matches, and the standings.

    Tie-breaks: Buchholz is the sum of the points of one's opponents, Sonneborn-Berger that of
    those whom one beat and half that of those with whom one drew, direct encounter the points
    among those who are level, if all of them have met. A bye or a walkover counts as met by
    oneself.
    """
    sheet = _sheet(reader, tournament_id)
    row = sheet.tournament
    return answer(
        TournamentResults,
        row,
        tournament=row.id,
        players=[_player(row, one) for _, one in sorted(sheet.numbered.items())],
        standings=[
            answer(
                StandingLine,
                line,
                number=line.entrant,
                points=line.shown_points,
                ties=line.shown_ties,
            )
            for line in sheet.lines
        ],
        boards=list(_boards(sheet)),
        pairs=_pairs(row),
    )


@api.get(
    "tournaments/<uuid:tournament_id>/results.csv",
    scope=None,
    refuses=[selectors.NoSuchTournament],
)
def tournament_table(
    reader: UUID | None, tournament_id: UUID
) -> Annotated[HttpResponse, {(200, "text/csv"): OpenApiResponse(OpenApiTypes.STR)}]:
    """Download the standings of a tournament as CSV

    A line for each player with every board, as a crosstable of rounds.
    """
    return HttpResponse(table_of(_sheet(reader, tournament_id)), content_type=TABLE_CONTENT_TYPE)


def _sheet(reader: UUID | None, tournament_id: UUID) -> selectors.Sheet:
    return selectors.whole_sheet_of(selectors.find(tournament_id, reader))


@lines_of.register
def _(tournament: TournamentJson, _names: Sequence[str]) -> Iterator[str]:
    yield _tournament_line(tournament)
    if tournament.your_match is not None:
        yield gettext("Match {id}").format(id=tournament.your_match)


@lines_of.register
def _(tournament_list: TournamentList, _names: Sequence[str]) -> Iterator[str]:
    yield from map(_tournament_line, tournament_list.results)
    if not tournament_list.results:
        yield gettext("No tournaments.")


@lines_of.register
def _(results: TournamentResults, _names: Sequence[str]) -> Iterator[str]:
    names = {player.number: player.name for player in results.players}
    yield f"{results.tournament}  {results.name}: {gettext(results.status)}."
    for line in results.standings:
        yield f"{line.place}. {names[line.number]}: {line.points:g}"
    for board in results.boards:
        other = "-" if board.second is None else names[board.second]
        points = "" if board.points is None else ":".join(f"{each:g}" for each in board.points)
        yield f"{board.round}.{board.board}  {names[board.first]} - {other}  {points}".rstrip()


def _tournament_line(row: TournamentJson) -> str:
    at = row.starts_at.strftime("%Y-%m-%d %H:%M UTC")
    pace = pace_words(row.pace, row.clock)
    form = row.form.replace("_", " ") + (", mirrored" if row.mirrored else "")
    facts = f"{row.game}, {form}, {pace}, {row.players}/{row.most}, {at}"
    return f"{row.id}  {row.name} ({facts}): {gettext(row.status)}."
