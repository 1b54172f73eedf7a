"""What people at a table settle with each other: taking a round back, and who need not wait."""

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.api.matches.answers import answer_after
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
    DealIsSealed,
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
        DealIsSealed,
        BadSave,
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """Asks all other people to deal a round of an unrated match again.

        It is the round of the last move, unless `round` names an earlier one. The request is over
        with the next move. Each player may ask once at a version; asking for what another has asked
        for accepts it. Where nobody else plays, load an earlier version instead.
        """
        return answer_after(taking_back.ask, request, match_id, TakeBackRequest)


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
        return answer_after(taking_back.answer, request, match_id, TakeBackAnswer)


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
        return answer_after(taking_back.withdraw, request, match_id, TakeBackWithdrawal)


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
        return answer_after(ending.claim, request, match_id, Nothing)


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
        return answer_after(ending.call_off, request, match_id, Nothing)
