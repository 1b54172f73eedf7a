"""One turn by the rules: what a seat may play, and what follows from it (R6–R17)."""

from collections.abc import Callable
from typing import Final

from games.rules.cards import JOKER, RANK, TEXT
from games.rules.errors import IllegalMove
from games.rules.shithead import refusals
from games.rules.shithead.events import Source
from games.rules.shithead.notation import BLIND, PICKUP, Choice, write
from games.rules.shithead.predicates import allowed_ranks, asked, in_order
from games.rules.shithead.state import Cards, ShitheadState
from games.rules.shithead.table import Table
from games.rules.values import Move, Seat


def playable(state: ShitheadState) -> tuple[bool, ...]:
    """R11: for every rank whether it may be played on the pile as it lies."""
    options = state.options
    t = asked(state.pile, options.joker_top == "transparent")
    return allowed_ranks(t, options.seven_lower, options.joker_top == "reset")


def legal_moves(state: ShitheadState, seat: Seat) -> tuple[Move, ...]:
    """One representative for every rank and number (§3), then ``pickup`` where it is legal."""
    hand, top = state.hands[seat], state.tops[seat]
    cards = hand or top
    if not cards:
        return _blind_moves(state, seat)
    moves = _card_moves(cards, playable(state))
    if moves and hand and top and RANK[hand[0]] == RANK[hand[-1]]:
        moves += _with_tops(moves[-1], RANK[hand[0]], top)
    if state.pile and (not moves or state.options.pickup == "voluntary"):
        moves.append(PICKUP)
    return tuple(moves)


def _card_moves(cards: Cards, may: tuple[bool, ...]) -> list[Move]:
    moves = []
    last, text = -1, ""
    for card in cards:
        rank = RANK[card]
        if not may[rank]:
            continue
        text = f"{text} {TEXT[card]}" if rank == last else TEXT[card]
        last = rank
        moves.append(text)
    return moves


def _with_tops(whole_hand: Move, rank: int, top: Cards) -> list[Move]:
    """R9: the whole hand and some top cards of its rank."""
    moves = []
    text = whole_hand
    for card in top:
        if RANK[card] == rank:
            text = f"{text} {TEXT[card]}"
            moves.append(text)
    return moves


def _blind_moves(state: ShitheadState, seat: Seat) -> tuple[Move, ...]:
    slots = state.hidden[seat]
    return tuple([BLIND[slot] for slot, card in enumerate(slots) if card is not None])


def take(state: ShitheadState, seat: Seat, choice: Choice) -> tuple[Table, Seat, Move]:
    """The table after the turn, who is next unless the game is over, the recorded move."""
    table = Table(state, seat)
    again, move = _ACTIONS[choice.kind](table, choice.numbers)
    table.draw()
    left = table.leave()
    return table, seat if again and not left else table.following(), move


def _play(table: Table, cards: Cards) -> tuple[bool, Move]:
    cards, source = _checked(table, in_order(cards))
    return _lay(table, cards, source), write(cards)


def _checked(table: Table, cards: Cards) -> tuple[Cards, Source]:
    """The cards in recorded order and where they lie; ``IllegalMove`` if they may not be played."""
    hand, top = table.hands[table.seat], table.tops[table.seat]
    if not hand and not top:
        raise refusals.must_turn_up()
    for card in cards:
        if card not in hand and card not in top:
            raise refusals.card_not_available(TEXT[card])
    if RANK[cards[0]] != RANK[cards[-1]]:
        raise refusals.one_rank()
    from_top = tuple([card for card in cards if card in top])
    if from_top and len(cards) - len(from_top) < len(hand):  # R9: only with the whole hand
        raise refusals.hand_first(TEXT[from_top[0]])
    if not playable(table.state)[RANK[cards[0]]]:
        raise refusals.not_allowed(table.pile, table.options, TEXT[cards[0]])
    if not from_top:
        return cards, "hand"
    if not hand:
        return cards, "top"
    return tuple([card for card in cards if card in hand]) + from_top, "hand_top"


def _lay(table: Table, cards: Cards, source: Source) -> bool:
    """R12–R14: lays the cards; whether the seat has another turn."""
    table.lay(cards, source)
    turned = RANK[cards[0]] == JOKER and table.turn_round(cards)
    if table.burn():
        return True
    return turned and table.options.two_player_joker == "again" and table.active() == 2


def _turn_up(table: Table, slots: Cards) -> tuple[bool, Move]:
    """R10: a hidden card is played if it may be, else it is picked up with the pile."""
    (slot,) = slots
    seat = table.seat
    if table.hands[seat] or table.tops[seat]:
        raise refusals.not_yet_hidden()
    if slot >= len(table.hidden[seat]) or (card := table.hidden[seat][slot]) is None:
        raise refusals.slot_empty(_blind_moves(table.state, seat))
    if playable(table.state)[RANK[card]]:
        return _lay(table, (card,), "hidden"), BLIND[slot]
    table.fail(slot, card)
    return False, BLIND[slot]


def _pick_up(table: Table, _: Cards) -> tuple[bool, Move]:
    hand, top = table.hands[table.seat], table.tops[table.seat]
    if not table.pile:
        raise refusals.nothing_to_pick_up()
    if not hand and not top:
        raise refusals.must_turn_up()
    if table.options.pickup == "forced":
        may = playable(table.state)
        for card in hand or top:
            if may[RANK[card]]:
                raise refusals.must_play(TEXT[card])
    table.pick_up()
    return False, PICKUP


def _exchange_is_over(_table: Table, _numbers: Cards) -> tuple[bool, Move]:
    raise IllegalMove("exchange_over", "The exchange is over; play cards or pick up the pile.")


_ACTIONS: Final[dict[str, Callable[[Table, Cards], tuple[bool, Move]]]] = {
    "cards": _play,
    "blind": _turn_up,
    "pickup": _pick_up,
    "swap": _exchange_is_over,
    "ready": _exchange_is_over,
}
