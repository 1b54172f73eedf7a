"""A seat of a match as one read gives it, and who moves it: a person or a bot. Values only."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from uuid import UUID

import msgspec

from cardroom.rules.game import AnyGame
from cardroom.rules.values import Setup, State

ALONE_EVERY = timedelta(seconds=1)  # a run of moves in a match without a person


class SeatProgress(msgspec.Struct, frozen=True, array_like=True):
    """The columns of a seat that a commit writes, and its index."""

    index: int
    points: int
    place: int | None
    resigned_at: int | None
    timed_out: bool
    extra_seconds: int
    extra_version: int | None
    awaited: bool  # its person has not moved yet, and has a time for that (``first_moves``)


class SeatSnapshot(SeatProgress, frozen=True, array_like=True):
    kind: str
    user_id: UUID | None
    invited_id: UUID | None
    bot: str
    name: str
    side_deck: tuple[str, ...] | None
    stand_in: str = ""
    handed_by_clock: bool = False
    declined: str = ""
    for_friends: bool = False

    @property
    def is_reserved(self) -> bool:
        """It is free, but not for everybody: for an invited person, or as its host says."""
        return self.kind == "open" and self.invited_id is not None

    def awaits(self, user: UUID | None) -> bool:
        """Whether it waits for this person's answer to an invitation."""
        return user is not None and self.invited_id == user and not self.declined

    def extra_at(self, since: int, version: int) -> int:
        """Seconds beyond the limit for the choice that it has at ``version`` and that began then.

        They were given while it had that choice, or by the moves that gave it.
        """
        given = self.extra_version
        return self.extra_seconds if given is not None and since <= given <= version else 0

    @property
    def may_be_reclaimed(self) -> bool:
        """Its person may take it back from the bot that plays since the time was up."""
        return self.handed_by_clock and bool(self.stand_in) and self.resigned_at is None

    @property
    def setup(self) -> Setup:
        """The seat for the rules."""
        return Setup(self.name, self.bot or None, self.side_deck)


def resigned(seats: Sequence[SeatSnapshot]) -> tuple[int, ...]:
    """The seats that resigned, the first to resign first."""
    gone = [seat for seat in seats if seat.resigned_at is not None]
    return tuple(seat.index for seat in sorted(gone, key=lambda seat: seat.resigned_at or 0))


def has_people(seats: Iterable[SeatSnapshot]) -> bool:
    """Whether a person holds one of the seats, has not resigned it and moves it."""
    return any(
        seat.user_id is not None and seat.resigned_at is None and not seat.stand_in
        for seat in seats
    )


def bots_due_at(
    to_act: Sequence[int], people: Sequence[int], seats: Sequence[SeatSnapshot], at: datetime
) -> datetime | None:
    """When the bots' turn is due: at once where a person waits, paced where none holds a seat."""
    if len(people) == len(to_act):
        return None
    return at if has_people(seats) else at + ALONE_EVERY


def people_among(
    to_act: Sequence[int], game: AnyGame, seats: Sequence[SeatSnapshot], state: State
) -> list[int]:
    """Those of the seats to act that a person moves."""
    return [seat for seat in to_act if not bot_in_control(game, seats[seat], state)]


def bot_in_control(game: AnyGame, seat: SeatSnapshot, state: State) -> str | None:
    """The bot that moves for a seat in this state, ``None`` for a person.

    Besides the bots' own seats the service moves for seats that were handed to a bot, that resigned
    (the game's stand-in plays them on) and that have nothing to choose (``Game.autoplays``). A bot
    that is no longer installed is replaced by one that stands in.
    """
    if seat.stand_in:
        return seat.stand_in
    if seat.kind == "bot":
        return seat.bot
    if seat.resigned_at is not None or game.autoplays(state, seat.index):
        return game.stand_in
    return None
