from cardroom.rules.values import Event, Seat


class Dealt(Event, frozen=True):
    """``hands`` are private: a seat reads its own, ``None`` stands for the others."""

    hands: tuple[tuple[str, ...] | None, ...]

    def seen_by(self, seat: Seat | None) -> "Dealt":
        return Dealt(tuple(hand if at == seat else None for at, hand in enumerate(self.hands)))


class CardLaid(Event, frozen=True):
    seat: Seat
    card: str


class TrickTaken(Event, frozen=True):
    seat: Seat


HighCardEvent = Dealt | CardLaid | TrickTaken
