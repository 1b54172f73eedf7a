"""The game as the contract asks for it: start, who is to act, what is legal, play."""

from collections.abc import Sequence
from typing import TypeVar

from msgspec.structs import replace

from games.rules.cards import TEXT
from games.rules.errors import IllegalMove, NotYourTurn
from games.rules.shithead import dealing, endings, notation, refusals, turns
from games.rules.shithead.events import Exchanged, Ready, Turn
from games.rules.shithead.notation import Choice
from games.rules.shithead.options import ShitheadOptions
from games.rules.shithead.predicates import in_order
from games.rules.shithead.state import ShitheadState
from games.rules.shuffles import Shuffle
from games.rules.values import Event, Move, Seat, Setup, Step

T = TypeVar("T")


def start(
    options: ShitheadOptions, setups: Sequence[Setup], shuffle: Shuffle
) -> Step[ShitheadState]:
    """Deals the first game; seat 0 is the dealer's left (R3)."""
    nothing = (0,) * len(setups)
    state, events = dealing.open_game(options, shuffle, 1, 0, nothing, nothing, ())
    return Step(state, tuple(events))


def to_act(state: ShitheadState) -> tuple[Seat, ...]:
    """One seat, but in the exchange every seat that is not ready."""
    if state.turn is not None:
        return (state.turn,)
    if state.phase == "over":
        return ()
    return tuple([seat for seat, ready in enumerate(state.ready) if not ready])


def legal_moves(state: ShitheadState, seat: Seat) -> tuple[Move, ...]:
    """§3: every swap and ``ready``; in play one representative for every rank and number."""
    if seat == state.turn:
        return turns.legal_moves(state, seat)
    if state.phase != "exchange" or seat not in to_act(state):
        return ()
    swaps, tops = notation.SWAP, state.tops[seat]
    moves = [swaps[card][top] for card in state.hands[seat] for top in tops]
    return (notation.READY, *moves)


def play(state: ShitheadState, seat: Seat, move: Move, shuffle: Shuffle) -> Step[ShitheadState]:
    choice = notation.read(move)
    if seat != state.turn and seat not in to_act(state):
        raise NotYourTurn(_whose_turn(state))
    if state.phase == "exchange":
        return _exchange(state, seat, choice)
    table, turn, recorded = turns.take(state, seat, choice)
    after = table.put_together(turn)
    if not endings.is_over(after):
        table.events.append(Turn(turn))
        return Step(after, tuple(table.events), None, recorded)
    scores = endings.final_places(after, endings.sheds(after))
    after, closing = endings.close(after, shuffle)
    return Step(after, (*table.events, *closing), scores, recorded)


def _whose_turn(state: ShitheadState) -> str:
    if state.phase == "over":
        return "The match is over."
    if state.phase == "exchange":
        return "You are ready; the others are still exchanging cards."
    return "It is not your turn."


def _exchange(state: ShitheadState, seat: Seat, choice: Choice) -> Step[ShitheadState]:
    """R5: swaps one for one until ``ready``; play begins when all seats are."""
    if choice.kind == "swap":
        return _swap(state, seat, *choice.numbers)
    if choice.kind != "ready":
        raise IllegalMove("exchange_first", "Cards are still exchanged: swap some, or be ready.")
    state = replace(state, ready=_with(state.ready, seat, value=True))
    events: tuple[Event, ...] = (Ready(seat),)
    if all(state.ready):
        turn = dealing.starter(state)
        state = replace(state, phase="play", turn=turn)
        events = (*events, Turn(turn))
    return Step(state, events, None, notation.READY)


def _swap(state: ShitheadState, seat: Seat, card: int, top: int) -> Step[ShitheadState]:
    if card not in state.hands[seat]:
        raise refusals.not_in_hand(TEXT[card])
    if top not in state.tops[seat]:
        raise refusals.not_on_top(TEXT[top])
    hand = in_order([top if held == card else held for held in state.hands[seat]])
    tops = in_order([card if held == top else held for held in state.tops[seat]])
    state = replace(state, hands=_with(state.hands, seat, hand), tops=_with(state.tops, seat, tops))
    event = Exchanged(seat, TEXT[card], TEXT[top])
    return Step(state, (event,), None, notation.SWAP[card][top])


def _with(seats: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    return (*seats[:seat], value, *seats[seat + 1 :])


def out(state: ShitheadState) -> frozenset[Seat]:
    """The seats that are out of the current game (R18)."""
    return frozenset(seat for seat, place in enumerate(state.places) if place)
