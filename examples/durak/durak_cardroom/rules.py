"""The rules as functions of values: what a move does to the attack."""

from collections.abc import Sequence

from msgspec.structs import replace

from cardroom.rules.cards import TEXT
from cardroom.rules.shuffles import Shuffle
from cardroom.rules.values import Card, Move, Seat, Setup, Step, StepBuilder, set_item
from durak_cardroom.deal import deal
from durak_cardroom.endings import end_attack, end_game, is_over, outcome, retired_seats
from durak_cardroom.events import Attacked, Beat, GaveUp, Passed, Transferred
from durak_cardroom.moves import PASS, TAKE, TRANSFER, checked, legal_moves
from durak_cardroom.options import DurakOptions
from durak_cardroom.state import DurakState
from durak_cardroom.turns import after, is_settled, limit, to_act, to_be_beaten

__all__ = ["legal_moves", "outcome", "play", "retired_seats", "start", "to_act"]


def start(options: DurakOptions, _setups: Sequence[Setup], shuffle: Shuffle) -> Step[DurakState]:
    step = StepBuilder(shuffle)
    return step.done(deal(options, 1, (0,) * options.players, None, step))


def play(state: DurakState, seat: Seat, move: Move, shuffle: Shuffle) -> Step[DurakState]:
    choice = checked(state, seat, move)
    step = StepBuilder(shuffle)
    state = _moved(state, seat, choice.kind, choice.card, step)
    if not is_settled(state):
        return step.done(state, move)
    state = end_attack(state, step)
    if not is_over(state):
        return step.done(state, move)
    state, scores = end_game(state, step)
    return step.done(state, move, scores)


def _moved(state: DurakState, seat: Seat, kind: str, card: Card, step: StepBuilder) -> DurakState:
    match kind:
        case str() if kind == PASS:
            step.emit(Passed(seat))
            return replace(state, passed=set_item(state.passed, seat, item=True))
        case str() if kind == TAKE:
            step.emit(GaveUp(seat))
            return replace(state, taking=True, passed=(False,) * len(state.hands))
        case str() if kind == TRANSFER:
            return _transferred(state, seat, card, step)
    if to_be_beaten(state) is not None:
        return _beaten(state, seat, card, step)
    step.emit(Attacked(seat, TEXT[card], len(state.attacks)))
    return replace(_laid(state, seat, card), attacks=(*state.attacks, card))


def _beaten(state: DurakState, seat: Seat, card: Card, step: StepBuilder) -> DurakState:
    """R8, R11: all are asked again."""
    step.emit(Beat(seat, TEXT[card], len(state.defences)))
    passed = (False,) * len(state.hands)
    return replace(_laid(state, seat, card), defences=(*state.defences, card), passed=passed)


def _transferred(state: DurakState, seat: Seat, card: Card, step: StepBuilder) -> DurakState:
    """R19."""
    defender = after(state.places, seat)
    step.emit(Transferred(seat, TEXT[card], len(state.attacks), defender))
    most = limit(state.options, len(state.hands[defender]), state.attacks_over)
    attacks = (*state.attacks, card)
    laid = _laid(state, seat, card)
    return replace(laid, attacks=attacks, attacker=seat, defender=defender, limit=most)


def _laid(state: DurakState, seat: Seat, card: Card) -> DurakState:
    """The card leaves the hand, and everybody sees it."""
    hand = tuple([held for held in state.hands[seat] if held != card])
    hands = set_item(state.hands, seat, hand)
    return replace(state, hands=hands, shown=state.shown | 1 << card)
