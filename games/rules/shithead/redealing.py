"""Dealing anew what the loading player cannot know (FORMAT.md §2): the current game's deck."""

from collections.abc import Sequence

from msgspec.structs import replace

from games.rules.redeal import redeal_decks, retold, this_round
from games.rules.shithead.dealing import chosen_by_card
from games.rules.shithead.events import GameStarted
from games.rules.shithead.memory import known_hands
from games.rules.shithead.predicates import in_order
from games.rules.shithead.rules import play
from games.rules.shithead.state import Cards, ShitheadState, Slots
from games.rules.shuffles import Shuffle
from games.rules.values import HistoryStep, Move, Redealt, Seat, Step


def redeal(
    state: ShitheadState, history: Sequence[HistoryStep], seats: frozenset[Seat], shuffle: Shuffle
) -> Redealt[ShitheadState]:
    """Stock, hidden cards and what no one of ``seats`` saw go into another hand are dealt anew.

    Every game has one deck; those of games that are over, and all once the match is, stay.
    """
    decks = [deck for step in history for deck in step.decks]
    unknown = unknown_cards(state, history, seats)
    positions = tuple(at for at, card in enumerate(decks[-1]) if card in unknown)
    moved = ((len(decks) - 1, positions),) if positions else ()
    laid, became = redeal_decks(decks, moved, shuffle)
    told = retold(history, became, GameStarted)
    return Redealt(_with_cards(state, became), laid, moved, told)


def play_past(
    state: ShitheadState, seat: Seat, move: Move, shuffle: Shuffle
) -> Step[ShitheadState]:
    """A move made before its cards were dealt again: they need no longer force or allow it.

    Whom the lowest card chose has started, and a pick-up was forced.
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


def _with_cards(state: ShitheadState, became: dict[int | str, int | str]) -> ShitheadState:
    now = {old: new for old, new in became.items() if isinstance(old, int) and isinstance(new, int)}

    def cards(old: Cards) -> Cards:
        return tuple(now.get(card, card) for card in old)

    def slots(old: Slots) -> Slots:
        return tuple(None if card is None else now.get(card, card) for card in old)

    return replace(
        state,
        stock=cards(state.stock),
        hands=tuple(in_order(cards(hand)) for hand in state.hands),
        hidden=tuple(slots(seat) for seat in state.hidden),
    )
