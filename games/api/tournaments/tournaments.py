"""Lists of tournaments, one of them, joining and leaving it."""

from typing import Literal
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import User
from accounts.signing_in.signed_in import account_of, signed_in
from config.api.answers import created
from config.api.json import body_of, query_of
from config.api.pagination import PageQuery, page
from config.api.refusals import Malformed
from config.api.schema import refusals
from config.refusals import NotAllowed
from games.api.matches.moves import idempotency_key
from games.api.parameters import IDEMPOTENCY_KEY, query_parameters
from games.api.schemas.fields import Nothing
from games.api.schemas.tournaments import (
    NewTournament,
    TournamentJson,
    TournamentList,
    tournament_response,
)
from games.api.text.plain_text import PlainText
from games.competitions import selectors
from games.competitions.models import Tournament
from games.competitions.refusals import (
    BadTournament,
    NoSuchTournament,
    NotTakingPart,
    TooLateToJoin,
    TooManyTournaments,
    TournamentIsFull,
    TournamentIsOver,
)
from games.competitions.running import creating, taking_part
from games.matches.refusals import (
    BadDeck,
    BadOptions,
    GameNotInstalled,
    KeyReused,
    UnknownGame,
)
from games.mirrored.refusals import CannotBeMirrored


class TournamentFilter(PageQuery, frozen=True):
    """``mine``: those that you hold, take part in or are invited to."""

    game: str = ""
    status: Literal["announced", "running", "finished", "aborted", ""] = ""
    mine: bool = False


class Tournaments(APIView):
    read_scope = None
    permission_classes = (IsAuthenticatedOrReadOnly,)
    plain_text = PlainText

    @extend_schema(
        operation_id="tournaments",
        summary="List tournaments",
        tags=["tournaments"],
        parameters=query_parameters(TournamentFilter),
        responses={200: TournamentList, **refusals(Malformed)},
    )
    def get(self, request: Request) -> Response:
        """Public ones and your own, the newest first."""
        wanted, user = query_of(request, TournamentFilter), account_of(request)
        rows = selectors.listed_for(user.pk if user else None, mine=wanted.mine)
        if wanted.game:
            rows = rows.filter(game=wanted.game)
        if wanted.status:
            rows = rows.filter(status=wanted.status)
        shown, following = page(rows, request)
        counts = selectors.counts_of(shown)
        return Response(
            TournamentList(
                [tournament_response(row, counts.get(row.id, 0)) for row in shown], following
            )
        )

    @extend_schema(
        operation_id="create_tournament",
        summary="Create a tournament",
        tags=["tournaments"],
        parameters=IDEMPOTENCY_KEY,
        request=NewTournament,
        responses={
            201: TournamentJson,
            **refusals(
                Malformed, NotAllowed, UnknownGame, BadOptions, BadTournament,
                TooManyTournaments, KeyReused, CannotBeMirrored,
            ),
        },
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        """Announces it on terms that stay as they are. You join it by a call of its own.

        An account may have two that are not over, for up to 64 players (a round robin 16), with up
        to 16 computers; operators have no limits. The same `Idempotency-Key` again gives the
        tournament that it made.
        """
        user = signed_in(request)
        terms = body_of(request, NewTournament).terms
        row = creating.create(creator=user, terms=terms, key=idempotency_key(request))
        return created(_answer(row.id, user), f"tournaments/{row.id}")


class TournamentDetail(APIView):
    read_scope = None
    permission_classes = (IsAuthenticatedOrReadOnly,)
    plain_text = PlainText

    @extend_schema(
        operation_id="tournament",
        summary="Read a tournament",
        tags=["tournaments"],
        responses={200: TournamentJson, **refusals(NoSuchTournament)},
    )
    def get(self, request: Request, tournament_id: UUID) -> Response:
        """How far it is, and the match that you are to play now."""
        return Response(_answer(tournament_id, account_of(request)))


class TournamentJoin(APIView):
    @extend_schema(
        operation_id="join_tournament",
        summary="Take part in a tournament",
        tags=["tournaments"],
        request=Nothing,
        responses={
            200: TournamentJson,
            **refusals(
                NoSuchTournament,
                TooLateToJoin,
                TournamentIsFull,
                TournamentIsOver,
                NotAllowed,
                BadDeck,
                GameNotInstalled,
            ),
        },
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Again is no error. A Swiss takes late players in its first half, an arena to its end."""
        body_of(request, Nothing)
        user = signed_in(request)
        taking_part.join(tournament_id=tournament_id, user=user)
        return Response(_answer(tournament_id, user))


class TournamentWithdraw(APIView):
    @extend_schema(
        operation_id="withdraw_from_tournament",
        summary="Take part in a tournament no more",
        tags=["tournaments"],
        request=Nothing,
        responses={
            200: TournamentJson,
            **refusals(NoSuchTournament, NotTakingPart, TournamentIsOver),
        },
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Your match that runs is lost, and your opponents to come win without playing."""
        body_of(request, Nothing)
        user = signed_in(request)
        row = taking_part.withdraw(tournament_id=tournament_id, user=user)
        return Response(_response(row, user))


def _answer(tournament_id: UUID, user: User | None) -> TournamentJson:
    return _response(selectors.find(tournament_id, user.pk if user else None), user)


def _response(row: Tournament, user: User | None) -> TournamentJson:
    entrant = selectors.entrant_of(row, user.pk if user else None)
    match = selectors.current_match(row, user.pk) if user and entrant else None
    players = selectors.counts_of([row]).get(row.id, 0)
    return tournament_response(row, players, entrant, match)
