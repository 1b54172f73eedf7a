"""The deal (R1 to R4)."""

from collections.abc import Sequence

from games.rules.cards import pack
from games.rules.pyanitsa.events import Dealt
from games.rules.pyanitsa.options import PyanitsaOptions
from games.rules.pyanitsa.state import PyanitsaState, circle
from games.rules.shuffles import Shuffle
from games.rules.values import Setup, Step


def start(
    options: PyanitsaOptions, setups: Sequence[Setup], shuffle: Shuffle
) -> Step[PyanitsaState]:
    """The deal of a match; who sits down makes no difference to it."""
    del setups
    return deal(options, shuffle(pack(options.deck)))


def deal(options: PyanitsaOptions, deck: Sequence[int]) -> Step[PyanitsaState]:
    """Deals this deck, one card a seat at a time; what cannot be shared is set aside (R4)."""
    seats = options.players
    each = len(deck) // seats
    draw = tuple([tuple(deck[seat : each * seats : seats]) for seat in range(seats)])
    aside = tuple(deck[each * seats :])
    nothing = ((),) * seats
    state = circle(options, draw, nothing, aside, 0, 1, (0,) * seats)
    return Step(state, (Dealt(each, len(aside)),))
