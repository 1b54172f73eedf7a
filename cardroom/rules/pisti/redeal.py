"""What a re-deal of Pişti has to know beside what was named (FORMAT.md §2, loaded matches)."""

from collections.abc import Sequence
from typing import Final

from cardroom.rules.pisti.deal import bottom_position
from cardroom.rules.pisti.events import DealStarted, Redeal
from cardroom.rules.pisti.state import PistiState
from cardroom.rules.values import Event, HistoryStep, Pinned

WHY_JACKS_STAY: Final = "The jacks that gave way to the exposed card decided which card lies there."


def pinned(state: PistiState, history: Sequence[HistoryStep]) -> tuple[Pinned, ...]:
    """With an exposed bottom card everything from it on; else another card would lie there."""
    if state.bottom is None:
        return ()
    decks = [deck for step in history for deck in step.decks]
    last = [int(card) for card in decks[-1]]
    places = tuple(range(bottom_position(last), len(last)))
    return (Pinned(WHY_JACKS_STAY, ((len(decks) - 1, places),)),)


def deals(_state: PistiState, event: Event) -> bool:
    """Each deck comes with one of these: the first of a deal, or the one after a void deal (R8)."""
    return isinstance(event, DealStarted | Redeal)
