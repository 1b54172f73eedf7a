"""The functions of the contract: start, whose turn, which moves, play, outcome."""

from collections.abc import Sequence

from msgspec.structs import replace

from cardroom.rules.cards import TEXT
from cardroom.rules.errors import MATCH_OVER, NOT_YOUR_TURN, IllegalMove, NotYourTurn
from cardroom.rules.seats import set_item, winners
from cardroom.rules.shithead import deal, moves, score, turn
from cardroom.rules.shithead.events import Exchanged, Ready, Turn
from cardroom.rules.shithead.moves import ParsedMove
from cardroom.rules.shithead.options import ShitheadOptions
from cardroom.rules.shithead.predicates import in_order, may_swap
from cardroom.rules.shithead.state import ShitheadState
from cardroom.rules.shuffles import Shuffle
from cardroom.rules.steps import StepBuilder
from cardroom.rules.text import CardName, Phrase, say
from cardroom.rules.values import Move, Outcome, Seat, Setup, Step


def start(
    options: ShitheadOptions, _setups: Sequence[Setup], shuffle: Shuffle
) -> Step[ShitheadState]:
    """Deals the first game; seat 0 is the dealer's left (R3)."""
    step = StepBuilder(shuffle)
    return step.done(deal.open_game(deal.set_up(options), 0, step))


def start_version_1(
    options: ShitheadOptions, _setups: Sequence[Setup], shuffle: Shuffle
) -> Step[ShitheadState]:
    """As ``start``, with no limit to the swaps of an exchange in any game of the match (R5)."""
    step = StepBuilder(shuffle)
    unlimited = replace(deal.set_up(options), swaps_left=None)
    return step.done(deal.open_game(unlimited, 0, step))


def to_act(state: ShitheadState) -> tuple[Seat, ...]:
    """One seat; in the exchange every seat that is not ready."""
    if state.turn is not None:
        return (state.turn,)
    if state.phase == "over":
        return ()
    return tuple([seat for seat, ready in enumerate(state.ready) if not ready])


def time_goes_on(state: ShitheadState) -> bool:
    """R5: swapping, which one may do again and again, brings no new time."""
    return state.phase == "exchange"


def legal_moves(state: ShitheadState, seat: Seat) -> tuple[Move, ...]:
    """§3: every swap and ``ready``; in play one representative for every rank and number."""
    if seat == state.turn:
        return turn.legal_moves(state, seat)
    if state.phase != "exchange" or seat not in to_act(state):
        return ()
    if not may_swap(state.swaps_left, seat):
        return (moves.READY,)
    tops = state.tops[seat]
    swaps = [moves.SWAP[card][top] for card in state.hands[seat] for top in tops]
    return (moves.READY, *swaps)


def play(state: ShitheadState, seat: Seat, move: Move, shuffle: Shuffle) -> Step[ShitheadState]:
    parsed = moves.parse(move)
    if seat != state.turn and seat not in to_act(state):
        raise NotYourTurn(_whose_turn(state))
    step = StepBuilder(shuffle)
    if state.phase == "exchange":
        return step.done(_exchange(state, seat, parsed, step), move)
    move, parsed = moves.canonical(move, parsed, state.hands[seat])
    after = turn.take_turn(state, seat, parsed, step)
    if score.is_over(after):
        scores = score.final_places(after, score.sheds(after))
        return step.done(score.finish(after, step), move, scores)
    step.emit(Turn(seat=to_act(after)[0]))
    return step.done(after, move)


def _whose_turn(state: ShitheadState) -> Phrase:
    if state.phase == "over":
        return MATCH_OVER
    if state.phase == "exchange":
        return say("You are ready; the others are still exchanging cards.")
    return NOT_YOUR_TURN


def _exchange(
    state: ShitheadState, seat: Seat, move: ParsedMove, step: StepBuilder
) -> ShitheadState:
    """R5: swaps one for one until ``ready``; play begins when all seats are."""
    if move.kind == "swap":
        card, top = move.numbers
        return _swap(state, seat, card, top, step)
    if move.kind != "ready":
        sentence = say("Cards are still exchanged: swap some, or be ready.")
        raise IllegalMove("exchange_first", sentence)
    step.emit(Ready(seat=seat))
    state = replace(state, ready=set_item(state.ready, seat, item=True))
    return deal.open_play(state, step) if all(state.ready) else state


def _swap(
    state: ShitheadState, seat: Seat, card: int, top: int, step: StepBuilder
) -> ShitheadState:
    if not may_swap(state.swaps_left, seat):
        sentence = say("You have made all swaps that a game allows: be ready.")
        raise IllegalMove("no_swaps_left", sentence)
    if card not in state.hands[seat]:
        sentence = say("{card} is not in your hand.", card=CardName(TEXT[card]))
        raise IllegalMove("card_not_available", sentence)
    if top not in state.tops[seat]:
        sentence = say("{card} is not one of your top cards.", card=CardName(TEXT[top]))
        raise IllegalMove("card_not_available", sentence)
    hand = in_order([top if held == card else held for held in state.hands[seat]])
    tops = in_order([card if held == top else held for held in state.tops[seat]])
    step.emit(Exchanged(seat=seat, to_top=TEXT[card], to_hand=TEXT[top]))
    return replace(
        state,
        hands=set_item(state.hands, seat, hand),
        tops=set_item(state.tops, seat, tops),
        swaps_left=_one_fewer(state.swaps_left, seat),
    )


def _one_fewer(swaps_left: tuple[int, ...] | None, seat: Seat) -> tuple[int, ...] | None:
    return None if swaps_left is None else set_item(swaps_left, seat, swaps_left[seat] - 1)


def outcome(state: ShitheadState) -> Outcome | None:
    if state.phase != "over":
        return None
    places = score.match_places(state)
    return Outcome(winners=winners(places), points=state.points, reason="games", places=places)


def retired_seats(state: ShitheadState) -> frozenset[Seat]:
    """The seats that are out of the current game (R18)."""
    return frozenset(seat for seat, place in enumerate(state.places) if place)
