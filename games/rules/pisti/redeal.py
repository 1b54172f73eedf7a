"""Re-dealing the current deal for the seats that load it (FORMAT.md §2, loaded matches)."""

from collections.abc import Iterable, Sequence

from games.rules.cards import TEXT
from games.rules.cards_in_state import exchange
from games.rules.pisti.deal import bottom_position
from games.rules.pisti.events import DealStarted, Redeal
from games.rules.pisti.knowledge import known_cards
from games.rules.pisti.state import PistiState
from games.rules.redeal import redeal_decks, retold, this_round
from games.rules.shuffles import Shuffle
from games.rules.values import Deck, HistoryStep, Redealt, Seat


def redeal(
    state: PistiState, history: Sequence[HistoryStep], seats: frozenset[Seat], shuffle: Shuffle
) -> Redealt[PistiState]:
    """Only the last deck is still in use; what ``seats`` saw of it in this deal stays."""
    decks = [deck for step in history for deck in step.decks]
    positions = _unknown_positions(state, decks[-1], _known(history, seats))
    moved = ((len(decks) - 1, positions),) if positions else ()
    now, became = redeal_decks(decks, moved, shuffle)
    events = retold(history, became, DealStarted, Redeal)
    return Redealt(state=exchange(state, became), decks=now, moved=moved, events=events)


def _known(history: Sequence[HistoryStep], seats: frozenset[Seat]) -> set[str]:
    """What any of these seats has been shown; with no seat, what a spectator has."""
    witnesses: Iterable[Seat | None] = seats or (None,)
    events = this_round(history)
    return set().union(
        *(known_cards(event.seen_by(seat) for event in events) for seat in witnesses)
    )


def _unknown_positions(state: PistiState, deck: Deck, known: set[str]) -> tuple[int, ...]:
    held = set(known)
    if state.bottom is not None:
        # The jacks that gave way to the exposed card stay too, or another card would lie there.
        held |= {TEXT[int(card)] for card in deck[bottom_position(_ints(deck)) :]}
    return tuple([at for at, card in enumerate(deck) if TEXT[int(card)] not in held])


def _ints(deck: Deck) -> list[int]:
    return [int(card) for card in deck]
