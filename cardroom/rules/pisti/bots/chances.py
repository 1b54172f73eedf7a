"""What a player who counts can tell of the others' hands: unseen cards, refusals, chances."""

from collections.abc import Iterable, Sequence
from typing import Final

from cardroom.rules.cards import JACK, RANK, RANKS
from cardroom.rules.pisti.events import (
    Captured,
    CardPlayed,
    CentreDealt,
    DealStarted,
    HandDealt,
    JackBuried,
    Redeal,
)
from cardroom.rules.values import Event, Seat

_RANK_OF: Final = {letter: rank for rank, letter in enumerate(RANKS)}
_RANKS: Final = 13
_SUITS: Final = 4


def unseen_by_rank(seen: Iterable[int]) -> list[int]:
    """How many cards of each rank could still be anywhere."""
    unseen = [_SUITS] * _RANKS
    for card in seen:
        unseen[RANK[card]] -= 1
    return unseen


def holds(count: int, unseen: int, hand_size: int) -> float:
    """The chance that a hand drawn from ``unseen`` cards has at least one of ``count`` of them."""
    lacks = 1.0
    for drawn in range(min(hand_size, unseen)):
        lacks *= max(0, unseen - count - drawn) / (unseen - drawn)
    return 1.0 - lacks


def rank_chances(unseen: Sequence[int], refused: set[int], hand_size: int) -> list[float]:
    """By rank, the chance that an unknown hand of this size holds it."""
    possible = [0 if rank in refused else count for rank, count in enumerate(unseen)]
    total = sum(possible)
    by_count = [holds(count, total, hand_size) for count in range(_SUITS + 1)]
    return [by_count[count] for count in possible]


def refused_ranks(events: Sequence[Event], players: int) -> list[set[int]]:
    """By seat, the ranks it let lie since it was last dealt cards: hardly still in its hand."""
    refused: list[set[int]] = [set() for _ in range(players)]
    top: int | None = None
    for event in events:
        match event:
            case CardPlayed():
                rank = _RANK_OF[event.card[0]]
                _note_refusal(refused, event.seat, rank, top)
                top = rank
            case HandDealt():
                refused[event.seat].clear()
            case Captured() | DealStarted() | Redeal():
                top = None
            case CentreDealt() | JackBuried():
                top = _RANK_OF[event.top[0]]
    return refused


def _note_refusal(refused: list[set[int]], seat: Seat, rank: int, top: int | None) -> None:
    if top is not None and rank not in (top, JACK):
        refused[seat].add(top)
