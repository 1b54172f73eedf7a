"""Cards that a re-deal leaves where they are though nobody was told of them (R5)."""

from collections.abc import Iterator, Sequence

from cardroom.rules.cards import CARD
from cardroom.rules.values import HistoryStep, Pinned
from durak_cardroom.events import FirstAttacker
from durak_cardroom.options import HAND
from durak_cardroom.predicates import suit
from durak_cardroom.state import DurakState

WHY = "A lower trump in a hand would have made another seat attack first."
ABOVE_ALL = 52


def pinned(state: DurakState, history: Sequence[HistoryStep]) -> tuple[Pinned, ...]:
    """Where the lowest trump decided, the lower ones stay in the talon."""
    if state.fool is not None:  # R6
        return ()
    decks = [deck for step in history for deck in step.decks]
    deck = [int(card) for card in decks[-1]]
    if all(state.shown >> card & 1 for card in deck[: HAND * state.options.players]):
        return ()  # nothing that is hidden was in a hand when it was decided
    places = tuple(_lower(state, deck, _lowest(history)))
    return (Pinned(WHY, ((len(decks) - 1, places),)),) if places else ()


def _lower(state: DurakState, deck: list[int], lowest: int) -> Iterator[int]:
    for at in range(HAND * state.options.players, len(deck) - 1):  # the last is the trump card
        if suit(deck[at]) == suit(state.trump) and deck[at] < lowest:
            yield at


def _lowest(history: Sequence[HistoryStep]) -> int:
    """The trump that was shown in the running game."""
    events = [event for step in history for event in step.events]
    code = [event.card for event in events if isinstance(event, FirstAttacker)][-1]
    return ABOVE_ALL if code is None else CARD[code]
