"""What people say at a table: what is offered, said, and not read by the caller."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.signing_in.signed_in import signed_in
from config.api.json import body_of
from config.api.schema import refusals
from config.refusals import NotAllowed, NotFound
from games.api.matches.access import visible
from games.api.schemas.phrases import MuteSeat, NewPhrase, OfferedPhrase, Phrases, SaidPhrase
from games.language import words
from games.matches.snapshot import MatchSnapshot
from games.phrases import selectors, speaking
from games.phrases.models import Saying
from games.phrases.refusals import (
    NobodyListens,
    NobodyToMute,
    NoSuchPhrase,
    Silenced,
    TableIsLeft,
    TooManyPhrases,
)
from games.phrases.sentences import find, offered_at


class MatchPhrases(APIView):
    @extend_schema(
        operation_id="phrases",
        summary="Read what is said at a table",
        tags=["watching"],
        responses={200: Phrases, **refusals(NotFound)},
    )
    def get(self, request: Request, match_id: UUID) -> Response:
        """What the caller may say, and what was said in the last minute.

        As it happens the match's stream says it, with `phrases=true`.
        """
        return Response(_phrases(visible(match_id, request), signed_in(request).pk))

    @extend_schema(
        operation_id="say_phrase",
        summary="Say something at a table",
        tags=["playing"],
        request=NewPhrase,
        responses={
            201: SaidPhrase,
            **refusals(
                NotFound,
                NotAllowed,
                NoSuchPhrase,
                NobodyListens,
                TableIsLeft,
                TooManyPhrases,
                Silenced,
            ),
        },
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """Says one of the offered phrases at the caller's seat, five a minute at most.

        It is shown for four seconds; the same again in this time is the same. It is no part of the
        match: no log and no record has it.
        """
        phrase = body_of(request, NewPhrase).phrase
        row = speaking.speak(match_id=match_id, user=signed_in(request), phrase=phrase)
        return Response(_response(visible(match_id, request), row), status=201)


class MatchMute(APIView):
    write_scope = "account"

    @extend_schema(
        operation_id="mute_player",
        summary="Stop reading a player",
        tags=["playing"],
        request=MuteSeat,
        responses={204: None, **refusals(NobodyToMute, NotFound)},
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """The caller gets no more phrases of this person, at any table; they are not told."""
        seat = body_of(request, MuteSeat).seat
        speaking.mute(match_id=match_id, user=signed_in(request), seat=seat)
        return Response(status=204)


class MatchUnmute(APIView):
    write_scope = "account"

    @extend_schema(
        operation_id="unmute_player",
        summary="Read a player again",
        tags=["playing"],
        request=MuteSeat,
        responses={204: None, **refusals(NobodyToMute, NotFound)},
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """Takes back that the caller reads nothing of this person, or of anybody."""
        seat = body_of(request, MuteSeat).seat
        speaking.unmute(match_id=match_id, user=signed_in(request), seat=seat)
        return Response(status=204)


def _phrases(match: MatchSnapshot, reader: UUID) -> Phrases:
    offered = offered_at(match.rules) if selectors.may_speak(match, reader) else []
    lately = selectors.said_lately(match.id, reader)
    people = {seat.user_id: seat.index for seat in match.seats if seat.user_id}
    all_, muted = selectors.mutes_of(reader, people)
    return Phrases(
        offered=[OfferedPhrase(one.slug, words(one.words), one.picture) for one in offered],
        said=[_response(match, row) for row in lately],
        muted=sorted(people[account] for account in muted),
        muted_all=all_,
    )


def _response(match: MatchSnapshot, row: Saying) -> SaidPhrase:
    offered = find(match.rules, row.phrase)
    text, picture = (words(offered.words), offered.picture) if offered else (row.phrase, "")
    return SaidPhrase(row.seat, row.phrase, text, picture, row.at)
