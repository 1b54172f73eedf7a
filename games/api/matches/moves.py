"""``POST matches/<id>/moves``: a move, in two statements."""

from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.api.json import body_of, shaped
from config.api.schema import refusals
from config.refusals import NotAllowed, NotFound, NotSignedIn
from games.api.authentication import DEFERRED, MovesByKey, caller_of, check_caller, key_or_session
from games.api.matches.answers import match_answer
from games.api.schemas.fields import Key
from games.api.schemas.matches import Match
from games.api.schemas.moves import NewMove
from games.api.text.plain_text import PlainText
from games.matches.moving import moves
from games.matches.refusals import (
    GameNotInstalled,
    IllegalMove,
    KeyReused,
    MalformedMove,
    MatchNotActive,
    NoSuchMatch,
    NotYourSeat,
    NotYourTurn,
    SeatHandedOver,
    StaleVersion,
    TimeIsUp,
)


class MatchMoves(APIView):
    plain_text = PlainText
    authentication_classes = DEFERRED
    permission_classes = (AllowAny,)  # the service asks who is calling
    throttle_classes = (MovesByKey,)

    @extend_schema(
        operation_id="move",
        summary="Play a move",
        tags=["playing"],
        auth=key_or_session("play"),
        parameters=[
            OpenApiParameter(
                "Idempotency-Key",
                {"type": "string", "minLength": 1, "maxLength": 64},
                OpenApiParameter.HEADER,
                description="The same key again gives the first answer again.",
            )
        ],
        request=NewMove,
        responses={
            201: Match,
            **refusals(
                MalformedMove,
                NotYourSeat,
                NotAllowed,
                NotFound,
                StaleVersion,
                NotYourTurn,
                MatchNotActive,
                IllegalMove,
                KeyReused,
                TimeIsUp,
                SeatHandedOver,
                GameNotInstalled,
            ),
        },
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """Plays a move for the version that it was thought out for.

        The answer is the match right after the move, which is then on disk, as the seat that moved
        sees it. Bots that follow move later; `events` and the streams tell of them.
        """
        body = body_of(request, NewMove)
        caller = caller_of(request)
        try:
            played = moves.play(
                match_id=match_id,
                caller=caller,
                move=body.move,
                version=body.version,
                seat=body.seat,
                key=idempotency_key(request),
            )
        except (NoSuchMatch, NotSignedIn):
            check_caller(request)
            raise
        return match_answer(played.match, played.user, played.seat, status=201)


def idempotency_key(request: Request) -> str | None:
    key = request.headers.get("Idempotency-Key")
    return None if key is None else shaped(key, Key)
