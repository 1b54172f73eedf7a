"""What people at a table settle with each other: taking a round back, and who need not wait."""

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.signing_in.signed_in import signed_in
from config.api.json import body_of
from games.api.matches.answers import match_answer
from games.api.parameters import match_action
from games.api.schemas.fields import Nothing
from games.api.schemas.match_requests import TakeBackAnswer, TakeBackRequest, TakeBackWithdrawal
from games.api.text.plain_text import PlainText
from games.idle import ending
from games.idle.refusals import NotAbsent
from games.matches.history import taking_back
from games.matches.refusals import (
    BadSave,
    CannotTakeBack,
    MatchIsRated,
    MatchNotActive,
    NobodyToAsk,
    NotYourSeat,
    NoWishToTakeBack,
    StaleVersion,
    WantedAlready,
)


class MatchTakeBack(APIView):
    plain_text = PlainText

    @match_action(
        "take_back",
        "Ask to take a round back",
        TakeBackRequest,
        NotYourSeat,
        MatchNotActive,
        MatchIsRated,
        NobodyToAsk,
        StaleVersion,
        WantedAlready,
        CannotTakeBack,
        BadSave,
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """Asks all other people to deal a round of an unrated match again.

        It is the round of the last move, unless `round` names an earlier one. The request is over
        with the next move. Each player may ask once at a version; asking for what another has asked
        for accepts it. Where nobody else plays, load an earlier version instead.
        """
        body = body_of(request, TakeBackRequest)
        match = taking_back.ask(
            match_id=match_id, user=signed_in(request), version=body.version, round=body.round
        )
        return match_answer(match, request.user.pk)


class MatchTakeBackAnswer(APIView):
    plain_text = PlainText

    @match_action(
        "answer_take_back",
        "Accept or decline taking a round back",
        TakeBackAnswer,
        NotYourSeat,
        NoWishToTakeBack,
        CannotTakeBack,
        BadSave,
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """Answers what was asked at `version`. When all have accepted the round is dealt again.

        Nothing is deleted: it is a roll-back, one more version. What nobody could know at the
        opening of the round is dealt again.
        """
        body = body_of(request, TakeBackAnswer)
        match = taking_back.answer(
            match_id=match_id, user=signed_in(request), version=body.version, accept=body.accept
        )
        return match_answer(match, request.user.pk)


class MatchTakeBackWithdrawal(APIView):
    plain_text = PlainText

    @match_action(
        "withdraw_take_back",
        "Withdraw your request to take a round back",
        TakeBackWithdrawal,
        NotYourSeat,
        NoWishToTakeBack,
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """Ends a request that you made at `version` and that not everybody has accepted."""
        body = body_of(request, TakeBackWithdrawal)
        match = taking_back.withdraw(
            match_id=match_id, user=signed_in(request), version=body.version
        )
        return match_answer(match, request.user.pk)


class MatchClaim(APIView):
    plain_text = PlainText

    @match_action(
        "claim",
        "Claim a match from an absent player",
        Nothing,
        NotYourSeat,
        MatchNotActive,
        NotAbsent,
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """A player who has kept you waiting for three days, without a clock, loses by time."""
        body_of(request, Nothing)
        return match_answer(
            ending.claim(match_id=match_id, user=signed_in(request)), request.user.pk
        )


class MatchCallOff(APIView):
    plain_text = PlainText

    @match_action(
        "call_off",
        "Call off a match with an absent player",
        Nothing,
        NotYourSeat,
        MatchNotActive,
        NotAbsent,
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """Where somebody has kept you waiting for three days: the match is over, nobody wins."""
        body_of(request, Nothing)
        match = ending.call_off(match_id=match_id, user=signed_in(request))
        return match_answer(match, request.user.pk)
