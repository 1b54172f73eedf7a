"""Matches over the API: lists, the match itself, its events and saves."""

from collections.abc import Callable
from functools import partial
from typing import Final
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from msgspec.structs import replace
from rest_framework.permissions import AllowAny, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.signing_in.signed_in import signed_in
from cardroom.rules.match_shape import match_shape
from config.api.json import body_of, query_of
from config.api.pagination import Page, page, page_after
from config.api.refusals import Malformed
from config.api.schema import refusals
from games.absent import check_installed
from games.api.authentication import DEFERRED, RequestsByKey, anybody_or_key
from games.api.matches.access import visible, visible_by_key
from games.api.matches.answers import is_known, match_answer
from games.api.parameters import (
    TOO_MANY_MATCHES,
    match_responses,
    query_parameters,
    response_header,
)
from games.api.schemas.match_answers import summary_response
from games.api.schemas.match_requests import MatchesQuery, NewMatch, SeatQuery
from games.api.schemas.matches import MatchList, Notice, Save, Shape
from games.api.schemas.moves import Events, EventsQuery
from games.api.text.plain_text import PlainText
from games.guests import with_names
from games.lobby.finding.here import watchers_of
from games.matches.models import Match, Round
from games.matches.refusals import (
    BadDeck,
    BadOptions,
    BadSeats,
    CannotBeRated,
    GameNotInstalled,
    NotYourSeat,
    TooManyBotMatches,
    UnknownBot,
    UnknownDeck,
    UnknownGame,
    UnknownUser,
)
from games.matches.seating import opening
from games.matches.selectors.lists import (
    find_matches,
    is_closed,
    notices_of,
    rounds_of,
    scores_at,
)
from games.matches.selectors.log import log_entries, plain_events
from games.matches.selectors.newest import Sought, newest_for, newest_of
from games.matches.selectors.secrecy import may_tell_all
from games.matches.selectors.watched import as_listed
from games.matches.snapshot import MatchSnapshot
from games.mirrored.opening import open_mirrored
from games.mirrored.refusals import CannotBeMirrored

FOR_WATCHERS: Final = (AllowAny,)  # who may see a match is said by the match


class Matches(APIView):
    plain_text = PlainText
    permission_classes = (IsAuthenticatedOrReadOnly,)

    @extend_schema(
        operation_id="matches",
        summary="List matches",
        tags=["watching"],
        parameters=query_parameters(MatchesQuery),
        responses={200: MatchList, **refusals(Malformed)},
    )
    def get(self, request: Request) -> Response:
        """The matches you may find, newest first, without views; without a key the public ones."""
        query = query_of(request, MatchesQuery)
        user = request.user.pk
        rows, next_page = _page(query, user, request)
        counts = watchers_of([match.id for match in rows if match.status == "active"])
        listed = as_listed(rows, user)
        summaries = [summary_response(match, user, counts.get(match.id)) for match in listed]
        return Response(MatchList(summaries, next_page))

    @extend_schema(
        operation_id="create_match",
        summary="Open a match",
        tags=["playing"],
        request=NewMatch,
        responses=match_responses(
            201,
            UnknownGame,
            UnknownBot,
            UnknownUser,
            UnknownDeck,
            BadOptions,
            BadSeats,
            BadDeck,
            CannotBeRated,
            CannotBeMirrored,
            TooManyBotMatches,
            *TOO_MANY_MATCHES,
        ),
    )
    def post(self, request: Request) -> Response:
        """Opens a match; it starts by itself as soon as every seat is taken."""
        body = body_of(request, NewMatch)
        match = _opening_of(body)(
            creator=signed_in(request),
            game=body.game,
            seats=with_names(body.seats),
            options=body.options,
            preset=body.preset,
            visibility=body.visibility,
            turn_seconds=body.turn_seconds,
            clock=body.clock.clock if body.clock else None,
            on_timeout=body.on_timeout,
            watch_delay=body.watch_delay,
            rated=body.rated is not False,
            only_rated=body.rated is True,
        )
        return match_answer(match, request.user.pk, status=201)


def _opening_of(body: NewMatch) -> Callable[..., MatchSnapshot]:
    return partial(open_mirrored, pairs=body.pairs) if body.mirrored else opening.open_match


def _page(query: MatchesQuery, user: UUID | None, request: Request) -> Page[Match]:
    if query.joinable and not query.mine:
        return page(_joinable(query, user).select_related("creator"), request)
    sought = Sought(game=query.game, statuses=[query.status] if query.status else [])

    def newest(before: UUID | None, most: int) -> QuerySet[Match]:
        wanted = replace(sought, before=before)
        if not query.mine:
            return newest_for(user, wanted, most=most).select_related("creator")
        mine = newest_of(user, wanted, most=most) if user else Match.objects.none()
        return mine.select_related("creator")

    return page_after(newest, Match, request)


def _joinable(query: MatchesQuery, user: UUID | None) -> QuerySet[Match]:
    matches = find_matches(user=user, joinable=True)
    if query.game:
        matches = matches.filter(game=query.game)
    return matches.filter(status=query.status) if query.status else matches


class MatchDetail(APIView):
    plain_text = PlainText
    authentication_classes = DEFERRED
    permission_classes = FOR_WATCHERS  # `visible_by_key` looks the caller up
    throttle_classes = (RequestsByKey,)

    @extend_schema(
        operation_id="match",
        summary="Read a match",
        tags=["playing"],
        auth=anybody_or_key("read"),
        parameters=[
            *query_parameters(SeatQuery, If_None_Match={}),
            response_header(
                "ETag", "Names this state of the match for this reader and seat.", 200, 304
            ),
        ],
        responses={**match_responses(200, Malformed, NotYourSeat), 304: None},
    )
    def get(self, request: Request, match_id: UUID) -> Response:
        """The match as you may see it; a watcher needs no key.

        ``If-None-Match`` with the last ``ETag``: 304.
        """
        seat = query_of(request, SeatQuery).seat
        match, user = visible_by_key(match_id, request)
        answer = match_answer(match, user, seat)
        if is_known(answer["ETag"], request.headers.get("If-None-Match", "")):
            return Response(status=304, headers={"ETag": answer["ETag"]})
        return answer


class MatchEvents(APIView):
    plain_text = PlainText
    permission_classes = FOR_WATCHERS

    @extend_schema(
        operation_id="events",
        summary="List what happened",
        tags=["watching"],
        parameters=query_parameters(EventsQuery),
        responses={200: Events, **refusals(Malformed, NotYourSeat, GameNotInstalled)},
    )
    def get(self, request: Request, match_id: UUID) -> Response:
        """What happened after a version, as you may know it."""
        query = query_of(request, EventsQuery)
        match = visible(match_id, request)
        check_installed(match.rules)
        self.names = match.names
        user = request.user.pk
        if query.seat is not None and query.seat not in match.seats_of(user):
            raise NotYourSeat
        seat = match.acting_seat(user) if query.seat is None else query.seat
        shows_all = match.is_over and may_tell_all(match, user)
        entries = log_entries(
            match, after=query.after, until=min(match.version, query.after + query.limit)
        )
        events = plain_events(match, entries, seat, shows_all=shows_all)
        return Response(Events(match.game, match.version, events))


class MatchSaves(APIView):
    permission_classes = FOR_WATCHERS

    @extend_schema(
        operation_id="saves",
        summary="List the saved points",
        tags=["watching"],
        responses={200: list[Save]},
    )
    def get(self, request: Request, match_id: UUID) -> Response:
        """Every saved point, newest first: the openings of the rounds."""
        match = visible(match_id, request)
        return Response(
            [
                _save(r, is_closed=is_closed(r, match))
                for r in rounds_of(match)
                if r.opening_version <= match.version
            ]
        )


def _save(r: Round, *, is_closed: bool) -> Save:
    """A watcher who sees the match later does not learn how a round ends before it does."""
    closed_at, scores = (r.closed_at, r.scores) if is_closed else (None, None)
    return Save(r.number, r.opening_version, r.opened_at, closed_at, scores)


class MatchShape(APIView):
    permission_classes = FOR_WATCHERS

    @extend_schema(
        operation_id="shape",
        summary="Read how it went",
        tags=["watching"],
        responses={200: Shape, **refusals(GameNotInstalled)},
    )
    def get(self, request: Request, match_id: UUID) -> Response:
        """The sides that led after each round, how often that changed, the sides at match point."""
        match = visible(match_id, request)
        check_installed(match.rules)
        shape = match_shape(match.rules, match.options, scores_at(match))
        return Response(
            Shape(
                [] if match.is_over else list(shape.match_point),
                shape.lead_changes,
                shape.turning_point,
                shape.streak,
                list(shape.rounds),
            )
        )


class MatchNotices(APIView):
    permission_classes = FOR_WATCHERS

    @extend_schema(
        operation_id="notices",
        summary="List the notices of operators",
        tags=["watching"],
        responses={200: list[Notice]},
    )
    def get(self, request: Request, match_id: UUID) -> Response:
        """What the operators told the players of this match, newest first."""
        match = visible(match_id, request)
        return Response([Notice(notice.at, notice.text) for notice in notices_of(match)])
