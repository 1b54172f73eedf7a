"""A game begins: the deal, the trump card, who attacks first (R2–R6)."""

from msgspec.structs import replace

from cardroom.rules.cards import TEXT, texts
from cardroom.rules.values import Card, Seat, StepBuilder, next_seat
from durak_cardroom.events import Dealt, FirstAttacker, TrumpTurned
from durak_cardroom.options import HAND, DurakOptions
from durak_cardroom.predicates import PACKS, lowest_trump, suit
from durak_cardroom.state import DurakState
from durak_cardroom.turns import after, limit

Hands = tuple[tuple[Card, ...], ...]


def deal(
    options: DurakOptions,
    number: int,
    points: tuple[int, ...],
    fool: Seat | None,
    step: StepBuilder,
) -> DurakState:
    players = options.players
    deck = tuple(step.shuffle(PACKS[options.deck]))
    hands = tuple([deck[HAND * seat :][:HAND] for seat in range(players)])  # R3
    talon = deck[HAND * players :]
    step.emit(Dealt(number, tuple([texts(hand) for hand in hands])))
    step.emit(TrumpTurned(TEXT[deck[-1]], len(talon)))  # R4
    attacker, card = _first(hands, deck[-1], fool)
    step.emit(FirstAttacker(attacker, None if card is None else TEXT[card]))
    open_cards = {deck[-1]} if card is None else {deck[-1], card}
    state = DurakState(
        options=options,
        hands=hands,
        talon=talon,
        trump=deck[-1],
        attacker=attacker,
        defender=attacker,
        limit=0,
        points=points,
        places=(0,) * players,
        passed=(False,) * players,
        shown=sum(1 << each for each in open_cards),
        game=number,
        fool=fool,
    )
    return begin_attack(state, attacker)


def _first(hands: Hands, trump: Card, fool: Seat | None) -> tuple[Seat, Card | None]:
    """R5, R6: who attacks first, and the trump that decides it."""
    if fool is not None:
        return next_seat(fool, len(hands), -1), None
    card = lowest_trump(hands, suit(trump))
    holds = (seat for seat, hand in enumerate(hands) if card in hand)
    return next(holds, 0), card


def begin_attack(state: DurakState, attacker: Seat) -> DurakState:
    """R7, R13: this seat attacks the next one."""
    defender = after(state.places, attacker)
    return replace(
        state,
        attacker=attacker,
        defender=defender,
        limit=limit(state.options, len(state.hands[defender]), state.attacks_over),
        passed=(False,) * len(state.hands),
        taking=False,
        attacks=(),
        defences=(),
    )
