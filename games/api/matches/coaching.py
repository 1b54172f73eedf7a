"""The coach at the table over the API: switched on, asked for a hint."""

from typing import Final
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.signing_in.signed_in import signed_in
from config.api.json import body_of
from config.api.schema import refusals
from games.api.matches.answers import answer_after
from games.api.parameters import match_action
from games.api.schemas.coaching import HintJson
from games.api.schemas.fields import Nothing
from games.coaching import at_table, hints
from games.coaching.refusals import CannotBeCoached, NotCoached, NothingToJudge
from games.matches.refusals import GameNotInstalled, MatchNotActive, NotYourSeat, NotYourTurn

WAITED: Final = 0.6  # seconds, for a worker


class MatchCoach(APIView):
    @match_action(
        "switch_on_coach",
        "Switch the coach on",
        Nothing,
        NotYourSeat,
        MatchNotActive,
        CannotBeCoached,
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """Hints may be asked for from now on.

        Only where you alone play computers in a match that is not rated. The match is `coached` for
        good: it counts in no results.
        """
        return answer_after(at_table.switch_on, request, match_id, Nothing)


class MatchHint(APIView):
    @extend_schema(
        operation_id="ask_hint",
        summary="Ask for a hint",
        tags=["playing"],
        request=Nothing,
        responses={
            200: HintJson,
            **refusals(
                NotYourSeat,
                MatchNotActive,
                NotCoached,
                NotYourTurn,
                NothingToJudge,
                GameNotInstalled,
            ),
        },
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """What each of your moves is worth. Ask again while it is `running`."""
        body_of(request, Nothing)
        row = at_table.ask(match_id=match_id, user=signed_in(request))
        advice = hints.wait_for(row, WAITED)
        answer = HintJson(
            match=match_id,
            version=row.version,
            seat=row.seat,
            status="running" if advice is None else "finished",
            moves=advice.moves if advice else (),
        )
        return Response(answer)
