"""The deal (R1 to R4)."""

from cardroom.rules.cards import pack
from cardroom.rules.pyanitsa.events import Dealt
from cardroom.rules.pyanitsa.options import PyanitsaOptions
from cardroom.rules.pyanitsa.state import PyanitsaState
from cardroom.rules.steps import StepBuilder


def deal(options: PyanitsaOptions, step: StepBuilder) -> PyanitsaState:
    """One card a seat at a time; what cannot be shared is set aside (R4)."""
    deck, seats = tuple(step.shuffle(pack(options.deck))), options.players
    each = len(deck) // seats
    aside = deck[each * seats :]
    step.emit(Dealt(cards_per_seat=each, set_aside=len(aside)))
    return PyanitsaState(
        options=options,
        draw=tuple([deck[seat : each * seats : seats] for seat in range(seats)]),
        won=((),) * seats,
        aside=aside,
        leader=0,
        trick_no=1,
        out_in=(0,) * seats,
        to_lay=tuple(range(seats)),
    )
