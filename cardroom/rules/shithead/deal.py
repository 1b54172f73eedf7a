"""How a game begins: who deals and starts, and which card goes where (R1–R4)."""

from typing import NamedTuple

from msgspec.structs import replace

from cardroom.rules.cards import RANK, pack, texts
from cardroom.rules.seats import next_seat
from cardroom.rules.shithead.events import Dealt, GameStarted, Turn
from cardroom.rules.shithead.options import ShitheadOptions, cards_each, most_swaps, pack_size
from cardroom.rules.shithead.predicates import in_order
from cardroom.rules.shithead.state import Cards, ShitheadState, Slots
from cardroom.rules.steps import StepBuilder
from cardroom.rules.values import Seat

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
