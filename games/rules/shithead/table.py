"""One turn under way: a state taken apart, changed in the order of R15, put together again.

Only this module changes anything in place, and only what it took apart itself.
"""

from games.rules.cards import JOKER, RANK, TEXT, texts
from games.rules.shithead.events import (
    Burned,
    Direction,
    Drew,
    HiddenFailed,
    PickedUp,
    Played,
    SeatOut,
    Source,
)
from games.rules.shithead.predicates import burn_reason, in_order
from games.rules.shithead.state import Cards, ShitheadState
from games.rules.values import Event, Seat

HAND_OF_THREE = 3


class Table:
    """What lies on the table while ``seat`` has its turn, and what has happened in it so far."""

    __slots__ = (
        "burned", "direction", "events", "hands", "hidden", "options", "pile", "places", "seat",
        "state", "stock", "tops",
    )  # fmt: skip

    def __init__(self, state: ShitheadState, seat: Seat) -> None:
        self.state = state
        self.options = state.options
        self.seat = seat
        self.stock = state.stock
        self.pile = state.pile
        self.burned = state.burned
        self.hands = list(state.hands)
        self.tops = list(state.tops)
        self.hidden = list(state.hidden)
        self.places = state.places
        self.direction = state.direction
        self.events: list[Event] = []

    def lay(self, cards: Cards, source: Source) -> None:
        """Cards onto the pile, from wherever they lay."""
        seat = self.seat
        if source == "hidden":
            self.hidden[seat] = tuple([None if c in cards else c for c in self.hidden[seat]])
        if source in ("hand", "hand_top"):
            self.hands[seat] = tuple([c for c in self.hands[seat] if c not in cards])
        if source in ("top", "hand_top"):
            self.tops[seat] = tuple([c for c in self.tops[seat] if c not in cards])
        self.pile += cards
        self.events.append(Played(seat, texts(cards), source))

    def fail(self, slot: int, card: int) -> None:
        """R10: a hidden card that may not be played goes to the hand with the whole pile."""
        slots = self.hidden[self.seat]
        self.hidden[self.seat] = (*slots[:slot], None, *slots[slot + 1 :])
        self.events.append(HiddenFailed(self.seat, slot, TEXT[card]))
        self.pick_up((card,))

    def pick_up(self, more: Cards = ()) -> None:
        taken = self.pile + more
        self.hands[self.seat] = in_order(self.hands[self.seat] + taken)
        self.pile = ()
        self.events.append(PickedUp(self.seat, len(taken)))

    def turn_round(self, cards: Cards) -> bool:
        """R12: each joker turns the direction round; whether it points the other way now."""
        if RANK[cards[0]] != JOKER or len(cards) % 2 == 0:
            return False
        self.direction = -self.direction
        self.events.append(Direction(self.direction))
        return True

    def burn(self) -> bool:
        """R13: the pile leaves the game if it burns."""
        reason = burn_reason(self.pile, self.options.burn_through_threes)
        if reason is None:
            return False
        self.events.append(Burned(self.seat, len(self.pile), reason))
        self.burned += self.pile
        self.pile = ()
        return True

    def draw(self) -> None:
        """R16: one card after every turn; with ``up_to_three`` until the hand has three."""
        seat, hand = self.seat, self.hands[self.seat]
        wanted = 1
        if self.options.refill == "up_to_three":
            wanted = HAND_OF_THREE - len(hand)
        drawn = self.stock[: max(wanted, 0)]
        for card in drawn:
            self.stock = self.stock[1:]
            self.events.append(Drew(seat, len(self.stock), TEXT[card]))
        if drawn:
            self.hands[seat] = in_order(hand + drawn)

    def leave(self) -> bool:
        """R18: a seat without any card is out, in the next free place."""
        seat = self.seat
        if self.hands[seat] or self.tops[seat] or has_hidden(self.hidden[seat]):
            return False
        place = 1 + sum(1 for place in self.places if place)
        self.places = (*self.places[:seat], place, *self.places[seat + 1 :])
        self.events.append(SeatOut(seat, place))
        return True

    def active(self) -> int:
        return self.places.count(0)

    def following(self) -> Seat:
        """R17: the next active seat in the current direction."""
        return following(self.seat, self.direction, self.places)

    def put_together(self, turn: Seat) -> ShitheadState:
        """The state with ``turn`` to act next."""
        before = self.state
        return ShitheadState(
            before.options,
            before.game_no,
            before.dealer,
            self.direction,
            "play",
            turn,
            before.ready,
            self.stock,
            self.pile,
            self.burned,
            tuple(self.hands),
            tuple(self.tops),
            tuple(self.hidden),
            self.places,
            before.turns + 1,
            before.times_shed,
            before.points,
            before.last_shed,
        )


def has_hidden(slots: tuple[int | None, ...]) -> bool:
    return slots.count(None) < len(slots)


def following(seat: Seat, direction: int, places: tuple[int, ...]) -> Seat:
    """The next seat in ``direction`` that is still in the game."""
    players = len(places)
    seat = (seat + direction) % players
    while places[seat]:
        seat = (seat + direction) % players
    return seat
