"""From a shuffled pack to the table, the hands and the stock (R4, R5, R11)."""

from msgspec.structs import replace

from cardroom.rules.cards import texts
from cardroom.rules.values import Seat, StepBuilder
from scopa_cardroom.events import DealStarted, HandsDealt, TableLaid, ThrownIn
from scopa_cardroom.options import ScopaOptions
from scopa_cardroom.predicates import PACK, Cards, is_king
from scopa_cardroom.state import ScopaState

ON_THE_TABLE = 4
MOST_KINGS = 2


def deal(
    options: ScopaOptions, number: int, totals: tuple[int, ...], step: StepBuilder
) -> ScopaState:
    """The opening of a deal; ``totals`` are the points of the deals before, by side."""
    leader = (number - 1) % options.players
    step.emit(DealStarted(number, leader))
    deck = _fresh_deck(step)
    step.emit(TableLaid(texts(deck[:ON_THE_TABLE])))
    nothing = (0,) * len(totals)
    return deal_hands(
        ScopaState(
            options=options,
            round=number,
            leader=leader,
            to_play=leader,
            stock=deck[ON_THE_TABLE:],
            hands=((),) * options.players,
            table=deck[:ON_THE_TABLE],
            heaps=nothing,
            sweeps=nothing,
            totals=totals,
        ),
        step,
    )


def _fresh_deck(step: StepBuilder) -> Cards:
    """R4: with three or four kings on the table it could not be swept."""
    deck = tuple(step.shuffle(PACK))
    while sum(map(is_king, deck[:ON_THE_TABLE])) > MOST_KINGS:
        step.emit(ThrownIn(texts(deck[:ON_THE_TABLE])))
        deck = tuple(step.shuffle(PACK))
    return deck


def deal_hands(state: ScopaState, step: StepBuilder) -> ScopaState:
    """R5, R11: a packet for each seat, the leader's first."""
    size, players = state.options.hand_size, state.options.players
    first = [_turn(seat, state) * size for seat in range(players)]
    hands = tuple([state.stock[at : at + size] for at in first])
    step.emit(HandsDealt(size, tuple([texts(hand) for hand in hands])))
    return replace(state, hands=hands, stock=state.stock[size * players :])


def _turn(seat: Seat, state: ScopaState) -> int:
    """How many seats play before this one."""
    return (seat - state.leader) % state.options.players
