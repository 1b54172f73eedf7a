"""Facts of Shithead on plain ints: which cards lie on a pile, burns, who follows (R11–R13, R17).

A pile is any sequence of cards, bottom first. Simulation kernels use the same functions; they
take the options they depend on as plain values.

Moves as text (shithead §3): reading, canonical order, writing; and why a card may not be played.

The other illegal moves are refused where the rules find them.
"""

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from itertools import permutations
from typing import Final, Literal, NamedTuple

from cardroom.rules.cards import CARD, JOKER, RANK, SEVEN, TEN, TEXT, THREE, TWO
from cardroom.rules.shithead.options import ShitheadOptions
from cardroom.rules.text import CardName, Phrase, say
from cardroom.rules.values import MalformedMove, Move

BurnReason = Literal["ten", "four", "jokers"]

NOTHING: Final = -1  # the rank to beat on an empty pile, or on transparent cards alone
RANK_COUNT: Final = 14
ORDER: Final = tuple(
    RANK[card] * 4 + (card // 13 if card < 52 else card - 52) for card in range(54)
)


def in_order(cards: Iterable[int]) -> tuple[int, ...]:
    """By rank from 2 to ace, then jokers; inside a rank C D H S."""
    return tuple(sorted(cards, key=ORDER.__getitem__))


def is_wild(rank: int) -> bool:
    """Playable on anything (shithead §0)."""
    return rank in (TWO, THREE, TEN, JOKER)


def rank_to_beat(pile: Sequence[int], joker_transparent: int) -> int:
    """R11: t, the rank of the topmost pile card that counts, or ``NOTHING``."""
    for card in reversed(pile):
        rank = RANK[card]
        if rank != THREE and not (joker_transparent and rank == JOKER):
            return rank
    return NOTHING


def allowed(rank: int, t: int, seven_lower: int, joker_reset: int) -> bool:
    """R11: whether a card of ``rank`` may be played on t."""
    if is_wild(rank) or t in (NOTHING, TWO):
        return True
    if t == JOKER:
        return bool(joker_reset)
    if t == SEVEN and seven_lower:
        return rank <= SEVEN
    return rank >= t


@cache
def allowed_ranks(t: int, seven_lower: int, joker_reset: int) -> tuple[bool, ...]:
    """R11 for every rank at once."""
    return tuple(allowed(rank, t, seven_lower, joker_reset) for rank in range(RANK_COUNT))


def playable(pile: Sequence[int], options: ShitheadOptions) -> tuple[bool, ...]:
    """R11: for every rank whether it may be played on the pile."""
    rank = rank_to_beat(pile, options.joker_top == "transparent")
    return allowed_ranks(rank, options.seven_lower, options.joker_top == "reset")


def run_on_top(pile: Sequence[int], through_threes: int) -> int:
    """How many cards on top of a pile have one rank, directly one after the other (R13)."""
    last = RANK[pile[-1]]
    run = 0
    for card in reversed(pile):
        rank = RANK[card]
        if rank == last:
            run += 1
        elif not (through_threes and rank == THREE):
            break
    return run


def burn_reason(pile: Sequence[int], through_threes: int) -> BurnReason | None:
    """R13: why the pile burns after a play, or ``None``."""
    last = RANK[pile[-1]]
    if last == TEN:
        return "ten"
    run = run_on_top(pile, through_threes)
    if run >= 4:
        return "four"
    return "jokers" if last == JOKER and run >= 2 else None


def may_swap(swaps_left: Sequence[int] | None, seat: int) -> bool:
    """R5: whether a seat has a swap left; ``None``: there is no limit."""
    return swaps_left is None or swaps_left[seat] > 0


def next_active(seat: int, direction: int, places: Sequence[int]) -> int:
    """R17: the next seat in ``direction`` that is in the game: its place is still 0."""
    players = len(places)
    seat = (seat + direction) % players
    while places[seat]:
        seat = (seat + direction) % players
    return seat


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
    """The move that a text means; ``MalformedMove`` if it is no move in any position."""
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
    """The ranks of a play, which plays of equal cards share; of these plays one is listed (§3)."""
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
    """The reason why a card may not be played on the pile, or ``None`` if it may (R11).

    Whose turn it is and where the card lies is not considered.
    """
    if playable(pile, options)[RANK[card]]:
        return None
    rank = rank_to_beat(pile, options.joker_top == "transparent")
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
