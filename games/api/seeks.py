"""Quick pairing over the API: who wants a match with anybody, and what became of it."""

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
from games.api.matches.moves import idempotency_key
from games.api.parameters import IDEMPOTENCY_KEY
from games.api.schemas.seeks import NewSeek, SeekJson, SeekList, queue_response, seek_response
from games.api.text.plain_text import PlainText
from games.lobby import seeking, selectors
from games.lobby.refusals import AlreadyPaired, NoSuchSeek, StaysAway
from games.matches.refusals import (
    BadDeck,
    BadOptions,
    BadSeats,
    KeyReused,
    ProgramDeclines,
    TooManyActiveMatches,
    UnknownGame,
)


class Seeks(APIView):
    plain_text = PlainText

    @extend_schema(
        operation_id="seeks",
        summary="List your seeks",
        tags=["playing"],
        responses={200: SeekList},
    )
    def get(self, request: Request) -> Response:
        """Your seeks that wait, and those of the last ten minutes; and who else waits for what.

        A person who waits gives a sign of life by this call, by `GET seeks/<id>` or by an open
        stream (`GET stream`). Without one for 15 seconds a seek ends.
        """
        user = signed_in(request).pk
        seeking.sign_of_life([user])
        mine = selectors.seeks_of(user)[: selectors.MOST_SHOWN]
        queues = selectors.queues()
        own_seeks = [seek_response(seek, selectors.queue_among(queues, seek)) for seek in mine]
        return Response(SeekList(own_seeks, [queue_response(queue) for queue in queues]))

    @extend_schema(
        operation_id="create_seek",
        summary="Seek a match with anybody",
        tags=["playing"],
        parameters=IDEMPOTENCY_KEY,
        request=NewSeek,
        responses={
            201: SeekJson,
            **refusals(
                Malformed,
                UnknownGame,
                BadOptions,
                BadSeats,
                BadDeck,
                AlreadyPaired,
                StaysAway,
                KeyReused,
                ProgramDeclines,
                TooManyActiveMatches,
            ),
        },
    )
    def post(self, request: Request) -> Response:
        """Waits for others who want the same; the match begins when all seats are taken.

        That is told by the account's stream (`started`) and by `GET seeks`. For each game one seek
        waits at a time: the same wish again is the same seek, another one takes its place.
        The same `Idempotency-Key` again gives the seek that it made, whatever became of it.
        """
        terms = body_of(request, NewSeek)
        own_seek = seeking.seek(
            account=signed_in(request),
            wish=terms.wish,
            key=idempotency_key(request),
        )
        return created(
            seek_response(own_seek, selectors.queue_of(own_seek)), f"seeks/{own_seek.id}"
        )


class SeekDetail(APIView):
    plain_text = PlainText

    @extend_schema(
        operation_id="seek",
        summary="Read a seek",
        tags=["playing"],
        responses={200: SeekJson, **refusals(NoSuchSeek)},
    )
    def get(self, request: Request, seek_id: UUID) -> Response:
        """Whether it waits, was paired, or has ended; a sign of life of who waits."""
        user = signed_in(request).pk
        own_seek = selectors.seek_of(user, seek_id)
        seeking.sign_of_life([user])
        return Response(seek_response(own_seek, selectors.queue_of(own_seek)))

    @extend_schema(
        operation_id="delete_seek",
        summary="Stop waiting",
        tags=["playing"],
        responses={204: None, **refusals(NoSuchSeek, AlreadyPaired)},
    )
    def delete(self, request: Request, seek_id: UUID) -> Response:
        """Ends a seek; again is no error. One that was paired has its match: 409."""
        seeking.withdraw(account=signed_in(request), seek_id=seek_id)
        return Response(status=204)
