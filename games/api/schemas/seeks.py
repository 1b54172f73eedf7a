"""Bodies and answers of seeks."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from config.api.answers import ROOT
from games.api.schemas.fields import Body
from games.api.schemas.match_requests import ClockTerms
from games.lobby.models import Seek
from games.lobby.paces import OF_CLOCKS, find_pace, is_pace
from games.lobby.seeking import MOST_SEATS, Wish
from games.lobby.selectors import Queue

PaceName = Literal["blitz", "normal", "slow_1", "slow_3", "slow_7"]
PaceShown = Literal["blitz", "normal", "slow_1", "slow_3", "slow_7", "clock"]
LONGEST_WAIT = 24 * 3600


class NewSeek(Body, frozen=True):
    """A match with anybody. Without ``seats`` as many people as the preset, or the game, has.

    ``pace``: 20 s a move, 60 s, or 1, 3 or 7 days. A ``clock`` takes its place: those who want the
    same one are paired. ``computers_after``: so many seconds later
    computers may take the seats that are left; null for people only.
    """

    game: Annotated[str, msgspec.Meta(max_length=32)]
    pace: PaceName = "normal"
    preset: Annotated[str, msgspec.Meta(max_length=64)] | None = None
    rated: bool = True
    seats: Annotated[int, msgspec.Meta(ge=2, le=MOST_SEATS)] | None = None
    computers_after: Annotated[int, msgspec.Meta(ge=0, le=LONGEST_WAIT)] | None = None
    clock: ClockTerms | None = None

    @property
    def wish(self) -> Wish:
        terms = msgspec.structs.asdict(self)
        return Wish(**{**terms, "clock": self.clock.clock if self.clock else None})


class SeekJson(msgspec.Struct, frozen=True):
    """``match`` is there as soon as ``status`` is ``paired``; ``ending`` says why a seek ended.

    ``waiting`` are all who wait for this game at this pace, ``seconds`` how long it took lately.
    """

    id: UUID
    game: str
    preset: str | None
    pace: PaceShown
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
    clock: ClockTerms | UnsetType = UNSET


class QueueJson(msgspec.Struct, frozen=True):
    """How many people wait for a game at a pace, and how many seconds it took in the last hour.

    Where ``pace`` is ``clock``, here and in a seek, ``clock`` says which one.
    """

    game: str
    pace: PaceShown
    waiting: int
    seconds: int | None
    clock: ClockTerms | UnsetType = UNSET


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
        pace=pace_shown(seek.pace),
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
        clock=clock_shown(seek.pace),
    )


def queue_response(queue: Queue) -> QueueJson:
    pace, clock = pace_shown(queue.pace), clock_shown(queue.pace)
    return QueueJson(queue.game, pace, queue.waiting, queue.seconds, clock)


def pace_shown(slug: str) -> PaceShown:
    return "clock" if OF_CLOCKS in slug else slug  # type: ignore[return-value]


def clock_shown(slug: str) -> ClockTerms | UnsetType:
    clock = find_pace(slug).clock if is_pace(slug) else None
    return UNSET if clock is None else ClockTerms(clock.bank, clock.increment)
