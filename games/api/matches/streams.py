"""Streams: the events of a match, and the news of an account, as they happen."""

from collections.abc import Callable
from functools import cache
from typing import Any
from uuid import UUID

import msgspec
from django.http import HttpResponse
from django.utils.translation import get_language, override
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.signing_in.signed_in import signed_in
from config.api.json import query_of, shaped
from config.api.refusals import Malformed
from config.api.schema import refusals
from config.counting.client_address import client_address
from config.refusals import TooManyRequests
from config.server.streams import LiveResponse
from games.absent import check_installed
from games.api.authentication import DEFERRED, RequestsByKey, anybody_or_key
from games.api.matches.access import visible_by_key
from games.api.parameters import query_parameters
from games.api.schemas.match_answers import match_response
from games.api.schemas.streams import (
    NAMED,
    RESUMED,
    AccountMessage,
    AccountStreamQuery,
    MatchMessage,
    MatchStreamQuery,
    Resumed,
)
from games.language import is_english
from games.live.account_stream import AccountListener
from games.live.credentials import Credential, session_credential
from games.live.encodings import EVENTS, LINES, Form, form_for
from games.live.hub import hub
from games.live.match_stream import Content, MatchListener
from games.live.news import Cursor, cursor_from
from games.live.refusals import TooManyStreams
from games.live.talk import Talk
from games.matches.refusals import GameNotInstalled, NotYourSeat
from games.matches.selectors.log import plain_events
from games.matches.selectors.secrecy import may_tell_all
from games.spoken import messages_for_reader


def stream_responses(message: type[msgspec.Struct]) -> dict[Any, Any]:
    """A stream in its two forms, and the refusals of its own."""
    events = OpenApiResponse(
        {"type": "string", "x-message": message.__name__},
        "Server-Sent Events: `event` is the message's type, `data` its JSON, `id` what "
        "`Last-Event-ID` resumes after. A comment every 15 seconds keeps the connection alive.",
    )
    lines = OpenApiResponse(
        message, "With `Accept: application/x-ndjson`: a message a line; empty lines say nothing."
    )
    return {
        (200, EVENTS.content_type): events,
        (200, LINES.content_type): lines,
        **refusals(Malformed, TooManyStreams, TooManyRequests),
    }


class MatchStream(APIView):
    authentication_classes = DEFERRED
    permission_classes = (AllowAny,)  # `visible_by_key` looks the caller up
    throttle_classes = (RequestsByKey,)

    @extend_schema(
        operation_id="stream",
        summary="Follow a match",
        tags=["watching"],
        auth=anybody_or_key("read"),
        parameters=query_parameters(MatchStreamQuery, Last_Event_ID=RESUMED),
        responses={**stream_responses(MatchMessage), **refusals(NotYourSeat, GameNotInstalled)},
    )
    def get(self, request: Request, match_id: UUID) -> HttpResponse:
        """The match and its events, live. The first message tells how it stands."""
        query = query_of(request, MatchStreamQuery)
        match, user = visible_by_key(match_id, request)
        check_installed(match.rules)
        if query.seat is not None and query.seat not in match.seats_of(user):
            raise NotYourSeat
        form, credential = form_of(request), credential_of(request, user)
        after = query.after
        if last := request.headers.get("Last-Event-ID", "").strip():
            after = shaped(last, Resumed, strict=False)
        talk = Talk(match_id, user, messages_for_reader(match.rules))
        live = MatchListener(
            form,
            credential,
            hub(),
            match_id,
            render=match_message if is_english() else _messages_in(get_language() or ""),
            seat=query.seat,
            after=after,
            plays=match.is_played_by(user),
            talk=talk if query.phrases else None,
        )
        live.sits = bool(match.seats_of(user))
        return opened(live, form)


class AccountStream(APIView):
    @extend_schema(
        operation_id="account_stream",
        summary="Follow your matches",
        tags=["playing"],
        parameters=query_parameters(AccountStreamQuery, Last_Event_ID=NAMED),
        responses=stream_responses(AccountMessage),
    )
    def get(self, request: Request) -> HttpResponse:
        """The news of your matches, live: your turn, invitations, what begins and ends.

        The first message, `hello`, says what waits for you now.
        """
        query = query_of(request, AccountStreamQuery)
        last = request.headers.get("Last-Event-ID", "").strip() or query.after
        user = signed_in(request).pk
        form, credential = form_of(request), credential_of(request, user)
        return opened(AccountListener(form, credential, hub(), user, _cursor(last)), form)


def _cursor(last: str) -> Cursor | None:
    try:
        return cursor_from(last) if last else None
    except (ValueError, OverflowError):
        raise Malformed("This is not the id of a message of this stream.") from None


def form_of(request: Request) -> Form:
    return form_for(request.headers.get("Accept", ""))


def credential_of(request: Request, user: UUID | None) -> Credential:
    """The key or the session that the caller signed in with; a watcher may have neither."""
    address = client_address(request)
    if request.auth is None:
        return session_credential(request, address)
    auth: Any = request.auth
    digest = auth if isinstance(auth, str) else auth.digest
    return Credential(user, digest=digest, address=address)


def opened(live: Any, form: Form) -> LiveResponse:
    """The response whose body is the stream."""
    hub().judge(live.credential, plays=live.plays)
    return LiveResponse(live, form.content_type)


@cache  # readers of one language share their messages
def _messages_in(language: str) -> Callable[[Content], bytes]:
    """``match_message`` in the language of a request that has ended."""

    def render(content: Content) -> bytes:
        with override(language):
            return match_message(content)

    return render


def match_message(content: Content) -> bytes:
    """A message of a match's stream for one reader."""
    match, seat = content.match, content.seat
    reader = match.acting_seat(content.user) if seat is None else seat
    shows_all = match.is_over and may_tell_all(match, content.user)
    events = plain_events(match, content.entries, reader, shows_all=shows_all)
    body = match_response(match, content.user, seat) if content.is_last else None
    return msgspec.json.encode(
        MatchMessage(content.kind, content.match.game, content.version, events, body)
    )
