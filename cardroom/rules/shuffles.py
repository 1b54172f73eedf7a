"""Where decks come from: sealed (a match), stacked (tests, replays), seeded (the arena).

A *shuffle* is a callable from a pack in canonical order to the shuffled deck, top first. The
rules ask for one deck after the other and never see a seed (FORMAT.md §1).
"""

import hashlib
import hmac
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import Final, Protocol, TypeVar

C = TypeVar("C")
SECRET: Final = 32  # bytes of a seed that the shuffles come from
_WORDS = 2**32


class Shuffle(Protocol):
    """Returns the cards of ``pack`` in a new order, top of the deck first."""

    def __call__(self, pack: Sequence[C], /) -> list[C]: ...


class UnexpectedShuffle(ValueError):
    """The rules asked for a deck that was not stacked, or is made of other cards."""


def commitment(seed: bytes) -> str:
    """What is published before the first card: SHA-256 of the seed in lower-case hex."""
    return hashlib.sha256(seed).hexdigest()


class Sealed:
    """The shuffles of one seed, numbered from ``used`` on; ``used`` counts on with each.

    What follows the secret in the longer seed of a mirrored match does not change them (FORMAT.md
    §1, Mirrored matches).
    """

    def __init__(self, seed: bytes, used: int = 0) -> None:
        self._secret = seed[:SECRET]
        self.used = used

    def __call__(self, pack: Sequence[C], /) -> list[C]:
        deck = list(pack)
        words = self._words(self.used)
        self.used += 1
        for i in range(len(deck) - 1, 0, -1):
            j = _below(i + 1, words)
            deck[i], deck[j] = deck[j], deck[i]
        return deck

    def _words(self, k: int) -> Iterator[int]:
        j = 0
        while True:
            block = hmac.digest(self._secret, f"{k}:{j}".encode(), "sha256")
            for at in range(0, len(block), 4):
                yield int.from_bytes(block[at : at + 4], "big")
            j += 1


def _below(n: int, words: Iterator[int]) -> int:
    """An unbiased whole number below n: words past the last full multiple of n are dropped."""
    limit = _WORDS - _WORDS % n
    return next(word for word in words if word < limit) % n


class Stacked:
    """Deals the decks it is given, as texts; each must be made of the pack that is asked for."""

    def __init__(self, decks: Iterable[Sequence[str]], text: Callable[[C], str]) -> None:
        self._decks = iter(decks)
        self._text = text
        self.used = 0

    def __call__(self, pack: Sequence[C], /) -> list[C]:
        deck = next(self._decks, None)
        if deck is None:
            raise UnexpectedShuffle(f"Shuffle {self.used} is asked for, but no such deck is there.")
        cards: dict[str, list[C]] = {}
        for card in pack:
            cards.setdefault(self._text(card), []).append(card)  # type: ignore[arg-type]
        if sorted(deck) != sorted(self._text(card) for card in pack):  # type: ignore[arg-type]
            raise UnexpectedShuffle(f"Deck {self.used} is not made of the cards of its pack.")
        self.used += 1
        return [cards[text].pop() for text in deck]


class RecordingShuffle:
    """Passes another shuffle's decks on and notes each in ``decks``."""

    def __init__(self, shuffle: Shuffle) -> None:
        self._shuffle = shuffle
        self.decks: list[tuple[object, ...]] = []

    def __call__(self, pack: Sequence[C], /) -> list[C]:
        deck = self._shuffle(pack)
        self.decks.append(tuple(deck))
        return deck


def seeded(rng: Random) -> Shuffle:
    """Quick decks for simulation; not sealed, not for matches that people play."""

    def shuffle(pack: Sequence[C], /) -> list[C]:
        deck = list(pack)
        rng.shuffle(deck)
        return deck

    return shuffle
