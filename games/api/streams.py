"""Streams: the events of a match, and the news of an account, as they happen."""

from functools import cache
from typing import Annotated, Any, Final, Literal
from uuid import UUID

import msgspec
from django.utils.translation import get_language, override
from drf_spectacular.utils import OpenApiResponse
from rest_framework.request import Request

from accounts.models import User
from config.api.document import refusals
from config.api.errors import Malformed
from config.api.json import shaped
from config.api.operations import Api, header_parameters
from config.counting import client_address
from config.refusals import TooManyRequests
from config.server.streams import LiveResponse
from games.absent import check_installed
from games.api.authentication import DEFERRED, RequestsByKey, anybody_or_key, visible_by_key
from games.api.match_answers import Match, match_response
from games.language import is_english
from games.live.hub import TooManyStreams, hub
from games.live.listener import EVENTS, LINES, Credential, Form, Talk, form_for, session_credential
from games.live.match_stream import Content, FollowingListener, MatchListener, Render
from games.live.news import (
    AnalysisNews,
    Cursor,
    FriendKind,
    FriendNews,
    Kind,
    News,
    NoticeNews,
    TournamentNews,
    cursor_from,
)
from games.live.page_stream import AccountListener
from games.matches import refusals as matches
from games.matches.seats import SeatIndex
from games.matches.selectors.log import plain_events
from games.matches.selectors.secrecy import may_tell_all
from games.spoken import messages_for_reader

api = Api("playing")


RESUMED: Final = {"pattern": r"^(-1|[0-9]{1,10})?$"}
NAMED: Final = {
    "pattern": r"^([0-9a-f]{1,12}(-([0-9a-f]{8})*)?(_[0-9a-f]{32}\.-?[0-9]{1,10}){0,20})?$",
    "maxLength": 4000,
}
"""What ``Last-Event-ID`` and ``after`` look like, of a match's stream and of an account's."""

Resumed = Annotated[int, msgspec.Meta(ge=-1, le=2**31 - 1)]


class MatchStreamQuery(msgspec.Struct, frozen=True):
    """``after``: resume after this version, -1 for everything; ``Last-Event-ID`` goes before it.

    ``phrases``: also send what people say at the table, as messages of the type
    ``said``. They have no version, and nothing resumes after them.
    """

    after: Resumed | None = None
    seat: SeatIndex | None = None
    phrases: bool = False


class MatchMessage(msgspec.Struct, frozen=True):
    """``match``: the match changed; ``end``: it is over, and nothing follows.

    ``events`` are those since the message before, as in ``matches/<id>/events``; ``version`` is the
    version they lead to. ``match`` is the match at this version. It is null only in the first of
    several messages that bring a reader up to date who resumed more than 500 versions behind.
    """

    type: Literal["match", "end"]
    game: str
    version: int
    events: list[dict[str, Any]]
    match: Match | None


UUID_TEXT: Final = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
FOLLOWED: Final = {"pattern": f"^(mine|{UUID_TEXT}(,{UUID_TEXT}){{0,19}})?$", "maxLength": 740}


class AccountStreamQuery(msgspec.Struct, frozen=True):
    """``after``: the ``id`` of the last message; ``Last-Event-ID`` goes before it.

    ``matches``: also send the moves of these matches, ids with commas, or of all that you play
    (``mine``), up to twenty, as messages of the type ``moves``. The same ``id`` resumes them.
    """

    after: Annotated[str, msgspec.Meta(max_length=4000, extra_json_schema=NAMED)] = ""
    matches: Annotated[
        str, msgspec.Meta(max_length=740, pattern=FOLLOWED["pattern"], extra_json_schema=FOLLOWED)
    ] = ""


class Moves(msgspec.Struct, frozen=True):
    """A ``MovesMessage`` before the stream gives it its ``id``."""

    type: Literal["moves"]
    match: UUID
    game: str
    version: int
    events: list[dict[str, Any]]
    current: Match | None
    is_over: bool


class MovesMessage(Moves, frozen=True, rename={"id_": "id"}, kw_only=True):
    """The moves of one of the `matches` that the stream follows, as in the match's own stream.

    `current` is the match at this `version`; null only while you are brought up to date over more
    than 500 versions. After `is_over` nothing more comes of it.
    """

    id_: str


class AccountNews(News, frozen=True, rename={"id_": "id"}, kw_only=True):
    """A piece of news of one of your matches, with the name to resume after."""

    id_: str


class FriendMessage(FriendNews, frozen=True, rename={"id_": "id"}, kw_only=True):
    """A piece of news of your friends, with the name to resume after."""

    id_: str


class AnalysisMessage(AnalysisNews, frozen=True, rename={"id_": "id"}, kw_only=True):
    """The analysis of this match, which you asked for, is there: `GET matches/<id>/analysis`."""

    id_: str


class NoticeMessage(NoticeNews, frozen=True, rename={"id_": "id"}, kw_only=True):
    """Operators announce this: a sentence by language, English always, and where to read more."""

    id_: str


class TournamentMessage(TournamentNews, frozen=True, rename={"id_": "id"}, kw_only=True):
    """An act on a tournament that you hold, take part in or are invited to, by its ``what``."""

    id_: str


class AccountMessage(msgspec.Struct, frozen=True):
    """A message of an account's stream; the document has a component for each type."""

    type: str


OF_EVERY_NEWS: Final = ("type", "match", "version", "game", "at", "deadline_at", "previous")
OF_AN_INVITATION: Final = {
    "invited": ("seat",),
    "rematch": ("seat",),
    "declined": ("seat", "reason"),
    "withdrawn": ("seat",),
    "challenge": ("seat", "challenge"),
    "take_back": ("seat", "round"),
    "take_back_accepted": ("seat", "round"),
    "take_back_declined": ("seat", "round"),
    "take_back_withdrawn": ("seat", "round"),
}
MEANING: Final[dict[Kind, str]] = {
    "your_turn": "You are to act at this version.",
    "invited": "A seat is kept for you. Join, or leave with a reason to decline.",
    "declined": "The person whom you invited does not come. The seat waits for what you decide; "
    "a rematch of the match `previous` and a challenge are called off.",
    "withdrawn": "You are no longer invited to this seat.",
    "started": "Every seat is taken, and the cards are dealt.",
    "finished": "The match was played to its end, or a side resigned.",
    "aborted": "The match was called off; nobody wins.",
    "rematch": "You are invited to play the match `previous` once more.",
    "challenge": "Somebody challenges you on these terms. `POST challenges/<match>/accept` or "
    "`decline`; joining or leaving the match does the same.",
    "take_back": "A player wants the round to be dealt again. Accept or decline before you move.",
    "take_back_accepted": "All have agreed; the round was dealt again.",
    "take_back_declined": "Somebody does not want the round to be dealt again.",
    "take_back_withdrawn": "The player who wanted it does not want it any more.",
    "nudge": "You have been to act for a day in a match without a clock.",
}
"""What each type of news says; `at` is when it happened."""
FRIEND_MEANING: Final[dict[FriendKind, str]] = {
    "friend_request": "This account asks to be your friend: `PUT accounts/me/friends/<username>`.",
    "friend_accepted": "This account has accepted: you are friends.",
}


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


@api.get(
    "matches/<uuid:match_id>/stream",
    tag="watching",
    authentication_classes=DEFERRED,  # `visible_by_key` looks the caller up
    throttle_classes=(RequestsByKey,),
    auth=anybody_or_key("read"),
    refuses=[matches.NotYourSeat, matches.GameNotInstalled],
    parameters=header_parameters(Last_Event_ID=RESUMED),
)
def stream(
    request: Request, query: MatchStreamQuery, match_id: UUID
) -> Annotated[LiveResponse, stream_responses(MatchMessage)]:
    """Follow a match

    The match and its events, live. The first message tells how it stands.
    """
    match, user = visible_by_key(match_id, request)
    check_installed(match.rules)
    if query.seat is not None and query.seat not in match.seats_of(user):
        raise matches.NotYourSeat
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
        render=_messages_in(None if is_english() else get_language(), match_message),
        seat=query.seat,
        after=after,
        plays=match.is_played_by(user),
        talk=talk if query.phrases else None,
    )
    live.sits = bool(match.seats_of(user))
    return opened(live, form)


@api.get("stream", parameters=header_parameters(Last_Event_ID=NAMED))
def account_stream(
    request: Request, user: User, query: AccountStreamQuery
) -> Annotated[LiveResponse, stream_responses(AccountMessage)]:
    """Follow your matches

    The news of your matches, live: your turn, invitations, what begins and ends.

    The first message, `hello`, says what waits for you now. With `matches` one stream is enough
    for a program that plays or shows several matches.
    """
    last = request.headers.get("Last-Event-ID", "").strip() or query.after
    form, credential = form_of(request), credential_of(request, user.pk)
    cursor, versions = _cursor(last)
    if not query.matches:
        return opened(AccountListener(form, credential, hub(), user.pk, cursor), form)
    named = [UUID(one) for one in query.matches.split(",") if query.matches != "mine"]
    render = _messages_in(None if is_english() else get_language(), moves_message)
    live = FollowingListener(
        *(form, credential, hub(), user.pk, cursor), render=render, named=named, versions=versions
    )
    return opened(live, form)


def _cursor(last: str) -> tuple[Cursor | None, dict[UUID, int]]:
    """Up to which news a client has got everything, and up to which version of its matches."""
    news, *places = last.split("_")
    try:
        pairs = [one.partition(".") for one in places]
        versions = {UUID(name): max(-1, int(version)) for name, _, version in pairs}
        return cursor_from(news) if news else None, versions
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
def _messages_in(language: str | None, message: Render) -> Render:
    """A message in the language of a request that has ended; without one it is not translated."""
    if language is None:
        return message

    def render(content: Content) -> bytes:
        with override(language):
            return message(content)

    return render


def match_message(content: Content) -> bytes:
    """A message of a match's stream for one reader."""
    return msgspec.json.encode(
        MatchMessage(content.kind, content.match.game, content.version, *_read_by(content))
    )


def moves_message(content: Content) -> bytes:
    """The same in an account's stream, whose listener adds the name to resume after."""
    if content.kind == "end":
        return b""
    match, version = content.match, content.version
    is_over = content.is_last and match.is_over
    return msgspec.json.encode(
        Moves("moves", match.id, match.game, version, *_read_by(content), is_over)
    )


def _read_by(content: Content) -> tuple[list[dict[str, Any]], Match | None]:
    """The events and the match as the reader may know them."""
    match, seat = content.match, content.seat
    reader = match.acting_seat(content.user) if seat is None else seat
    shows_all = match.is_over and may_tell_all(match, content.user)
    events = plain_events(match, content.entries, reader, shows_all=shows_all)
    return events, match_response(match, content.user, seat) if content.is_last else None
