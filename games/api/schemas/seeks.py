"""Bodies and answers of seeks."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

import msgspec

from config.api.answers import ROOT
from games.api.schemas.fields import Body
from games.lobby.models import Seek
from games.lobby.seeking import MOST_SEATS
from games.lobby.selectors import Queue

PaceName = Literal["blitz", "normal", "slow_1", "slow_3", "slow_7"]
LONGEST_WAIT = 24 * 3600


class NewSeek(Body, frozen=True):
    """A match with anybody. Without ``seats`` as many people as the preset, or the game, has.

    ``pace``: 20 s a move, 60 s, or 1, 3 or 7 days. ``computers_after``: so many seconds later
    computers may take the seats that are left; null for people only.
    """

    game: Annotated[str, msgspec.Meta(max_length=32)]
    pace: PaceName = "normal"
    preset: Annotated[str, msgspec.Meta(max_length=64)] | None = None
    rated: bool = True
    seats: Annotated[int, msgspec.Meta(ge=2, le=MOST_SEATS)] | None = None
    computers_after: Annotated[int, msgspec.Meta(ge=0, le=LONGEST_WAIT)] | None = None


class SeekJson(msgspec.Struct, frozen=True):
    """``match`` is there as soon as ``status`` is ``paired``; ``ending`` says why a seek ended.

    ``waiting`` are all who wait for this game at this pace, ``seconds`` how long it took lately.
    """

    id: UUID
    game: str
    preset: str | None
    pace: PaceName
    rated: bool
    seats: int
    computers_after: int | None
    status: Literal["waiting", "paired", "ended"]
    ending: Literal["withdrawn", "lapsed", "refused"] | None
    match: UUID | None
    waiting: int
    seconds: int | None
    created_at: datetime
    links: dict[str, str]


class QueueJson(msgspec.Struct, frozen=True):
    """How many people wait for a game at a pace, and how many seconds it took in the last hour."""

    game: str
    pace: PaceName
    waiting: int
    seconds: int | None


class SeekList(msgspec.Struct, frozen=True):
    """Your seeks, and everybody's queues in which somebody waits or was paired lately."""

    results: list[SeekJson]
    queues: list[QueueJson]


def seek_response(seek: Seek, queue: Queue) -> SeekJson:
    links = {"self": f"{ROOT}seeks/{seek.id}"}
    if seek.match_id:
        links["match"] = f"{ROOT}matches/{seek.match_id}"
    return SeekJson(
        id=seek.id,
        game=seek.game,
        preset=seek.preset or None,
        pace=seek.pace,  # type: ignore[arg-type]
        rated=seek.rated,
        seats=seek.seats,
        computers_after=seek.computers_after,
        status=seek.status,  # type: ignore[arg-type]
        ending=seek.ending or None,  # type: ignore[arg-type]
        match=seek.match_id,
        waiting=queue.waiting,
        seconds=queue.seconds,
        created_at=seek.created_at,
        links=links,
    )


def queue_response(queue: Queue) -> QueueJson:
    return QueueJson(queue.game, queue.pace, queue.waiting, queue.seconds)  # type: ignore[arg-type]
