"""Events, in the past tense (RULES.md §4). The first one opens every deal."""

import msgspec

from cardroom.rules.values import Event, Seat


class DealStarted(Event, frozen=True, gc=False):
    """``round`` counts from 1; ``leader`` plays first."""

    round: int
    leader: Seat


class ThrownIn(Event, frozen=True, gc=False):
    """The four cards for the table, too many kings among them; they are shuffled again (R4)."""

    face_up = True
    cards: tuple[str, ...]


class TableLaid(Event, frozen=True, gc=False):
    cards: tuple[str, ...]


class HandsDealt(Event, frozen=True, gc=False):
    """``count`` cards for each; ``hands`` are private: ``None`` stands for those of the others."""

    count: int
    hands: tuple[tuple[str, ...] | None, ...]

    def seen_by(self, seat: Seat | None) -> "HandsDealt":
        hands = tuple([hand if at == seat else None for at, hand in enumerate(self.hands)])
        return HandsDealt(self.count, hands)


class CardPlayed(Event, frozen=True, gc=False):
    seat: Seat
    card: str


class CardChosen(Event, frozen=True, gc=False):
    """One card of a capture that is not yet settled (R9)."""

    seat: Seat
    card: str


class Captured(Event, frozen=True, gc=False):
    """``card`` takes ``cards``; ``sweep`` says that this scores a scopa."""

    seat: Seat
    card: str
    cards: tuple[str, ...]
    sweep: bool


class LeftoverTaken(Event, frozen=True, gc=False):
    """The cards left on the table go to the seat that captured last (R12)."""

    seat: Seat
    cards: tuple[str, ...]


class SideScore(msgspec.Struct, frozen=True, gc=False):
    """One side's deal: what was counted, which points that made, and the total after it.

    ``prime`` is its primiera, or its number of sevens; the four after it say whether the point was
    won.
    """

    cards: int
    coins: int
    prime: int
    sweeps: int
    most_cards: bool
    most_coins: bool
    seven_of_coins: bool
    best_prime: bool
    points: int
    total: int


class DealScored(Event, frozen=True, gc=False):
    round: int
    sides: tuple[SideScore, ...]


ScopaEvent = (
    DealStarted
    | ThrownIn
    | TableLaid
    | HandsDealt
    | CardPlayed
    | CardChosen
    | Captured
    | LeftoverTaken
    | DealScored
)
