"""Challenges over the API: one person is asked for a match on full terms, and answers."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.signing_in.signed_in import signed_in
from config.api.answers import created
from config.api.json import body_of
from config.api.refusals import Malformed
from config.api.schema import refusals
from config.refusals import NotAllowed
from games.api.matches.moves import idempotency_key
from games.api.parameters import IDEMPOTENCY_KEY, TOO_MANY_MATCHES
from games.api.schemas.programs.challenges import (
    Challenge,
    ChallengeAccepted,
    ChallengeDeclined,
    ChallengeList,
    NewChallenge,
    challenge_response,
    list_response,
)
from games.api.text.plain_text import PlainText
from games.lobby.challenges import answering, making, reading
from games.lobby.refusals import ChallengeIsOver, NoSuchChallenge
from games.matches.refusals import (
    BadDeck,
    BadOptions,
    BadSeats,
    CannotBeRated,
    GameNotInstalled,
    KeyReused,
    ProgramDeclines,
    UnknownBot,
    UnknownDeck,
    UnknownGame,
    UnknownUser,
)
from games.mirrored.refusals import CannotBeMirrored


class Challenges(APIView):
    plain_text = PlainText

    @extend_schema(
        operation_id="challenges",
        summary="List your challenges",
        tags=["playing"],
        responses={200: ChallengeList},
    )
    def get(self, request: Request) -> Response:
        """Those that you received and those that you sent, the newest first."""
        user = signed_in(request)
        return Response(list_response(user.username, reading.challenges_of(user.pk)))

    @extend_schema(
        operation_id="create_challenge",
        summary="Challenge somebody",
        tags=["playing"],
        parameters=IDEMPOTENCY_KEY,
        request=NewChallenge,
        responses={
            201: Challenge,
            **refusals(
                Malformed,
                UnknownGame,
                UnknownBot,
                UnknownUser,
                BadOptions,
                BadSeats,
                BadDeck,
                CannotBeRated,
                CannotBeMirrored,
                KeyReused,
                *TOO_MANY_MATCHES,
            ),
        },
    )
    def post(self, request: Request) -> Response:
        """Asks one person for one match on these terms. It begins when they accept.

        They hear of it by their stream (`challenge`), and see it in their lobby. A computer of the
        game accepts at once. The same `Idempotency-Key` again gives the challenge that it made.
        """
        user, terms = signed_in(request), body_of(request, NewChallenge).terms
        made = making.challenge(account=user, terms=terms, key=idempotency_key(request))
        shown = reading.challenge_of(user.pk, made)
        return created(challenge_response(shown), f"challenges/{made}")


class ChallengeDetail(APIView):
    plain_text = PlainText

    @extend_schema(
        operation_id="challenge",
        summary="Read a challenge",
        tags=["playing"],
        responses={200: Challenge, **refusals(NoSuchChallenge)},
    )
    def get(self, request: Request, challenge_id: UUID) -> Response:
        """Its terms, and what became of it."""
        return Response(
            challenge_response(reading.challenge_of(signed_in(request).pk, challenge_id))
        )

    @extend_schema(
        operation_id="withdraw_challenge",
        summary="Withdraw a challenge",
        tags=["playing"],
        responses={
            204: None,
            **refusals(NoSuchChallenge, NotAllowed, ChallengeIsOver, GameNotInstalled),
        },
    )
    def delete(self, request: Request, challenge_id: UUID) -> Response:
        """Takes back a challenge that you made; again is no error."""
        answering.withdraw(account=signed_in(request), challenge_id=challenge_id)
        return Response(status=204)


class ChallengeAccept(APIView):
    @extend_schema(
        operation_id="accept_challenge",
        summary="Accept a challenge",
        tags=["playing"],
        request=ChallengeAccepted,
        responses={
            200: Challenge,
            **refusals(
                Malformed,
                NoSuchChallenge,
                NotAllowed,
                ChallengeIsOver,
                BadDeck,
                UnknownDeck,
                CannotBeRated,
                ProgramDeclines,
                GameNotInstalled,
            ),
        },
    )
    def post(self, request: Request, challenge_id: UUID) -> Response:
        """You sit down, and the match begins; again is no error."""
        deck = body_of(request, ChallengeAccepted).deck
        shown = answering.accept(account=signed_in(request), challenge_id=challenge_id, deck=deck)
        return Response(challenge_response(shown))


class ChallengeDecline(APIView):
    @extend_schema(
        operation_id="decline_challenge",
        summary="Decline a challenge",
        tags=["playing"],
        request=ChallengeDeclined,
        responses={
            200: Challenge,
            **refusals(Malformed, NoSuchChallenge, NotAllowed, ChallengeIsOver, GameNotInstalled),
        },
    )
    def post(self, request: Request, challenge_id: UUID) -> Response:
        """You do not play, for a named reason that the challenger reads; again is no error."""
        shown = answering.decline(
            account=signed_in(request),
            challenge_id=challenge_id,
            reason=body_of(request, ChallengeDeclined).reason,
        )
        return Response(challenge_response(shown))
