"""The messages of the streams as JSON; the two forms carry the same."""

from typing import Annotated, Any, Final, Literal

import msgspec

from games.api.schemas.fields import SeatIndex
from games.api.schemas.matches import Match
from games.live.analysis_news import AnalysisNews
from games.live.friend_news import FriendKind, FriendNews
from games.live.news import Kind, News

RESUMED: Final = {"pattern": r"^(-1|[0-9]{1,10})?$"}
NAMED: Final = {"pattern": "^([0-9a-f]{1,12}(-([0-9a-f]{8})*)?)?$", "maxLength": 3000}
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


class AccountStreamQuery(msgspec.Struct, frozen=True):
    """``after``: the ``id`` of the last message; ``Last-Event-ID`` goes before it."""

    after: Annotated[str, msgspec.Meta(max_length=3000, extra_json_schema=NAMED)] = ""


class AccountNews(News, frozen=True, rename={"id_": "id"}, kw_only=True):
    """A piece of news of one of your matches, with the name to resume after."""

    id_: str


class FriendMessage(FriendNews, frozen=True, rename={"id_": "id"}, kw_only=True):
    """A piece of news of your friends, with the name to resume after."""

    id_: str


class AnalysisMessage(AnalysisNews, frozen=True, rename={"id_": "id"}, kw_only=True):
    """The analysis of this match, which you asked for, is there: `GET matches/<id>/analysis`."""

    id_: str


class AccountMessage(msgspec.Struct, frozen=True):
    """What an account's stream says; the document has a component for each type."""

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
