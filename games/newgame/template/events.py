"""Events, in the past tense. The first event opens every round."""

from cardroom.rules.values import Event, Seat


class Dealt(Event, frozen=True):
    """``hands`` are private: a seat reads its own, ``None`` stands for the others."""

    round: int
    hands: tuple[tuple[str, ...] | None, ...]

    def seen_by(self, seat: Seat | None) -> "Dealt":
        hands = tuple(hand if at == seat else None for at, hand in enumerate(self.hands))
        return Dealt(self.round, hands)


class CardLaid(Event, frozen=True):
    seat: Seat
    card: str


class TrickTaken(Event, frozen=True):
    seat: Seat
    cards: tuple[str, ...]


class RoundScored(Event, frozen=True):
    """``tricks`` of this round, by seat."""

    round: int
    tricks: tuple[int, ...]


NewGameEvent = Dealt | CardLaid | TrickTaken | RoundScored
