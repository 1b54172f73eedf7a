"""The plan of a seat in a slow match, for this seat alone."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.signing_in.signed_in import signed_in
from config.api.json import body_of, query_of
from config.api.refusals import Malformed
from config.api.schema import refusals
from games.api.parameters import query_parameters
from games.api.schemas.programs.plans import NewPlan, PlanJson, PlanQuery, plan_response
from games.matches.moving import planned
from games.matches.refusals import (
    CannotPlan,
    GameNotInstalled,
    MalformedMove,
    MatchNotActive,
    NoSuchMatch,
    NotYourSeat,
    SeatHandedOver,
    YourTurnNow,
)
from games.matches.selectors.access import Caller


class MatchPlans(APIView):
    @extend_schema(
        operation_id="plan",
        summary="Read your plan",
        tags=["playing"],
        parameters=query_parameters(PlanQuery),
        responses={200: PlanJson, **refusals(Malformed, NoSuchMatch, NotYourSeat)},
    )
    def get(self, request: Request, match_id: UUID) -> Response:
        """What is left of it, or why it was dropped. Nobody else can read it."""
        caller = Caller(user=signed_in(request).pk)
        seat = query_of(request, PlanQuery).seat
        return Response(plan_response(planned.read(match_id=match_id, caller=caller, seat=seat)))

    @extend_schema(
        operation_id="put_plan",
        summary="Plan your moves",
        tags=["playing"],
        request=NewPlan,
        responses={
            200: PlanJson,
            **refusals(
                Malformed,
                NoSuchMatch,
                NotYourSeat,
                MatchNotActive,
                MalformedMove,
                CannotPlan,
                SeatHandedOver,
                YourTurnNow,
                GameNotInstalled,
            ),
        },
    )
    def put(self, request: Request, match_id: UUID) -> Response:
        """Takes the place of your plan, while others are to move; for matches without a clock or
        with days for a move. A planned move is played together with the move that it answers.
        """
        body = body_of(request, NewPlan)
        made = planned.put(
            match_id=match_id, user=signed_in(request), steps=body.steps, seat=body.seat
        )
        return Response(plan_response(made))

    @extend_schema(
        operation_id="withdraw_plan",
        summary="Withdraw your plan",
        tags=["playing"],
        parameters=query_parameters(PlanQuery),
        responses={
            204: None,
            **refusals(Malformed, NoSuchMatch, NotYourSeat, GameNotInstalled),
        },
    )
    def delete(self, request: Request, match_id: UUID) -> Response:
        """Deletes it; what was played stays. Again is no error."""
        seat = query_of(request, PlanQuery).seat
        planned.withdraw(match_id=match_id, user=signed_in(request), seat=seat)
        return Response(status=204)
