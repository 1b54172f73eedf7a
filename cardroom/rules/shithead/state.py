"""A match of Shithead at one version. Cards are ints (``cardroom.rules.cards``).

How a game begins: who deals and starts, and which card goes where (R1–R4).

A state taken apart for one turn, changed in the order of R15, turned into a state again.

Only this module changes anything in place, and only what it took apart itself.
"""

from typing import Literal, NamedTuple

from msgspec.structs import replace

from cardroom.rules.cards import JOKER, RANK, TEXT, pack, texts
from cardroom.rules.shithead.events import (
    Burned,
    Dealt,
    Direction,
    Drew,
    GameStarted,
    HiddenFailed,
    PickedUp,
    Played,
    SeatOut,
    Source,
    Turn,
)
from cardroom.rules.shithead.options import ShitheadOptions, cards_each, most_swaps, pack_size
from cardroom.rules.shithead.predicates import burn_reason, in_order, next_active
from cardroom.rules.values import Card, Seat, State, StepBuilder, next_seat, set_item

Phase = Literal["exchange", "play", "over"]
Cards = tuple[Card, ...]
Slots = tuple[Card | None, ...]


class ShitheadState(State, frozen=True, gc=False, omit_defaults=True):
    """Hands and tops lie in the order of ``predicates.in_order``; index 0 of the stock is next.

    ``turn`` is the seat to act in the phase ``play``, else ``None``. ``places`` has 0 for a seat
    that is still in the game. ``times_shed``, ``points`` and ``last_shed`` are about the games of
    the match that are over. ``swaps_left`` counts, by seat, the swaps of this game's exchange that
    are still allowed (R5); ``None``: without a limit, in a match under version 1 of the rules.
    """

    options: ShitheadOptions
    game_no: int
    dealer: Seat
    direction: int
    phase: Phase
    turn: Seat | None
    ready: tuple[bool, ...]
    stock: Cards
    pile: Cards
    burned: Cards
    hands: tuple[Cards, ...]
    tops: tuple[Cards, ...]
    hidden: tuple[Slots, ...]
    places: tuple[int, ...]
    turns: int
    times_shed: tuple[int, ...]
    points: tuple[int, ...]
    last_shed: tuple[Seat, ...]
    swaps_left: tuple[int, ...] | None = None


LOWEST_FIRST = "3456789TJQKA2X"
_STRENGTH = tuple(LOWEST_FIRST.index(rank) for rank in "23456789TJQKAX")


class Deal(NamedTuple):
    """The cards of one game as they lie after dealing, one entry a seat."""

    hidden: tuple[Slots, ...]
    tops: tuple[Cards, ...]
    hands: tuple[Cards, ...]
    stock: Cards


def deal(deck: Cards, players: int, k: int, first: Seat) -> Deal:
    """R4: one card at a time from ``first`` on, clockwise: hidden, then top, then hand cards."""
    lies = [(seat - first) % players for seat in range(players)]
    part = k * players
    return Deal(
        hidden=tuple(deck[p:part:players] for p in lies),
        tops=tuple(in_order(deck[part + p : 2 * part : players]) for p in lies),
        hands=tuple(in_order(deck[2 * part + p : 3 * part : players]) for p in lies),
        stock=deck[3 * part :],
    )


def set_up(options: ShitheadOptions) -> ShitheadState:
    """The state before the first game: nothing is dealt."""
    players = options.players
    return ShitheadState(
        options=options,
        game_no=0,
        dealer=players - 1,
        direction=1,
        phase="over",
        turn=None,
        ready=(False,) * players,
        stock=(),
        pile=(),
        burned=(),
        hands=((),) * players,
        tops=((),) * players,
        hidden=((),) * players,
        places=(0,) * players,
        turns=0,
        times_shed=(0,) * players,
        points=(0,) * players,
        last_shed=(),
        swaps_left=(0,) * players,
    )


def open_game(before: ShitheadState, first: Seat, step: StepBuilder) -> ShitheadState:
    """Deals the next game; ``first`` gets the first card (R3: the dealer's left)."""
    options, players = before.options, len(before.hands)
    k = cards_each(options)
    dealt = deal(tuple(step.shuffle(pack(pack_size(options)))), players, k, first)
    state = replace(
        before,
        game_no=before.game_no + 1,
        dealer=next_seat(first, players, -1),
        direction=1,
        phase="exchange" if options.exchange else "play",
        turn=None,
        ready=(not options.exchange,) * players,
        stock=dealt.stock,
        pile=(),
        burned=(),
        hands=dealt.hands,
        tops=dealt.tops,
        hidden=dealt.hidden,
        places=(0,) * players,
        turns=0,
        swaps_left=_swaps(before),
    )
    _tell(state, step)
    return state if options.exchange else open_play(state, step)


def _swaps(before: ShitheadState) -> tuple[int, ...] | None:
    """R5: every game allows as many again, unless the match knows no limit."""
    options = before.options
    return None if before.swaps_left is None else (most_swaps(options),) * options.players


def _tell(state: ShitheadState, step: StepBuilder) -> None:
    step.emit(
        GameStarted(
            game_no=state.game_no,
            dealer=state.dealer,
            starter=None if _lowest_card_starts(state) else _left_of_dealer(state),
            k=cards_each(state.options),
            stock=len(state.stock),
        )
    )
    for seat, (top, hand) in enumerate(zip(state.tops, state.hands, strict=True)):
        step.emit(Dealt(seat=seat, top=texts(top), hand=texts(hand)))


def open_play(state: ShitheadState, step: StepBuilder) -> ShitheadState:
    """The first turn begins: all cards are dealt, and exchanged if they may be."""
    turn = _starter(state)
    step.emit(Turn(seat=turn))
    return replace(state, phase="play", turn=turn)


def _starter(state: ShitheadState) -> Seat:
    """R3, or the seat with the lowest card, of equal ones the first from the dealer's left."""
    first, players = _left_of_dealer(state), len(state.hands)
    if not _lowest_card_starts(state):
        return first

    def claim(seat: Seat) -> tuple[int, int]:
        return min(_STRENGTH[RANK[card]] for card in state.hands[seat]), (seat - first) % players

    return min(range(players), key=claim)


def chosen_by_card(state: ShitheadState) -> bool:
    """Whether the seat to act is the one that the lowest card chose."""
    return _lowest_card_starts(state) and state.phase == "play" and state.turns == 0


def _left_of_dealer(state: ShitheadState) -> Seat:
    return next_seat(state.dealer, len(state.hands))


def _lowest_card_starts(state: ShitheadState) -> bool:
    return state.options.first_starter == "lowest_card" and state.game_no == 1


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
        if self.hands[seat] or self.tops[seat] or {*self.hidden[seat]} - {None}:
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
