"""The same people once more: asking for it, answering, and the score of the series."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.signing_in.signed_in import signed_in
from config.api.schema import refusals
from config.refusals import NotAllowed
from games.api.matches.access import visible
from games.api.matches.answers import answer_after
from games.api.parameters import TOO_MANY_MATCHES, match_action
from games.api.schemas.fields import Nothing
from games.api.schemas.rematches import RematchJson, rematch_response
from games.api.text.plain_text import PlainText
from games.lobby.rematches import asking
from games.lobby.rematches.series import series_of
from games.lobby.rematches.standing import standing_of
from games.matches.refusals import (
    AlreadySeated,
    BadDeck,
    CannotBeRated,
    GameNotInstalled,
    MatchNotOpen,
    MatchNotOver,
    SeatTaken,
)


class MatchRematch(APIView):
    plain_text = PlainText
    permission_classes = (IsAuthenticatedOrReadOnly,)

    @extend_schema(
        operation_id="rematch_standing",
        summary="Read who wants a rematch",
        tags=["watching"],
        responses={200: RematchJson},
    )
    def get(self, request: Request, match_id: UUID) -> Response:
        """The seats that want a rematch, have not answered or said no; and the score of the series.

        A match belongs to a series from its first rematch on.
        """
        match, user = visible(match_id, request), request.user.pk
        self.names = match.names
        return Response(rematch_response(standing_of(match, user), series_of(match)))

    @match_action(
        "rematch",
        "Open a rematch",
        Nothing,
        NotAllowed,
        MatchNotOver,
        MatchNotOpen,
        SeatTaken,
        AlreadySeated,
        BadDeck,
        CannotBeRated,
        *TOO_MANY_MATCHES,
        status=201,
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """The same players, options and decks once more, seats rotated by one.

        The first player to ask opens it and invites the others; players who ask later join it.
        """
        return answer_after(asking.ask, request, match_id, Nothing, status=201)

    @extend_schema(
        operation_id="decline_rematch",
        summary="Decline a rematch",
        tags=["playing"],
        responses={204: None, **refusals(GameNotInstalled)},
    )
    def delete(self, request: Request, match_id: UUID) -> Response:
        """Calls off a rematch that you were asked for, or asked for; the others learn who it was.

        Again, or where there is none, is no error.
        """
        visible(match_id, request)
        asking.refuse(match_id=match_id, user=signed_in(request))
        return Response(status=204)
