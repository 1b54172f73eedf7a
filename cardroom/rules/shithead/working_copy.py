"""A state taken apart for one turn, changed in the order of R15, turned into a state again.

Only this module changes anything in place, and only what it took apart itself.
"""

from msgspec.structs import replace

from cardroom.rules.cards import JOKER, RANK, TEXT, texts
from cardroom.rules.seats import set_item
from cardroom.rules.shithead.events import (
    Burned,
    Direction,
    Drew,
    HiddenFailed,
    PickedUp,
    Played,
    SeatOut,
    Source,
)
from cardroom.rules.shithead.predicates import burn_reason, in_order, next_active
from cardroom.rules.shithead.state import Cards, ShitheadState, Slots
from cardroom.rules.steps import StepBuilder
from cardroom.rules.values import Seat

HAND_OF_THREE = 3


class WorkingCopy:
    """The cards, places and direction while ``seat`` has its turn; events go to ``step``."""

    __slots__ = (
        "burned", "direction", "hands", "hidden", "options", "pile", "places", "seat", "state",
        "step", "stock", "tops",
    )  # fmt: skip

    def __init__(self, state: ShitheadState, seat: Seat, step: StepBuilder) -> None:
        self.state = state
        self.options = state.options
        self.seat = seat
        self.step = step
        self.stock = state.stock
        self.pile = state.pile
        self.burned = state.burned
        self.hands = list(state.hands)
        self.tops = list(state.tops)
        self.hidden = list(state.hidden)
        self.places = state.places
        self.direction = state.direction

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
        self.step.emit(Played(seat=seat, cards=texts(cards), source=source))

    def fail(self, slot: int, card: int) -> None:
        """R10: a hidden card that may not be played goes to the hand with the whole pile."""
        self.hidden[self.seat] = set_item(self.hidden[self.seat], slot, None)
        self.step.emit(HiddenFailed(seat=self.seat, slot=slot, card=TEXT[card]))
        self.pick_up((card,))

    def pick_up(self, more: Cards = ()) -> None:
        taken = self.pile + more
        self.hands[self.seat] = in_order(self.hands[self.seat] + taken)
        self.pile = ()
        self.step.emit(PickedUp(seat=self.seat, count=len(taken)))

    def reverse_direction(self, cards: Cards) -> bool:
        """R12: each joker reverses the direction; whether it is another one now."""
        if RANK[cards[0]] != JOKER or len(cards) % 2 == 0:
            return False
        self.direction = -self.direction
        self.step.emit(Direction(value=self.direction))
        return True

    def burn(self) -> bool:
        """R13: the pile leaves the game if it burns."""
        reason = burn_reason(self.pile, self.options.burn_through_threes)
        if reason is None:
            return False
        self.step.emit(Burned(seat=self.seat, count=len(self.pile), reason=reason))
        self.burned += self.pile
        self.pile = ()
        return True

    def draw(self) -> None:
        """R16: one card after every turn; with ``up_to_three`` until the hand has three."""
        if not self.stock:
            return
        seat, hand = self.seat, self.hands[self.seat]
        wanted = 1
        if self.options.refill == "up_to_three":
            wanted = HAND_OF_THREE - len(hand)
        drawn = self.stock[: max(wanted, 0)]
        for card in drawn:
            self.stock = self.stock[1:]
            self.step.emit(Drew(seat=seat, stock=len(self.stock), card=TEXT[card]))
        if drawn:
            self.hands[seat] = in_order(hand + drawn)

    def leave(self) -> bool:
        """R18: a seat without any card is out, in the next free place."""
        seat = self.seat
        if self.hands[seat] or self.tops[seat] or _has_hidden(self.hidden[seat]):
            return False
        place = 1 + sum(1 for place in self.places if place)
        self.places = set_item(self.places, seat, place)
        self.step.emit(SeatOut(seat=seat, place=place))
        return True

    def active(self) -> int:
        return self.places.count(0)

    def following(self) -> Seat:
        """R17: the next active seat in the current direction."""
        return next_active(self.seat, self.direction, self.places)

    def to_state(self, turn: Seat) -> ShitheadState:
        """The state after this turn, with ``turn`` to act next."""
        return replace(
            self.state,
            direction=self.direction,
            turn=turn,
            stock=self.stock,
            pile=self.pile,
            burned=self.burned,
            hands=tuple(self.hands),
            tops=tuple(self.tops),
            hidden=tuple(self.hidden),
            places=self.places,
            turns=self.state.turns + 1,
        )


def _has_hidden(slots: Slots) -> bool:
    return slots.count(None) < len(slots)
