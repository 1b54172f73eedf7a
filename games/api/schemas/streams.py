"""The messages of the streams as JSON; the two forms carry the same."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec

from games.api.schemas.fields import SeatIndex
from games.api.schemas.matches import Match
from games.live.news import Kind, News

Resumed = Annotated[int, msgspec.Meta(ge=-1, le=2**31 - 1)]


class MatchStreamQuery(msgspec.Struct, frozen=True):
    """``after``: resume after this version, -1 for everything; ``Last-Event-ID`` goes before it."""

    after: Resumed | None = None
    seat: SeatIndex | None = None


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

    after: Annotated[str, msgspec.Meta(max_length=3000)] = ""


class AccountHello(msgspec.Struct, frozen=True, rename={"id_": "id"}):
    """The first message: the news that waits for you to act."""

    type: Literal["hello"]
    id_: str
    waiting: list[News]


class AccountNews(msgspec.Struct, frozen=True, rename={"id_": "id"}):
    """A piece of news of one of your matches.

    ``your_turn``: you are to act at this version. ``invited``, ``rematch``: a seat is kept for you;
    ``previous`` is the match that a rematch follows. ``at`` is when it happened.
    """

    type: Kind
    id_: str
    match: UUID
    version: int
    game: str
    at: datetime
    deadline_at: datetime | None
    previous: UUID | None


class AccountMessage(msgspec.Struct, frozen=True):
    """What an account's stream says; the document tells ``AccountHello`` from ``AccountNews``."""

    type: str
