"""Events, in the past tense (RULES.md §4). The first one opens every game."""

from msgspec.structs import replace

from cardroom.rules.values import Event, Seat


class Dealt(Event, frozen=True):
    """``hands`` are private: a seat reads its own, ``None`` stands for the others."""

    game: int
    hands: tuple[tuple[str, ...] | None, ...]

    def seen_by(self, seat: Seat | None) -> "Dealt":
        hands = tuple(hand if at == seat else None for at, hand in enumerate(self.hands))
        return Dealt(self.game, hands)


class TrumpTurned(Event, frozen=True):
    face_up = True
    card: str
    talon: int


class FirstAttacker(Event, frozen=True):
    """``card`` is the lowest trump, which the seat shows, if that decided."""

    face_up = True
    seat: Seat
    card: str | None


class Attacked(Event, frozen=True):
    """``nth`` of the attack, from 0."""

    seat: Seat
    card: str
    nth: int


class Beat(Event, frozen=True):
    seat: Seat
    card: str
    nth: int


class Transferred(Event, frozen=True):
    """``to`` is the new defender."""

    seat: Seat
    card: str
    nth: int
    to: Seat


class GaveUp(Event, frozen=True):
    """The defender takes; what is thrown in now goes to it, too."""

    seat: Seat


class Passed(Event, frozen=True):
    seat: Seat


class Discarded(Event, frozen=True):
    """``seat`` has beaten all of the attack."""

    seat: Seat
    cards: tuple[str, ...]


class Took(Event, frozen=True):
    seat: Seat
    cards: tuple[str, ...]


class Drew(Event, frozen=True):
    """``cards`` are private. The trump card is public: it lay face up."""

    seat: Seat
    count: int
    cards: tuple[str, ...] | None
    trump: str | None

    def seen_by(self, seat: Seat | None) -> "Drew":
        return self if seat == self.seat else replace(self, cards=None)


class WentOut(Event, frozen=True):
    seat: Seat
    place: int


class GameOver(Event, frozen=True):
    game: int
    fool: Seat | None
    scores: tuple[int, ...]


DurakEvent = (
    Dealt
    | TrumpTurned
    | FirstAttacker
    | Attacked
    | Beat
    | Transferred
    | GaveUp
    | Passed
    | Discarded
    | Took
    | Drew
    | WentOut
    | GameOver
)
