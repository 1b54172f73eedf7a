"""One turn by the rules: what a seat may play, and what follows from it (R6–R17)."""

from collections.abc import Callable
from typing import Final

from cardroom.rules.cards import JOKER, RANK, TEXT
from cardroom.rules.errors import IllegalMove
from cardroom.rules.shithead.events import Source
from cardroom.rules.shithead.moves import BLIND, PICKUP, ParsedMove, why_not
from cardroom.rules.shithead.predicates import allowed_ranks, rank_to_beat
from cardroom.rules.shithead.state import Cards, ShitheadState
from cardroom.rules.shithead.working_copy import WorkingCopy
from cardroom.rules.steps import StepBuilder
from cardroom.rules.text import CardName, Listing, say
from cardroom.rules.values import Move, Seat


def playable(state: ShitheadState) -> tuple[bool, ...]:
    """R11: for every rank whether it may be played on the pile as it lies."""
    options = state.options
    rank = rank_to_beat(state.pile, options.joker_top == "transparent")
    return allowed_ranks(rank, options.seven_lower, options.joker_top == "reset")


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


def take_turn(
    state: ShitheadState, seat: Seat, move: ParsedMove, step: StepBuilder
) -> ShitheadState:
    """The state after a turn and the next seat to act, unless the game is over."""
    copy = WorkingCopy(state, seat, step)
    again = _ACTIONS[move.kind](copy, move.numbers)
    copy.draw()
    left = copy.leave()
    return copy.to_state(seat if again and not left else copy.following())


def _play(copy: WorkingCopy, cards: Cards) -> bool:
    return _lay(copy, cards, _source(copy, cards))


def _source(copy: WorkingCopy, cards: Cards) -> Source:
    """Where the cards lie; ``IllegalMove`` if they may not be played."""
    hand, top = copy.hands[copy.seat], copy.tops[copy.seat]
    if not hand and not top:
        raise _must_turn_up()
    for card in cards:
        if card not in hand and card not in top:
            raise _not_available(card)
    if len(cards) > 1 and len({RANK[card] for card in cards}) > 1:
        raise IllegalMove("one_rank", say("All cards of a play must be of the same rank."))
    from_top = [card for card in cards if card in top]
    if from_top and len(cards) - len(from_top) < len(hand):  # R9: only with the whole hand
        raise _hand_first(from_top[0])
    if why := why_not(copy.pile, copy.options, cards[0]):
        raise IllegalMove("not_allowed", why)
    if not from_top:
        return "hand"
    return "hand_top" if hand else "top"


def _must_turn_up() -> IllegalMove:
    return IllegalMove(
        "must_turn_up", say("Only hidden cards are left: turn one of them up, such as 'blind 0'.")
    )


def _not_available(card: int) -> IllegalMove:
    return IllegalMove(
        "card_not_available",
        say("You cannot play {card}: you do not have it.", card=CardName(TEXT[card])),
    )


def _hand_first(card: int) -> IllegalMove:
    return IllegalMove(
        "hand_first",
        say(
            "{card} is a top card: it can be played once the hand is used up, or together with the"
            " whole hand when all cards are of its rank.",
            card=CardName(TEXT[card]),
        ),
    )


def _lay(copy: WorkingCopy, cards: Cards, source: Source) -> bool:
    """R12–R14: lays the cards; whether the seat has another turn."""
    copy.lay(cards, source)
    reversed_ = RANK[cards[0]] == JOKER and copy.reverse_direction(cards)
    if copy.burn():
        return True
    return reversed_ and copy.options.two_player_joker == "again" and copy.active() == 2


def _turn_up(copy: WorkingCopy, slots: Cards) -> bool:
    """R10: a hidden card is played if it may be, else it is picked up with the pile."""
    (slot,) = slots
    seat = copy.seat
    if copy.hands[seat] or copy.tops[seat]:
        raise IllegalMove(
            "not_yet_hidden",
            say("Hidden cards come last, when your hand and top cards are used up."),
        )
    if slot >= len(copy.hidden[seat]) or (card := copy.hidden[seat][slot]) is None:
        left = Listing(_blind_moves(copy.state, seat))
        raise IllegalMove(
            "slot_empty", say("No hidden card lies there; you have {moves}.", moves=left)
        )
    if playable(copy.state)[RANK[card]]:
        return _lay(copy, (card,), "hidden")
    copy.fail(slot, card)
    return False


def _pick_up(copy: WorkingCopy, _: Cards) -> bool:
    hand, top = copy.hands[copy.seat], copy.tops[copy.seat]
    if not copy.pile:
        raise IllegalMove(
            "nothing_to_pick_up", say("The pile is empty, so there is nothing to pick up.")
        )
    if not hand and not top:
        raise _must_turn_up()
    if copy.options.pickup == "forced":
        _check_nothing_playable(copy.state, hand or top)
    copy.pick_up()
    return False


def _check_nothing_playable(state: ShitheadState, cards: Cards) -> None:
    may = playable(state)
    for card in cards:
        if may[RANK[card]]:
            example = CardName(TEXT[card])
            raise IllegalMove(
                "must_play",
                say("You must play as long as you can, for example {card}.", card=example),
            )


def _exchange_is_over(_copy: WorkingCopy, _numbers: Cards) -> bool:
    raise IllegalMove("exchange_over", say("The exchange is over; play cards or pick up the pile."))


_ACTIONS: Final[dict[str, Callable[[WorkingCopy, Cards], bool]]] = {
    "cards": _play,
    "blind": _turn_up,
    "pickup": _pick_up,
    "swap": _exchange_is_over,
    "ready": _exchange_is_over,
}
