"""Matches over the API: lists, the match itself, and every call but the move (``moves``)."""

from typing import cast
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import User
from config.api.json import body_of, query_of
from config.api.pagination import page
from config.api.schema import refusals
from games import selectors
from games.api import shapes
from games.api.callers import AS_DOCUMENTED, LATER, RequestsByKey, caller_of, check_caller
from games.api.documents import answered, answers, query
from games.api.shapes import match_json
from games.selectors import Caller
from games.services import loads, matches, plies
from games.services.refusals import NotFound, NotYourSeat
from games.table import Table


class Matches(APIView):
    @extend_schema(
        operation_id="matches_list",
        tags=["matches"],
        parameters=query(shapes.MatchesQuery),
        responses={200: shapes.MatchList, **refusals("malformed")},
    )
    def get(self, request: Request) -> Response:
        """The matches you may find, newest first, without views."""
        asked = query_of(request, shapes.MatchesQuery)
        user = request.user.pk
        found = selectors.matches(user=user, mine=asked.mine, joinable=asked.joinable)
        if asked.game:
            found = found.filter(game=asked.game)
        if asked.status:
            found = found.filter(status=asked.status)
        rows, next_page = page(found, request)
        return Response(shapes.MatchList([shapes.summary_json(m, user) for m in rows], next_page))

    @extend_schema(
        operation_id="matches_create",
        tags=["matches"],
        request=shapes.NewMatch,
        responses=answers(
            201,
            "unknown_game",
            "unknown_bot",
            "unknown_user",
            "unknown_deck",
            "bad_options",
            "bad_seats",
            "bad_deck",
        ),
    )
    def post(self, request: Request) -> Response:
        """Opens a match; it starts by itself as soon as every seat is taken."""
        body = body_of(request, shapes.NewMatch)
        table = matches.open_match(
            creator=signed_in(request),
            game=body.game,
            seats=body.seats,
            options=body.options,
            preset=body.preset,
            visibility=body.visibility,
            turn_seconds=body.turn_seconds,
        )
        return Response(match_json(table, request.user.pk), status=201)


class MatchDetail(APIView):
    authentication_classes = LATER
    permission_classes = (AllowAny,)  # `found` asks who is calling
    throttle_classes = (RequestsByKey,)

    @extend_schema(
        operation_id="matches_read",
        tags=["matches"],
        auth=AS_DOCUMENTED,
        parameters=[
            *query(shapes.SeatQuery, "If-None-Match"),
            answered("ETag", "Names this state of the match for this reader and seat.", 200, 304),
        ],
        responses={**answers(200, "malformed", "not_your_seat"), 304: None},
    )
    def get(self, request: Request, match_id: UUID) -> Response:
        """The match as you may see it. ``If-None-Match`` with the last ``ETag``: 304."""
        seat = query_of(request, shapes.SeatQuery).seat
        table, user = found(match_id, request)
        tag = etag(table, user, seat)
        match = match_json(table, user, seat)
        if is_known(tag, request):
            return Response(status=304, headers={"ETag": tag})
        return Response(match, headers={"ETag": tag})


class MatchJoin(APIView):
    @extend_schema(
        operation_id="matches_join",
        tags=["matches"],
        request=shapes.Join,
        responses=answers(200, "seat_taken", "already_seated", "unknown_deck", "bad_deck"),
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """Takes an open seat, or the one you are invited to."""
        body = body_of(request, shapes.Join)
        table = matches.join(
            match_id=match_id, user=signed_in(request), seat=body.seat, deck=body.deck
        )
        return Response(match_json(table, request.user.pk))


class MatchLeave(APIView):
    @extend_schema(
        operation_id="matches_leave",
        tags=["matches"],
        request=shapes.Nothing,
        responses=answers(200, "not_allowed", "match_not_open"),
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """Gives the seat back while the match is open; the creator leaving aborts it."""
        body_of(request, shapes.Nothing)
        table = matches.leave(match_id=match_id, user=signed_in(request))
        return Response(match_json(table, request.user.pk))


class MatchResign(APIView):
    @extend_schema(
        operation_id="matches_resign",
        tags=["matches"],
        request=shapes.Resignation,
        responses=answers(
            200, "not_your_seat", "not_allowed", "match_not_active", "seat_is_out", "stale_version"
        ),
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """Gives up; among more than two sides a bot plays the seat on."""
        body = body_of(request, shapes.Resignation)
        caller = Caller(user=request.user.pk)
        resigned = plies.resign(match_id=match_id, caller=caller, seat=body.seat)
        return Response(match_json(resigned.table, request.user.pk))


class MatchRematch(APIView):
    @extend_schema(
        operation_id="matches_rematch",
        tags=["matches"],
        request=shapes.Nothing,
        responses=answers(201, "not_allowed", "match_not_over", "already_seated"),
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """The same players, options and decks once more, seats rotated by one."""
        body_of(request, shapes.Nothing)
        table = matches.rematch(match_id=match_id, user=signed_in(request))
        return Response(match_json(table, request.user.pk), status=201)


class MatchEvents(APIView):
    @extend_schema(
        operation_id="matches_events",
        tags=["matches"],
        parameters=query(shapes.EventsQuery),
        responses={200: shapes.Events, **refusals("malformed", "not_your_seat")},
    )
    def get(self, request: Request, match_id: UUID) -> Response:
        """What happened after a version, as you may know it."""
        asked = query_of(request, shapes.EventsQuery)
        table = visible(match_id, request)
        own = table.seats_of(request.user.pk)
        if asked.seat is not None and asked.seat not in own:
            raise NotYourSeat
        seat = asked.seat if asked.seat is not None else shapes.acting_seat(table, own)
        return Response(shapes.Events(table.version, events_json(table, asked, seat)))


class MatchSaves(APIView):
    @extend_schema(
        operation_id="matches_saves",
        tags=["matches"],
        responses={200: list[shapes.Save]},
    )
    def get(self, request: Request, match_id: UUID) -> Response:
        """Every saved point, newest first: the openings of the rounds."""
        table = visible(match_id, request)
        return Response(
            [
                shapes.Save(r.number, r.opening_version, r.opened_at, r.closed_at, r.scores)
                for r in selectors.rounds(table)
            ]
        )


class MatchLoad(APIView):
    @extend_schema(
        operation_id="matches_load",
        tags=["matches"],
        request=shapes.Load,
        responses=answers(201, "not_allowed", "bad_save"),
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """Opens a new match that plays on from a saved point; the old one stays as it was."""
        body = body_of(request, shapes.Load)
        table = loads.load(
            match_id=match_id,
            user=signed_in(request),
            cards=body.cards,
            round=body.round,
            version=body.version,
        )
        return Response(match_json(table, request.user.pk), status=201)


def signed_in(request: Request) -> User:
    """The caller, whom the permissions have let in."""
    return cast("User", request.user)


def visible(match_id: UUID, request: Request) -> Table:
    """The match if the caller may see it, else the same 404 as if there were none."""
    found = selectors.find(match_id, Caller(user=request.user.pk))
    if found is None or not found.table.is_visible_to(request.user.pk):
        raise NotFound
    return found.table


def found(match_id: UUID, request: Request) -> tuple[Table, UUID]:
    """The same where the key is still to be looked up (``callers``), and whose it is."""
    seen = selectors.find(match_id, caller_of(request))
    if seen is None or seen.user is None or not seen.table.is_visible_to(seen.user):
        check_caller(request)
        raise NotFound
    return seen.table, seen.user


def etag(table: Table, user: UUID | None, seat: int | None) -> str:
    """Names what one reader sees of a match: any change of it changes the tag."""
    changed = int(table.updated_at.timestamp() * 1_000_000)
    return f'"{table.version}-{changed:x}-{user.hex[-8:] if user else ""}-{seat}"'


def is_known(tag: str, request: Request) -> bool:
    """Whether the caller says that it has this already (RFC 9110 §13.1.2)."""
    said = request.headers.get("If-None-Match", "").split(",")
    return any(one.strip().removeprefix("W/") in (tag, "*") for one in said)


def events_json(
    table: Table, asked: shapes.EventsQuery, seat: int | None
) -> list[dict[str, object]]:
    until = asked.after + asked.limit
    return [
        shapes.event_json(table, entry, event, seat)
        for entry in selectors.log(table, after=asked.after, until=until)
        for event in selectors.seen(table, entry, seat)
    ]
