"""What players do to a match besides moving: join, leave, resign, load."""

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.signing_in.signed_in import signed_in
from config.api.json import body_of
from config.api.throttles import Loads, Requests
from config.refusals import NotAllowed
from games.api.matches.answers import answer_after, match_answer
from games.api.parameters import TOO_MANY_MATCHES, match_action
from games.api.schemas.fields import Nothing
from games.api.schemas.match_requests import Join, Leave, Load, MoreTime, SeatOffer, SeatTakenBack
from games.api.schemas.moves import Resignation
from games.api.text.plain_text import PlainText
from games.matches.history import loading
from games.matches.leaving import resigning
from games.matches.overdue import clocks
from games.matches.refusals import (
    AlreadySeated,
    BadDeck,
    BadSave,
    BadSeats,
    CannotAbort,
    CannotBeRated,
    DealIsSealed,
    InvitedIsBlocked,
    MatchNotActive,
    MatchNotOpen,
    NobodyToGiveTime,
    NoMoreInvitations,
    NotYourSeat,
    ProgramDeclines,
    SeatHandedOver,
    SeatIsOut,
    SeatTaken,
    StaleVersion,
    TimeIsUp,
    TooManyActiveMatches,
    TooManyBotMatches,
    TooManyInvitations,
    TooMuchTime,
    UnknownBot,
    UnknownDeck,
    UnknownUser,
)
from games.matches.seating import inviting, joining
from games.matches.selectors.access import Caller


class MatchJoin(APIView):
    plain_text = PlainText

    @match_action(
        "join",
        "Take a seat",
        Join,
        SeatTaken,
        AlreadySeated,
        MatchNotOpen,
        UnknownDeck,
        BadDeck,
        CannotBeRated,
        ProgramDeclines,
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """Takes an open seat, or the one you are invited to."""
        return answer_after(joining.join, request, match_id, Join)


class MatchLeave(APIView):
    @match_action("leave", "Give a seat back", Leave, NotAllowed, MatchNotOpen)
    def post(self, request: Request, match_id: UUID) -> Response:
        """Gives the seat back, or declines an invitation, while the match is open.

        The creator leaving aborts the match. Its host is told of an invitation that is declined,
        and the seat is kept until the host invites somebody, opens it or lets a computer play.
        """
        return answer_after(joining.leave, request, match_id, Leave)


class MatchInvite(APIView):
    @match_action(
        "invite",
        "Give a free seat to somebody",
        SeatOffer,
        NotAllowed,
        MatchNotOpen,
        SeatTaken,
        BadSeats,
        BadDeck,
        UnknownUser,
        UnknownBot,
        InvitedIsBlocked,
        NoMoreInvitations,
        TooManyInvitations,
        TooManyActiveMatches,
        TooManyBotMatches,
        CannotBeRated,
        ProgramDeclines,
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """Invites a person to a seat of your match, opens it, or lets a computer play.

        Who was invited before and has not answered is told that the invitation is withdrawn.
        """
        offer, host = body_of(request, SeatOffer), signed_in(request)
        if isinstance(offer.username, str):
            match = inviting.invite(
                match_id=match_id, host=host, seat=offer.seat, username=offer.username
            )
        elif isinstance(offer.bot, str):
            match = inviting.fill_seat(match_id=match_id, host=host, seat=offer.seat, bot=offer.bot)
        else:
            friends = offer.friends is True
            match = inviting.open_seat(
                match_id=match_id, host=host, seat=offer.seat, friends=friends
            )
        return match_answer(match, host.pk)


class MatchAbort(APIView):
    @match_action("abort", "Stop a match of your own", Nothing, MatchNotActive, CannotAbort)
    def post(self, request: Request, match_id: UUID) -> Response:
        """Stops a match that nobody but you sat in: bots alone, or you before the second round."""
        return answer_after(joining.stop, request, match_id, Nothing)


class MatchResign(APIView):
    plain_text = PlainText

    @match_action(
        "resign",
        "Resign",
        Resignation,
        NotYourSeat,
        NotAllowed,
        MatchNotActive,
        SeatIsOut,
        StaleVersion,
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """Gives up; among more than two sides a bot plays the seat on."""
        body = body_of(request, Resignation)
        caller = Caller(user=request.user.pk)
        match = resigning.resign(match_id=match_id, caller=caller, seat=body.seat)
        return match_answer(match, request.user.pk)


class MatchTime(APIView):
    plain_text = PlainText

    @match_action(
        "give_time",
        "Give the others time",
        MoreTime,
        NotYourSeat,
        MatchNotActive,
        NobodyToGiveTime,
        TimeIsUp,
        TooMuchTime,
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """Gives the others who are to act more time for this move, by default the limit again."""
        return answer_after(clocks.give_time, request, match_id, MoreTime)


class MatchReclaim(APIView):
    plain_text = PlainText

    @match_action(
        "reclaim", "Take your seat back", SeatTakenBack, NotYourSeat, MatchNotActive, SeatHandedOver
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """Takes your seat back from the bot that took over when your time was up."""
        return answer_after(clocks.reclaim, request, match_id, SeatTakenBack)


class MatchLoad(APIView):
    throttle_classes = (Requests, Loads)

    @match_action(
        "load",
        "Load a saved point",
        Load,
        NotAllowed,
        BadSave,
        DealIsSealed,
        *TOO_MANY_MATCHES,
        status=201,
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """Opens a new match that plays on from a saved point; the old one stays as it was."""
        return answer_after(loading.load, request, match_id, Load, status=201)
