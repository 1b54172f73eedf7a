"""Moves as text (shithead §3): reading what somebody typed, writing what is recorded."""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from games.rules.cards import CARD, TEXT
from games.rules.errors import MalformedMove
from games.rules.values import Move

READY: Final = "ready"
PICKUP: Final = "pickup"
MOST_SLOTS: Final = 9
BLIND: Final = tuple(f"blind {slot}" for slot in range(MOST_SLOTS))
SWAP: Final = tuple(tuple(f"swap {TEXT[a]} {TEXT[b]}" for b in range(54)) for a in range(54))


class Choice(NamedTuple):
    """A move that was read: ``numbers`` are cards, or the slot of ``blind``."""

    kind: Literal["swap", "ready", "cards", "blind", "pickup"]
    numbers: tuple[int, ...] = ()


_SLOT: Final = {text: Choice("blind", (slot,)) for slot, text in enumerate(BLIND)}
_WORD: Final = {READY: Choice("ready"), PICKUP: Choice("pickup")} | _SLOT
_LONGEST_SHOWN: Final = 40


def write(cards: Sequence[int]) -> Move:
    return " ".join([TEXT[card] for card in cards])


def read(move: Move) -> Choice:
    """The choice a text means; ``MalformedMove`` if it means none in any position."""
    if move in _WORD:
        return _WORD[move]
    codes = move.split(" ")
    kind: Literal["swap", "cards"] = "cards"
    if codes[0] == "swap":
        kind = "swap"
        del codes[0]
    try:
        cards = tuple([CARD[code] for code in codes])
    except KeyError:
        raise _malformed(move) from None
    if not cards or len(set(cards)) < len(cards) or (kind == "swap" and len(cards) != 2):
        raise _malformed(move)
    return Choice(kind, cards)


def _malformed(move: Move) -> MalformedMove:
    shown = move if len(move) <= _LONGEST_SHOWN else move[:_LONGEST_SHOWN] + "…"
    return MalformedMove(
        "malformed_move",
        f"{shown!r} is no move of Shithead. Moves are cards such as '5H 5D' (none of them twice),"
        " 'pickup', 'blind 2', 'swap 5C 2S' (hand card, then top card) and 'ready'.",
    )
