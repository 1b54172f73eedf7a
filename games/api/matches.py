"""Matches: lists, the match itself, its events and saves, what its table shows."""

from datetime import date, datetime
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from django.db.models import QuerySet
from msgspec.structs import asdict, replace
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from cardroom.rules.course import match_shape
from config.api.json import Page, page, page_after
from config.api.operations import Api, answer, header_parameters, response_header
from games.absent import GameNotInstalled, check_installed
from games.api.authentication import (
    DEFERRED,
    RequestsByKey,
    anybody_or_key,
    visible,
    visible_by_key,
)
from games.api.bodies import Events, EventsQuery, MatchesQuery, NewMatch, SeatQuery
from games.api.match_answers import (
    TOO_MANY_MATCHES,
    MatchAnswer,
    MatchList,
    Notice,
    Save,
    Shape,
    is_known,
    match_answer,
    summary_response,
)
from games.api.match_answers import (
    Match as MatchJson,
)
from games.api.text import PlainText, with_names
from games.guests import with_names as with_guests
from games.lobby.finding import watchers_of
from games.matches import refusals as matches_refusals
from games.matches.models import Match, Round
from games.matches.resting import resting_at
from games.matches.selectors import lists
from games.matches.selectors.history import as_listed
from games.matches.selectors.log import log_entries, plain_events
from games.matches.selectors.secrecy import may_tell_all
from games.mirrored import results
from games.mirrored.opening import open_asked
from games.mirrored.results import PairResult, SetResult, Standing, standing_of

# Open to everybody: who may see a match is said by the match.
api = Api("watching")


@api.get("matches", plain_text=PlainText, a_second_old=True)
def matches(request: Request, reader: UUID | None, query: MatchesQuery) -> MatchList:
    """List matches

    The matches you may find, newest first, without views; without a key the public ones.
    """
    rows, next_page = _page(query, reader, request)
    counts = watchers_of([match.id for match in rows if match.status == "active"])
    listed = as_listed(rows, reader)
    summaries = [summary_response(match, reader, counts.get(match.id)) for match in listed]
    return MatchList(summaries, next_page)


@api.post(
    "matches",
    tag="playing",
    refuses=[
        *(matches_refusals.UnknownGame, matches_refusals.UnknownBot, matches_refusals.UnknownUser),
        *(matches_refusals.UnknownDeck, matches_refusals.BadOptions, matches_refusals.BadSeats),
        *(matches_refusals.BadDeck, matches_refusals.CannotBeRated),
        *(results.CannotBeMirrored, matches_refusals.TooManyBotMatches),
        *TOO_MANY_MATCHES,
        matches_refusals.GameNotInstalled,
    ],
    status=201,
)
def create_match(user: User, body: NewMatch) -> MatchAnswer:
    """Open a match

    Opens a match; it starts by itself as soon as every seat is taken.
    """
    match = open_asked(creator=user, **asdict(body) | {"seats": with_guests(body.seats)})
    return match_answer(match, user.pk, status=201)


def _page(query: MatchesQuery, user: UUID | None, request: Request) -> Page[Match]:
    if query.joinable and not query.mine:
        return page(_joinable(query, user).select_related("creator"), request)
    sought = lists.Sought(game=query.game, statuses=[query.status] if query.status else [])

    def newest(before: UUID | None, most: int) -> QuerySet[Match]:
        wanted = replace(sought, before=before)
        if not query.mine:
            return lists.newest_for(user, wanted, most=most).select_related("creator")
        mine = lists.newest_of(user, wanted, most=most) if user else Match.objects.none()
        return mine.select_related("creator")

    return page_after(newest, Match, request)


def _joinable(query: MatchesQuery, user: UUID | None) -> QuerySet[Match]:
    matches = lists.find_matches(user=user, joinable=True)
    if query.game:
        matches = matches.filter(game=query.game)
    return matches.filter(status=query.status) if query.status else matches


@api.get(
    "matches/<uuid:match_id>",
    name="games.api.matches.matches.MatchDetail",  # which dashboards ask for
    tag="playing",
    plain_text=PlainText,
    authentication_classes=DEFERRED,  # `visible_by_key` looks the caller up
    throttle_classes=(RequestsByKey,),
    auth=anybody_or_key("read"),
    refuses=[matches_refusals.NotYourSeat, matches_refusals.GameNotInstalled],
    parameters=[
        *header_parameters(If_None_Match={}),
        response_header(
            "ETag", "Names this state of the match for this reader and seat.", 200, 304
        ),
    ],
)
def match(
    request: Request, query: SeatQuery, match_id: UUID
) -> Annotated[Response, {200: MatchJson, 304: None}]:
    """Read a match

    The match as you may see it; a watcher needs no key.

    ``If-None-Match`` with the last ``ETag``: 304.
    """
    match, user = visible_by_key(match_id, request)
    body = match_answer(match, user, query.seat)
    if is_known(body["ETag"], request.headers.get("If-None-Match", "")):
        return Response(status=304, headers={"ETag": body["ETag"]})
    return body


@api.get(
    "matches/<uuid:match_id>/events",
    plain_text=PlainText,
    refuses=[matches_refusals.NotYourSeat, matches_refusals.GameNotInstalled],
)
def events(reader: UUID | None, query: EventsQuery, match_id: UUID) -> Annotated[Response, Events]:
    """List what happened

    What happened after a version, as you may know it.
    """
    match = visible(match_id, reader)
    check_installed(match.rules)
    if query.seat is not None and query.seat not in match.seats_of(reader):
        raise matches_refusals.NotYourSeat
    seat = match.acting_seat(reader) if query.seat is None else query.seat
    shows_all = match.is_over and may_tell_all(match, reader)
    entries = log_entries(
        match, after=query.after, until=min(match.version, query.after + query.limit)
    )
    happened = plain_events(match, entries, seat, shows_all=shows_all)
    return with_names(Events(match.game, match.version, happened), match.names)


@api.get("matches/<uuid:match_id>/saves")
def saves(reader: UUID | None, match_id: UUID) -> list[Save]:
    """List the saved points

    Every saved point, newest first: the openings of the rounds.
    """
    match = visible(match_id, reader)
    rounds = [one for one in lists.rounds_of(match) if one.opening_version <= match.version]
    return [_save(one, is_closed=lists.is_closed(one, match)) for one in rounds]


def _save(r: Round, *, is_closed: bool) -> Save:
    """A watcher who sees the match later does not learn how a round ends before it does."""
    closed_at, scores = (r.closed_at, r.scores) if is_closed else (None, None)
    return Save(r.number, r.opening_version, r.opened_at, closed_at, scores)


@api.get("matches/<uuid:match_id>/shape", refuses=[matches_refusals.GameNotInstalled])
def shape(reader: UUID | None, match_id: UUID) -> Shape:
    """Read how it went

    The sides that led after each round, how often that changed, the sides at match point.
    """
    match = visible(match_id, reader)
    check_installed(match.rules)
    went = match_shape(match.rules, match.options, lists.scores_at(match))
    match_point = [] if match.is_over else list(went.match_point)
    return answer(Shape, went, match_point=match_point, rounds=list(went.rounds))


@api.get("matches/<uuid:match_id>/notices")
def notices(reader: UUID | None, match_id: UUID) -> list[Notice]:
    """List the notices of operators

    What the operators told the players of this match, newest first.
    """
    return [answer(Notice, notice) for notice in lists.notices_of(visible(match_id, reader))]


class SeatHoliday(msgspec.Struct, frozen=True):
    """Both days belong to it; the moments are where they begin and end for the person."""

    first_day: date
    last_day: date
    starts_at: datetime
    ends_at: datetime


class SeatHours(msgspec.Struct, frozen=True):
    """``quiet_from`` and ``quiet_until`` as the clock shows it in ``time_zone``; null: none."""

    seat: int
    time_zone: str
    quiet_from: str | None
    quiet_until: str | None
    holidays: list[SeatHoliday]


class TableHours(msgspec.Struct, frozen=True):
    """The seats whose people rest; none where a move has less than a day."""

    seats: list[SeatHours]


@api.get("matches/<uuid:match_id>/hours", tag="playing")
def match_hours(user: User, match_id: UUID) -> TableHours:
    """Read when the players' clocks stand still

    Quiet hours and holidays of the people at a table with at least a day for a move.

    For those who play, and while a seat is free for people who may sit down. They are in the
    ``deadline_at`` of a turn that begins now; a turn that runs keeps what held at its
    beginning.
    """
    seats = []
    for one in resting_at(visible(match_id, user.pk), user.pk):
        rest, days = one.resting
        begin, end = (f"{end:%H:%M}" for end in rest.ends) if rest.ends else (None, None)
        holidays = [answer(SeatHoliday, row) for row in days]
        seats.append(SeatHours(one.seat, rest.time_zone, begin, end, holidays))
    return TableHours(seats)


class MirroredPair(msgspec.Struct, frozen=True):
    """``margins`` are those of the first side, in both ``matches``; the second one is swapped.

    ``skill`` is their sum, ``luck`` their difference: what the cards of the first side in the first
    match were worth in both together. ``winner`` is a side, null for a draw: who has the greater
    margin in both, but a side that gave one of them up has lost the pair.
    """

    matches: list[UUID]
    margins: list[int]
    skill: int
    luck: int
    winner: int | None


class MirroredResult(msgspec.Struct, frozen=True):
    """``sides``: the names on both; ``won``: how many pairs each has won.

    ``skill`` is the first side's in all pairs, ``luck`` how much the cards moved, whichever way.
    ``winner`` has won more pairs, else has the greater skill; null for a draw.
    """

    sides: list[list[str]]
    won: list[int]
    skill: int
    luck: int
    winner: int | None
    pairs: list[MirroredPair]


class MirroredSetJson(msgspec.Struct, frozen=True):
    """The match is ``number`` of ``matches``; ``following`` is your next one, once it has begun.

    ``result`` is null until ``over_at``; until then nobody learns which matches were dealt alike.
    """

    form: Literal["set", "duplicate"]
    number: int
    matches: int
    following: UUID | None
    over_at: datetime | None
    result: MirroredResult | None


def _result(standing: Standing, result: SetResult) -> MirroredResult:
    pairs = [_pair(pair) for pair in result.pairs]
    return answer(MirroredResult, result, sides=list(standing.sides), pairs=pairs)


def _pair(pair: PairResult) -> MirroredPair:
    ids, margins = [each.match_id for each in pair], [each.margin for each in pair]
    return answer(MirroredPair, pair, matches=ids, margins=margins)


@api.get("matches/<uuid:match_id>/mirrored", refuses=[results.NotMirrored, GameNotInstalled])
def mirrored(reader: UUID | None, match_id: UUID) -> MirroredSetJson:
    """Read how a mirrored match stands

    What follows a mirrored match, and skill and luck once all of its set are over.
    """
    match = visible(match_id, reader)
    check_installed(match.rules)
    standing = standing_of(match.id, reader)
    result = _result(standing, standing.result) if standing.result else None
    return answer(MirroredSetJson, standing, result=result)
