"""Dealing again what the loading player cannot know (FORMAT.md §2): the current game's deck."""

from collections.abc import Sequence

from msgspec.structs import replace

from games.rules.cards_in_state import exchange
from games.rules.redeal import redeal_decks, retold, this_round
from games.rules.shithead.deal import chosen_by_card
from games.rules.shithead.events import GameStarted
from games.rules.shithead.knowledge import known_hands
from games.rules.shithead.predicates import in_order
from games.rules.shithead.rules import play
from games.rules.shithead.state import ShitheadState
from games.rules.shuffles import Shuffle
from games.rules.values import HistoryStep, Move, Redealt, Seat, Step


def redeal(
    state: ShitheadState, history: Sequence[HistoryStep], seats: frozenset[Seat], shuffle: Shuffle
) -> Redealt[ShitheadState]:
    """Deals stock, hidden cards and what none of ``seats`` saw go into another hand again.

    Every game has one deck; those of games that are over, and all once the match is, stay.
    """
    decks = [deck for step in history for deck in step.decks]
    unknown = unknown_cards(state, history, seats)
    positions = tuple(at for at, card in enumerate(decks[-1]) if card in unknown)
    moved = ((len(decks) - 1, positions),) if positions else ()
    laid, became = redeal_decks(decks, moved, shuffle)
    now = exchange(state, became)
    now = replace(now, hands=tuple(map(in_order, now.hands)))
    events = retold(history, became, GameStarted)
    return Redealt(state=now, decks=laid, moved=moved, events=events)


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


def unknown_cards(
    state: ShitheadState, history: Sequence[HistoryStep], seats: frozenset[Seat]
) -> frozenset[int]:
    """The cards that none of ``seats`` can place, those in its own hands excepted."""
    if state.phase == "over":
        return frozenset()
    known = known_hands(this_round(history), len(state.hands))
    unknown = set(state.stock)
    for slots in state.hidden:
        unknown.update(card for card in slots if card is not None)
    for seat, hand in enumerate(state.hands):
        if seat not in seats:
            unknown.update(set(hand) - known[seat])
    return frozenset(unknown)
