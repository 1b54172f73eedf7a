"""What a table page is made of: the buttons of the moves, and each seat with its bank of time."""

from dataclasses import dataclass
from datetime import datetime
from math import ceil

from django.utils import timezone

from games.matches import time_bank
from games.matches.seat_snapshot import SeatSnapshot
from games.matches.snapshot import MatchSnapshot


@dataclass(frozen=True)
class MoveButton:
    """A legal move, what its button says, and the key that presses it."""

    move: str
    label: str
    key: str = ""


@dataclass(frozen=True)
class SeatBank:
    """What was left in a seat's bank of time, in seconds; where it runs, when it is empty."""

    seconds: float
    until: datetime | None
    shown: str

    @property
    def whole(self) -> int:
        """What the ring around the face counts as full."""
        return ceil(self.seconds)


@dataclass(frozen=True)
class SeatPanel:
    """A seat as the page shows it."""

    seat: SeatSnapshot
    name: str
    is_you: bool
    is_acting: bool
    is_winner: bool
    bank: SeatBank | None = None
    is_free_for_reader: bool = False

    @property
    def index(self) -> int:
        return self.seat.index

    @property
    def bot(self) -> str | None:
        """The strategy whose face the seat has; ``None`` for a person, also while a bot plays."""
        return self.seat.bot if self.seat.kind == "bot" else None


def bank_of(match: MatchSnapshot, seat: int) -> SeatBank | None:
    banks = match.banks
    left = banks.left[seat] if banks and banks.left else None
    if banks is None or left is None:
        return None
    if match.deadline_at is None:
        banks = banks.stopped()
    text = time_bank.shown(banks.seconds_left(seat, timezone.now()) or 0)
    return SeatBank(left / 1000, banks.until[seat], text)
