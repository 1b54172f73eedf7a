"""Leaderboards of people, and the ladder of computers."""

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.rules import catalog
from config.api.json import query_of
from config.api.pagination import last_seen, next_page
from config.api.refusals import Malformed
from config.api.schema import refusals
from games.api.parameters import query_parameters
from games.api.schemas.ratings import Ladder, LeaderboardJson, LeaderboardQuery, RungJson
from games.api.schemas.ratings import leaderboard_response as response
from games.api.text.plain_text import PlainText
from games.ratings.boards import Board
from games.ratings.people import ladder, leaderboards
from games.ratings.people.leaderboards import LEAST
from games.ratings.refusals import NoSuchLeaderboard


class LeaderboardDetail(APIView):
    plain_text = PlainText
    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="leaderboard",
        summary="Read a leaderboard",
        tags=["watching"],
        parameters=query_parameters(LeaderboardQuery),
        responses={200: LeaderboardJson, **refusals(Malformed, NoSuchLeaderboard)},
    )
    def get(self, request: Request, game: str) -> Response:
        """The best of a game at a pace, and your own place. Needs no key.

        People who hide their profile are not listed. 1500 is the mean; 400 more means ten wins to
        one.
        """
        query = query_of(request, LeaderboardQuery)
        shown = leaderboards.leaderboard(
            Board(game, query.pace, query.sides, query.opponents),
            viewer=request.user.pk,
            friends=query.friends,
            after=last_seen(query.cursor),
            limit=query.limit,
        )
        following = next_page(request, shown.following) if shown.following else None
        return Response(response(shown, LEAST, following))


class LadderDetail(APIView):
    plain_text = PlainText
    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="ladder",
        summary="Read the ladder of computers",
        tags=["watching"],
        responses={200: Ladder, **refusals(NoSuchLeaderboard)},
    )
    def get(self, request: Request, game: str) -> Response:
        """The computers of a game and your results against each. Needs no key."""
        try:
            rules = catalog.find(game)
        except KeyError:
            raise NoSuchLeaderboard from None
        reader = request.user.pk
        rungs = ladder.ladder(rules, reader)
        shown = [RungJson.of(rung, is_known=reader is not None) for rung in rungs]
        return Response(Ladder(rules.slug, shown, ladder.is_finished(rungs)))
