"""Why a move or a card is refused, in a sentence for the player (R6–R11).

The table page asks ``why_not`` for the cards a seat holds; ``turns`` raises the same sentences.
"""

from collections.abc import Sequence
from typing import Final

from games.rules.cards import JOKER, RANK, SEVEN, pretty
from games.rules.errors import IllegalMove
from games.rules.shithead.options import ShitheadOptions
from games.rules.shithead.predicates import allowed, asked
from games.rules.values import Move

RANK_NAMES: Final = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "jack", "queen", "king", "ace", "joker",
)  # fmt: skip


def why_not(pile: Sequence[int], options: ShitheadOptions, rank: int, name: str) -> str | None:
    """The sentence that tells why a rank may not be played on the pile; ``None`` if it may (R11).

    ``name`` is what the sentence calls the card.
    """
    t = asked(pile, options.joker_top == "transparent")
    if allowed(rank, t, options.seven_lower, options.joker_top == "reset"):
        return None
    return _why(pile, options, t, name)


def _why(pile: Sequence[int], options: ShitheadOptions, t: int, name: str) -> str:
    lies = "on the pile" if RANK[pile[-1]] == t else "that still counts below"
    if t == JOKER:
        return f"Only a 2, 3, 10 or joker beats the joker {lies}; {name} does not."
    if t == SEVEN and options.seven_lower:
        return f"{name} is higher than the seven {lies}, which asks for a seven or lower."
    return f"{name} is lower than the {RANK_NAMES[t]} {lies}."


def not_allowed(pile: Sequence[int], options: ShitheadOptions, code: str) -> IllegalMove:
    t = asked(pile, options.joker_top == "transparent")
    return IllegalMove("not_allowed", _why(pile, options, t, pretty(code)))


def card_not_available(code: str) -> IllegalMove:
    return IllegalMove("card_not_available", f"You cannot play {pretty(code)}: you do not have it.")


def not_in_hand(code: str) -> IllegalMove:
    return IllegalMove("card_not_available", f"{pretty(code)} is not in your hand.")


def not_on_top(code: str) -> IllegalMove:
    return IllegalMove("card_not_available", f"{pretty(code)} is not one of your top cards.")


def one_rank() -> IllegalMove:
    return IllegalMove("one_rank", "All cards of a play must be of the same rank.")


def hand_first(code: str) -> IllegalMove:
    return IllegalMove(
        "hand_first",
        f"{pretty(code)} is a top card: it can be played once the hand is used up,"
        " or together with the whole hand when all cards are of its rank.",
    )


def must_play(code: str) -> IllegalMove:
    return IllegalMove(
        "must_play", f"You must play as long as you can, for example {pretty(code)}."
    )


def must_turn_up() -> IllegalMove:
    return IllegalMove(
        "must_turn_up", "Only hidden cards are left: turn one of them up, such as 'blind 0'."
    )


def not_yet_hidden() -> IllegalMove:
    return IllegalMove(
        "not_yet_hidden", "Hidden cards come last, when your hand and top cards are used up."
    )


def slot_empty(left: Sequence[Move]) -> IllegalMove:
    return IllegalMove("slot_empty", f"No hidden card lies there; you have {', '.join(left)}.")


def nothing_to_pick_up() -> IllegalMove:
    return IllegalMove("nothing_to_pick_up", "The pile is empty, so there is nothing to pick up.")
