"""What a re-deal of Shithead has to know beside what was named (FORMAT.md §2, loaded matches)."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from cardroom.rules.shithead.deal import chosen_by_card
from cardroom.rules.shithead.predicates import in_order
from cardroom.rules.shithead.rules import play
from cardroom.rules.shithead.state import ShitheadState
from cardroom.rules.shuffles import Shuffle
from cardroom.rules.values import HistoryStep, Move, Pinned, Seat, Step

WHY_THE_END_STAYS: Final = "The match is over: nobody will play with these cards."


def arrange(state: ShitheadState) -> ShitheadState:
    """Hands lie sorted, whatever cards were dealt again into them."""
    return replace(state, hands=tuple(map(in_order, state.hands)))


def pinned(state: ShitheadState, history: Sequence[HistoryStep]) -> tuple[Pinned, ...]:
    """Every card of a match that is over."""
    if state.phase != "over":
        return ()
    decks = [deck for step in history for deck in step.decks]
    return (Pinned(WHY_THE_END_STAYS, ((len(decks) - 1, tuple(range(len(decks[-1])))),)),)


def play_past(
    state: ShitheadState, seat: Seat, move: Move, shuffle: Shuffle
) -> Step[ShitheadState]:
    """A move made before its cards were dealt again: they need no longer force or allow it.

    The seat that the lowest card chose has started, and a pick-up was forced.
    """
    options = state.options
    past = replace(state, options=replace(options, pickup="voluntary"))
    if chosen_by_card(state):
        past = replace(past, turn=seat)
    step = play(past, seat, move, shuffle)
    return replace(step, state=replace(step.state, options=options))
