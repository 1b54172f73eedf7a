"""The deals of the day over the API."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.signing_in.signed_in import account_of, signed_in
from config.api.json import body_of
from config.api.schema import refusals
from games.api.matches.answers import match_answer
from games.api.parameters import TOO_MANY_MATCHES, match_responses
from games.api.schemas.daily import (
    Daily,
    DailyDealJson,
    DailyDealWithResults,
    DailyResults,
    NextDeal,
    Opens,
    PlayDaily,
    StreakJson,
)
from games.daily import playing
from games.daily.refusals import CannotCompete, NoSuchDeal, NotToday
from games.daily.results import own_result, results_of
from games.daily.selectors import (
    ONE_DAY,
    admission,
    day_of,
    deals_of,
    entries_of,
    find_deal,
    streak_of,
    today,
)


class DailyDeals(APIView):
    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="daily",
        summary="List the deals of the day",
        tags=["playing"],
        responses={200: Daily},
    )
    def get(self, request: Request) -> Response:
        """One sealed deal of each game for everybody. Days are those of UTC. Needs no key."""
        reader = account_of(request)
        day = today()
        deals, opens = deals_of(day), admission(reader, day)
        entries = entries_of(reader.pk if reader else None, deals)
        own = {pk: own_result(entry) for pk, entry in entries.items()}
        body = Daily(
            day=day,
            deals=[DailyDealJson.of(one, own.get(one.pk)) for one in deals],
            tomorrow=[NextDeal(o.game, o.deal.commitment) for o in deals_of(day + ONE_DAY)],
            may_compete=opens.is_open if reader else None,
            opens=None if opens.is_open else Opens(opens.opens_on, opens.matches_left),
            streak=StreakJson.of(streak_of(reader.pk)) if reader else None,
        )
        return Response(body)


class DailyPlay(APIView):
    @extend_schema(
        operation_id="play_daily",
        summary="Play a deal of the day",
        tags=["playing"],
        request=PlayDaily,
        responses=match_responses(200)
        | match_responses(201, NoSuchDeal, NotToday, CannotCompete, *TOO_MANY_MATCHES),
    )
    def post(self, request: Request, game: str) -> Response:
        """Begins your one match of today's deal; again it is the same match, with 200.

        It is private, unrated, and tells nothing but what your seat sees until the day is over. For
        practice name the day of an earlier deal: anybody may, as often as they like.
        """
        user, body = signed_in(request), body_of(request, PlayDaily)
        if body.practise is not None:
            match = playing.practise(user=user, day=body.practise, game=game)
            return match_answer(match, user.pk, status=201)
        match, is_new = playing.play(user=user, game=game)
        return match_answer(match, user.pk, status=201 if is_new else 200)


class DailyDealDetail(APIView):
    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="daily_deal",
        summary="Read a deal of the day",
        tags=["playing"],
        parameters=[OpenApiParameter("day", OpenApiTypes.DATE, OpenApiParameter.PATH)],
        responses={200: DailyDealWithResults, **refusals(NoSuchDeal)},
    )
    def get(self, request: Request, day: str, game: str) -> Response:
        """A deal of today or earlier; with seed and results once it is revealed."""
        reader = request.user.pk
        deal = find_deal(day_of(day), game)
        entry = entries_of(reader, [deal]).get(deal.pk)
        results = results_of(deal, reader)
        body = DailyDealWithResults(
            DailyDealJson.of(deal, own_result(entry) if entry else None),
            DailyResults.of(results) if results else None,
        )
        return Response(body)
