"""The list of leagues, a division, joining and leaving."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.signing_in.signed_in import signed_in
from config.api.json import body_of, query_of
from config.api.refusals import Malformed
from config.api.schema import refusals
from games.api.parameters import query_parameters
from games.api.schemas.fields import Nothing
from games.api.schemas.leagues.answers import LeagueJson, LeagueQuery, Leagues, LeagueSheet
from games.api.text.plain_text import PlainText
from games.leagues import joining, selectors
from games.leagues.refusals import CannotJoinLeague, NoSuchLeague


class LeagueList(APIView):
    plain_text = PlainText
    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="leagues",
        summary="List the leagues",
        tags=["tournaments"],
        responses={200: Leagues},
    )
    def get(self, request: Request) -> Response:
        """The running week of each game, with your place. Needs no key."""
        reader = request.user.pk
        rows = selectors.summaries(reader)
        return Response(Leagues([LeagueJson.of(one, is_known=reader is not None) for one in rows]))


class LeagueDetail(APIView):
    plain_text = PlainText
    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="league",
        summary="Read a division of a league",
        tags=["tournaments"],
        parameters=query_parameters(LeagueQuery),
        responses={200: LeagueSheet, **refusals(Malformed, NoSuchLeague)},
    )
    def get(self, request: Request, game: str) -> Response:
        """The standings of a week, as it stands now or as it ended. Needs no key.

        A match gives up to 10 points: ten times the share of the opponents whom you finish ahead
        of, an equal place counting half. What counts are public rated matches against people, the
        first 3 against the same opponent, the first 30 of the week.
        """
        query, reader = query_of(request, LeagueQuery), request.user.pk
        sheet = selectors.sheet_of(
            game, reader=reader, monday=query.week, tier=query.tier, number=query.division
        )
        return Response(_answer(sheet, reader))


class LeagueJoin(APIView):
    @extend_schema(
        operation_id="join_league",
        summary="Join a league",
        tags=["tournaments"],
        request=Nothing,
        responses={200: LeagueSheet, **refusals(Malformed, NoSuchLeague, CannotJoinLeague)},
    )
    def post(self, request: Request, game: str) -> Response:
        """From now on, this week and the next ones; the answer is your division. Again is no error.

        You come in by where you were when you last played, or by your rating once it is settled, or
        else in the lowest tier.
        """
        body_of(request, Nothing)
        user = signed_in(request)
        joining.join(user=user, game=game)
        return Response(_answer(selectors.sheet_of(game, reader=user.pk), user.pk))


class LeagueLeave(APIView):
    @extend_schema(
        operation_id="leave_league",
        summary="Leave a league",
        tags=["tournaments"],
        request=Nothing,
        responses={200: LeagueSheet, **refusals(Malformed, NoSuchLeague)},
    )
    def post(self, request: Request, game: str) -> Response:
        """From the next week on: your line of this one stays. Again is no error."""
        body_of(request, Nothing)
        user = signed_in(request)
        joining.leave(user=user, game=game)
        return Response(_answer(selectors.sheet_of(game, reader=user.pk), user.pk))


def _answer(sheet: selectors.Sheet, reader: UUID | None) -> LeagueSheet:
    member = None if reader is None else selectors.is_member(reader, sheet.game)
    weeks = [] if reader is None else list(selectors.own_weeks(reader, sheet.game))
    return LeagueSheet.of(sheet, weeks, member=member)
