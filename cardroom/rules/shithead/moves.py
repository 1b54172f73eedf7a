"""Moves as text (shithead §3): reading, canonical order, writing; and why a card may not be played.

The other illegal moves are refused where the rules find them.
"""

from collections.abc import Collection, Iterable, Sequence
from itertools import permutations
from typing import Final, Literal, NamedTuple

from cardroom.rules.cards import CARD, JOKER, RANK, SEVEN, TEXT
from cardroom.rules.errors import MalformedMove
from cardroom.rules.shithead.options import ShitheadOptions
from cardroom.rules.shithead.predicates import allowed_ranks, in_order, rank_to_beat
from cardroom.rules.text import CardName, Phrase, say
from cardroom.rules.values import Move

READY: Final = "ready"
PICKUP: Final = "pickup"
MOST_SLOTS: Final = 9
BLIND: Final = tuple(f"blind {slot}" for slot in range(MOST_SLOTS))
SWAP: Final = tuple(tuple(f"swap {TEXT[a]} {TEXT[b]}" for b in range(54)) for a in range(54))


class ParsedMove(NamedTuple):
    """A move that was read: ``numbers`` are cards, or the slot of ``blind``."""

    kind: Literal["swap", "ready", "cards", "blind", "pickup"]
    numbers: tuple[int, ...] = ()


_KNOWN: Final[dict[Move, ParsedMove]] = (
    {READY: ParsedMove("ready"), PICKUP: ParsedMove("pickup")}
    | {move: ParsedMove("blind", (slot,)) for slot, move in enumerate(BLIND)}
    | {code: ParsedMove("cards", (card,)) for code, card in CARD.items()}
    | {SWAP[a][b]: ParsedMove("swap", (a, b)) for a, b in permutations(range(54), 2)}
)  # every move but plays of several cards
_LONGEST_SHOWN: Final = 40


def parse(move: Move) -> ParsedMove:
    """What a text means; ``MalformedMove`` if it is no move in any position."""
    known = _KNOWN.get(move)
    if known is not None:
        return known
    try:
        cards = tuple([CARD[code] for code in move.split(" ")])
    except KeyError:
        raise _malformed(move) from None
    if len(set(cards)) < len(cards):
        raise _malformed(move)
    return ParsedMove("cards", cards)


def canonical(move: Move, parsed: ParsedMove, hand: Collection[int]) -> tuple[Move, ParsedMove]:
    """The move as it is recorded (§3): cards in order, those of the ``hand`` first."""
    if parsed.kind != "cards" or len(parsed.numbers) == 1:
        return move, parsed
    ordered = in_order(parsed.numbers)
    cards = [card for card in ordered if card in hand]
    cards += [card for card in ordered if card not in hand]
    return text(cards), ParsedMove("cards", tuple(cards))


def text(cards: Iterable[int]) -> Move:
    """A play of cards."""
    return " ".join([TEXT[card] for card in cards])


def alike(move: Move) -> tuple[str, ...]:
    """What plays of equal cards have in common: their ranks; of these plays one is listed (§3)."""
    return tuple(sorted(part[0] if part in CARD else part for part in move.split(" ")))


def _malformed(move: Move) -> MalformedMove:
    shown = move if len(move) <= _LONGEST_SHOWN else move[:_LONGEST_SHOWN] + "…"
    return MalformedMove(
        "malformed_move",
        say(
            "{move} is no move of Shithead. Moves are cards such as '5H 5D' (none of them twice),"
            " 'pickup', 'blind 2', 'swap 5C 2S' (hand card, then top card) and 'ready'.",
            move=repr(shown),
        ),
    )


RANK_NAMES: Final = (
    say("two"), say("three"), say("four"), say("five"), say("six"), say("seven"), say("eight"),
    say("nine"), say("ten"), say("jack"), say("queen"), say("king"), say("ace"), say("joker"),
)  # fmt: skip


def why_not(pile: Sequence[int], options: ShitheadOptions, card: int) -> Phrase | None:
    """Why a card may not be played on the pile, or ``None`` if it may (R11).

    Whose turn it is and where the card lies is not considered.
    """
    rank = rank_to_beat(pile, options.joker_top == "transparent")
    if allowed_ranks(rank, options.seven_lower, options.joker_top == "reset")[RANK[card]]:
        return None
    name, beaten = CardName(TEXT[card]), _on_the_pile(pile, rank)
    if rank == JOKER:
        return say("Only a 2, 3, 10 or joker beats {top}; {card} does not.", card=name, top=beaten)
    if rank == SEVEN and options.seven_lower:
        return say(
            "{card} is higher than {top}, which asks for a seven or lower.", card=name, top=beaten
        )
    return say("{card} is lower than {top}.", card=name, top=beaten)


def _on_the_pile(pile: Sequence[int], rank: int) -> Phrase:
    """The card that counts, in words; it lies on top or below transparent cards."""
    if RANK[pile[-1]] == rank:
        return say("the {rank} on the pile", rank=RANK_NAMES[rank])
    return say("the {rank} that still counts below", rank=RANK_NAMES[rank])
