"""Re-dealing what the loading player's seats cannot know (FORMAT.md §2, loaded matches).

What is known of a deck is what was turned up after it was dealt: from then on nobody can say
where its other cards lie. So each deck (the deal, every shuffled won pile, every shuffled trick)
keeps the cards shown later, and the others are dealt again. Exchanging cards that were not shown
since changes nothing that anybody saw, so the moves of the past stay good.

A card that a taker saw face down and collected stays too (`collect_order` arbitrary): the past
move names it. While that move is not made yet, only the taker itself knows the card.
"""

from collections.abc import Iterator, Mapping, Sequence

from games.rules.cards import CARD
from games.rules.cards_in_state import exchange
from games.rules.defaults import cards_of
from games.rules.pyanitsa.events import Dealt, Recycled, TrickTaken, shown_by
from games.rules.pyanitsa.state import PyanitsaState
from games.rules.redeal import redeal_decks, retold
from games.rules.shuffles import Shuffle
from games.rules.values import AnyCard, Event, HistoryStep, Redealt, Seat

_cards = cards_of(PyanitsaState)


def redeal(
    state: PyanitsaState, history: Sequence[HistoryStep], seats: frozenset[Seat], shuffle: Shuffle
) -> Redealt[PyanitsaState]:
    decks = [deck for step in history for deck in step.decks]
    last_shown = _last_shown(state, history, seats)
    moved = tuple(_unknown(decks, last_shown))
    laid, became = redeal_decks(decks, moved, shuffle)
    chosen = state.taker is None
    events = retold(history, {} if chosen else became, TrickTaken)
    return Redealt(state=exchange(state, became), decks=laid, moved=moved, events=events)


def redeal_suffices(state: PyanitsaState, steps: Sequence[HistoryStep]) -> bool:
    """Everybody saw every card in these steps, so none of an older deck is unknown.

    A match may go round for ever; where the cards lie follows from its last tricks.
    """
    events = [event.seen_by(None) for step in steps for event in step.events]
    shown = {CARD[code] for event in events for code in shown_by(event)}
    return any(isinstance(e, TrickTaken) for e in events) and shown >= set(_cards(state))


def _last_shown(
    state: PyanitsaState, history: Sequence[HistoryStep], seats: frozenset[Seat]
) -> dict[int, int]:
    """For each card shown: how many decks had been dealt when it was shown last."""
    events = [event for step in history for event in step.events]
    if state.taker is not None and state.taker not in seats:
        last = max(at for at, event in enumerate(events) if isinstance(event, TrickTaken))
        events[last] = events[last].seen_by(None)
    dealt = 0
    last_shown: dict[int, int] = {}
    for event in events:
        dealt += _deals_a_deck(state, event)
        for code in shown_by(event):
            last_shown[CARD[code]] = dealt
    return last_shown


def _deals_a_deck(state: PyanitsaState, event: Event) -> bool:
    if isinstance(event, Recycled):
        return state.options.recycle == "shuffle"
    if isinstance(event, TrickTaken):
        return state.options.collect_order == "random"
    return isinstance(event, Dealt)


def _unknown(
    decks: Sequence[Sequence[AnyCard]], last_shown: Mapping[int, int]
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The positions of each deck whose cards were not shown after it was dealt."""
    for index, deck in enumerate(decks):
        positions = tuple(
            [at for at, card in enumerate(deck) if last_shown.get(int(card), 0) <= index]
        )
        if positions:
            yield index, positions
