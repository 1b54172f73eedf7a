"""Events of a match, in the past tense (rules §4), and who may see what of them."""

from typing import Literal, TypeAlias

from cardroom.rules.pazaak.options import PazaakOptions
from cardroom.rules.values import Event, Seat

Reason = Literal["bust", "filled", "outscore", "tiebreaker", "tie"]


class MatchStarted(Event, frozen=True, gc=False):
    """The first event of a match: its options and the seats' names."""

    options: PazaakOptions
    names: tuple[str, ...]


class RoundStarted(Event, frozen=True, gc=False):
    round_no: int
    starter: Seat


class Opener(Event, frozen=True, gc=False):
    """R6: the two bottom cards that decided who starts, by seat."""

    values: tuple[int, int]


class HandDrawn(Event, frozen=True, gc=False):
    """R5. ``cards`` is null for everybody but ``seat``.

    ``cheating``: R25, nothing was drawn; the allowance grew by ``count``.
    """

    seat: Seat
    count: int
    cards: tuple[str, ...] | None
    cheating: bool = False

    def seen_by(self, seat: Seat | None) -> "HandDrawn":
        if seat == self.seat:
            return self
        return HandDrawn(seat=self.seat, count=self.count, cards=None, cheating=self.cheating)


class MainDrawn(Event, frozen=True, gc=False):
    seat: Seat
    value: int
    total: int
    cards_on_board: int


class CardPlayed(Event, frozen=True, gc=False):
    """A side card was played.

    ``effect`` is the signed value placed, or the board indexes of the cards it changed.
    ``looked_at`` is the number of cards a cheater chose from (R25), null for honest seats.
    """

    face_up = True
    seat: Seat
    code: str
    sign: Literal["+", "-"] | None
    value: int | None
    effect: int | tuple[int, ...]
    total: int
    looked_at: int | None = None


class Passed(Event, frozen=True, gc=False):
    """The turn ended without a card, or (``turn_end``) was ended by ``end``."""

    seat: Seat
    total: int


class Stood(Event, frozen=True, gc=False):
    """``auto``: by exactly 20 (R12.3) or by a full table, not by choice."""

    seat: Seat
    total: int
    auto: bool


class RoundOver(Event, frozen=True, gc=False):
    """``winner`` is null for a tie; ``totals`` and ``wins`` (after this round) by seat."""

    winner: Seat | None
    reason: Reason
    totals: tuple[int, int]
    wins: tuple[int, int]


class MatchOver(Event, frozen=True, gc=False):
    """``winner`` is null for a draw."""

    winner: Seat | None
    wins: tuple[int, int]


PazaakEvent: TypeAlias = (
    RoundStarted
    | MatchStarted
    | Opener
    | HandDrawn
    | MainDrawn
    | CardPlayed
    | Passed
    | Stood
    | RoundOver
    | MatchOver
)
