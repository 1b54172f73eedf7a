"""The shape of a match in JSON; ``match_answers`` fills it."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from cardroom.rules.match_shape import RoundShape, Streak
from cardroom.rules.values import Outcome
from games.api.schemas.fields import (
    OnTimeout,
    Reason,
    Status,
    Visibility,
)
from games.api.schemas.match_requests import ClockTerms


class SeatJson(msgspec.Struct, frozen=True):
    """``bot`` also names who plays on a seat that resigned or was handed to a bot.

    ``can_return``: its person may take it back from the bot that plays since the time was up.
    ``invited``: kept for the person of this name; ``for_friends``: for friends of the host.
    ``declined``: why that person does not come, as the host is told it (others read ``generic``);
    the seat is kept until the host says what becomes of it.
    """

    index: int
    kind: Literal["open", "user", "local", "bot"]
    name: str
    points: int
    place: int | None
    is_you: bool
    bot: str | None
    invited: bool
    resigned: bool
    can_return: bool
    declined: Reason | None
    for_friends: bool


class SeatClock(msgspec.Struct, frozen=True):
    """``seconds`` were left when the bank was started or stopped last; where it runs now, it is
    empty at ``until``."""

    seconds: float
    until: datetime | None


class MatchClock(msgspec.Struct, frozen=True):
    """``bank`` and ``increment`` are the terms, in seconds.

    ``seats``: what each seat has, null for one without a person. It is empty until the cards are
    dealt, and where the match is shown as it was at an earlier version.
    """

    bank: int
    increment: int
    seats: list[SeatClock | None]


class FirstMove(msgspec.Struct, frozen=True):
    """``seats``: whose people have not moved yet. Without a first move until then the match is
    called off and not rated; ``until`` is null where nobody of them is to move, or nobody came.
    """

    seats: list[int]
    until: datetime | None


class WishToTakeBack(msgspec.Struct, frozen=True):
    """A player wants the round to be dealt again; once all other people accept, it is.

    ``seat`` is that player's, ``version`` what an answer names, ``agreed`` who accepted so far.
    With the next move it is over.
    """

    seat: int
    round: int
    version: int
    status: Literal["waiting", "accepted", "declined", "withdrawn"]
    agreed: list[int]


class LegalMove(msgspec.Struct, frozen=True):
    move: str
    label: str


class RatingChangeJson(msgspec.Struct, frozen=True):
    """``deviation``: two of three ratings of this certainty are within so much of the strength."""

    seat: int
    before: float
    after: float
    deviation: float
    provisional: bool


class Match(msgspec.Struct, frozen=True):
    """The match as the caller may see it; ``view`` is the game's own and null before the deal.

    ``on_timeout`` is what happens at ``deadline_at``, null where moves have no limit. ``clock`` is
    there where everybody has a bank of time for the whole match. ``rated`` is
    false where computers found that more than a quarter of the matches by these options never end;
    it may become false a moment after the match was opened. It is settled when the match begins.
    ``rating_changes``: what a rated match made of the ratings of its people, a moment after its
    end. Those who look on see a running match as it was ``watch_delay`` plies ago. ``coached``: its
    player could ask for hints, so it counts in no results. ``mirrored``: it is one of several that
    are dealt alike with the sides swapped. ``first_move``: who among several people has to make a
    first move in time; in a match that was called off for it, who did not; else it is left out.
    """

    id: UUID
    game: str
    rules_version: int
    options: Any
    status: Status
    version: int
    round: int
    seats: list[SeatJson]
    to_act: list[int]
    your_seats: list[int]
    acting_seat: int | None
    view: Any
    legal_moves: list[LegalMove]
    outcome: Outcome | None
    commitment: str
    seed: str | None
    visibility: Visibility
    turn_seconds: int | None
    on_timeout: OnTimeout | None
    deadline_at: datetime | None
    created_at: datetime
    updated_at: datetime
    links: dict[str, str]
    rated: bool
    watch_delay: int
    parent: UUID | None
    parent_version: int | None
    clock: MatchClock | None = None
    take_back: WishToTakeBack | None = None
    coached: bool = False
    mirrored: bool = False
    rating_changes: list[RatingChangeJson] | None = None
    first_move: FirstMove | UnsetType = UNSET


class MatchSummary(msgspec.Struct, frozen=True):
    """A match in a list: no view. ``host`` opened it, ``watchers`` look on while it runs (null: not
    known now). ``clock`` are the terms of a bank of time for the whole match, and is left out where
    there is none. ``game_installed`` is false where the service does not have the
    match's game now: the match is kept, can be read as a record when it is over, and cannot be
    played. Elsewhere it is left out. Of a match with a ``watch_delay`` those who look on find here
    what the match itself shows them, and nobody in ``to_act``.
    """

    id: UUID
    game: str
    status: Status
    version: int
    round: int
    seats: list[SeatJson]
    to_act: list[int]
    your_seats: list[int]
    visibility: Visibility
    turn_seconds: int | None
    deadline_at: datetime | None
    created_at: datetime
    updated_at: datetime
    links: dict[str, str]
    options: Any
    rated: bool
    host: str
    watchers: int | None
    game_installed: bool | UnsetType = UNSET
    clock: ClockTerms | UnsetType = UNSET


class Notice(msgspec.Struct, frozen=True):
    """What an operator told the players."""

    at: datetime
    text: str


class MatchList(msgspec.Struct, frozen=True):
    results: list[MatchSummary]
    next: str | None


class Save(msgspec.Struct, frozen=True):
    round: int
    version: int
    opened_at: datetime
    closed_at: datetime | None
    scores: list[int] | None


class Shape(msgspec.Struct, frozen=True):
    """How the match went, by its finished rounds; sides and rounds are numbers.

    ``match_point``: the sides that may win with the next round, none when the match is over.
    ``turning_point``: the round since which the side in front has led, null if nobody led before.
    """

    match_point: list[int]
    lead_changes: int
    turning_point: int | None
    streak: Streak | None
    rounds: list[RoundShape]
