"""``POST matches/<id>/moves``: the call the house exists for, in two statements."""

from typing import Any
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.auth import KeyAuthentication, key_digest
from config.api.json import body_of, shaped
from config.api.schema import refusals
from config.api.throttles import Moves
from games.api.shapes import Key, Match, NewMove, match_json
from games.selectors import Caller
from games.services import plies
from games.services.refusals import NotFound, NotSignedIn


class KeyLater(BaseAuthentication):
    """Reads the key but leaves looking it up to the SELECT that reads the match."""

    def authenticate_header(self, request: Request) -> str:
        return KeyAuthentication().authenticate_header(request)

    def authenticate(self, request: Request) -> tuple[Any, str] | None:
        digest = key_digest(request.headers.get("Authorization", ""))
        return None if digest is None else (AnonymousUser(), digest)


class MoveThrottle(Moves):
    """Counts by key or user, whichever signs the call in."""

    def who(self, request: Request) -> str:
        return request.auth if isinstance(request.auth, str) else super().who(request)


class MatchMoves(APIView):
    authentication_classes: tuple[type[BaseAuthentication], ...] = (KeyLater, SessionAuthentication)
    permission_classes = (AllowAny,)  # the service asks who is calling
    throttle_classes = (MoveThrottle,)

    @extend_schema(
        operation_id="moves_create",
        tags=["matches"],
        auth=[{"key": []}, {"cookieAuth": []}],  # type: ignore[list-item]  # as OpenAPI has them
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
                "malformed_move",
                "not_your_seat",
                "not_allowed",
                "not_found",
                "stale_version",
                "not_your_turn",
                "match_not_active",
                "illegal_move",
            ),
        },
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        body = body_of(request, NewMove)
        caller = caller_of(request)
        try:
            played = plies.play(
                match_id=match_id,
                caller=caller,
                move=body.move,
                version=body.version,
                seat=body.seat,
                key=idempotency_key(request),
            )
        except (NotFound, NotSignedIn):
            check_caller(request)
            raise
        return Response(match_json(played.table, played.user, played.seat), status=201)


def check_caller(request: Request) -> None:
    """No key, or a bad one, is said before anything of the match, as everywhere in the API."""
    if KeyAuthentication().authenticate(request) is None and not request.user.is_authenticated:
        raise NotAuthenticated


def caller_of(request: Request) -> Caller:
    """The caller, with the key not yet looked up (``KeyLater``) or signed in already."""
    if isinstance(request.auth, str):
        return Caller(digest=request.auth)
    return Caller(user=request.user.pk)


def idempotency_key(request: Request) -> str | None:
    key = request.headers.get("Idempotency-Key")
    return None if key is None else shaped(key, Key)
