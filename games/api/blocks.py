"""Blocking a player of a match, for programs that do not know the username."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.signing_in.signed_in import signed_in
from accounts.social.refusals import CannotBlockYourself, TooManyBlocks
from config.api.json import body_of
from config.api.schema import refusals
from config.refusals import NotAllowed, NotFound
from games.api.schemas.fields import Body, SeatIndex
from games.matches.seating.blocking import block_player


class BlockPlayer(Body, frozen=True):
    """Who holds ``seat``; without it, who opened the match."""

    seat: SeatIndex | None = None


class MatchBlock(APIView):
    write_scope = "account"

    @extend_schema(
        operation_id="block_player",
        summary="Block a player of a match",
        tags=["playing"],
        request=BlockPlayer,
        responses={
            204: None,
            **refusals(NotAllowed, NotFound, CannotBlockYourself, TooManyBlocks),
        },
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """Blocks a player of the match, who cannot invite you any more. The match goes on."""
        seat = body_of(request, BlockPlayer).seat
        block_player(match_id=match_id, user=signed_in(request), seat=seat)
        return Response(status=204)
