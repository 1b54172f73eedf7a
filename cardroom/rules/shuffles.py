"""The sources of decks: sealed (a match), stacked (tests, replays), seeded (the arena).

A *shuffle* is a callable from a pack in canonical order to the shuffled deck, top first. The
rules ask for one deck after the other and never see a seed (FORMAT.md §1).

The chance of simulations: one cheap generator that rules in Python and compiled kernels share.

Sealed matches do not use it (``shuffles.Sealed``). All numbers are unsigned and below 2^64:

* ``mix(z)``: ``z += GAMMA``, then SplitMix64's finaliser (shifts 30, 27, 31, both factors below).
* A stream begins at ``start(seed, purpose, number) = mix(mix(mix(seed) + purpose) + number)``, the
  purpose being its ASCII text read as a big-endian number. Word k is ``mix(start + k * GAMMA)``.
* A number below n ≤ 2^32 uses the upper 56 bits of a word, u: it is ``u * n >> 56``. If the lower
  56 bits of ``u * n`` are less than ``2^56 mod n``, the word is dropped and the next one taken.
* A shuffle is Fisher and Yates' from the last card down, ``swap a[i], a[j]`` with j below i + 1.
  One word serves several swaps in a row, as many as the product p of their bounds stays ≤ 2^48:
  after each number u is what ``u * n`` leaves in its lower 56 bits. The word is dropped before any
  swap if the lower 56 bits of ``u * p`` are less than ``2^56 mod p``.
"""

import hashlib
import hmac
from collections.abc import Callable, Iterable, Iterator, MutableSequence, Sequence
from functools import cache
from random import Random
from typing import Any, Final, Protocol, TypeAlias, TypeVar

C = TypeVar("C")
SECRET: Final = 32  # bytes of a seed that the shuffles come from
_WORDS = 2**32


class Shuffle(Protocol):
    """Returns the cards of ``pack`` in a new order, top of the deck first."""

    def __call__(self, pack: Sequence[C], /) -> list[C]: ...


class UnexpectedShuffle(ValueError):
    """The rules asked for a deck that was not stacked, or is made of other cards."""


def commitment(seed: bytes) -> str:
    """The commitment published before the first card: SHA-256 of the seed in lower-case hex."""
    return hashlib.sha256(seed).hexdigest()


class Sealed:
    """The shuffles of one seed, numbered from ``used`` on; ``used`` counts on with each.

    The bytes after the secret in the longer seed of a mirrored match do not change them (FORMAT.md
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


GAMMA: Final = 0x9E3779B97F4A7C15
FIRST_FACTOR: Final = 0xBF58476D1CE4E5B9
SECOND_FACTOR: Final = 0x94D049BB133111EB
MASK: Final = 2**64 - 1
BITS: Final = 56  # of a word, for numbers below n
TOP: Final = 2**BITS
LOW: Final = TOP - 1
LARGEST_PRODUCT: Final = 2**48
LARGEST_BOUND: Final = 2**32

StreamState: TypeAlias = tuple[int, float | None]


def mix(z: int) -> int:
    z = (z + GAMMA) & MASK
    z = ((z ^ (z >> 30)) * FIRST_FACTOR) & MASK
    z = ((z ^ (z >> 27)) * SECOND_FACTOR) & MASK
    return z ^ (z >> 31)


def purpose_start(seed: int, purpose: str) -> int:
    """The base of all streams of a seed and purpose; add a number and ``mix`` for its start."""
    return mix(mix(seed & MASK) + int.from_bytes(purpose.encode("ascii"), "big"))


def start(seed: int, purpose: str, number: int) -> int:
    return mix(purpose_start(seed, purpose) + number)


@cache
def batch(last: int) -> tuple[int, int]:
    """How many swaps of a shuffle, from place ``last`` down, one word serves; their product."""
    count, product = 1, last + 1
    while last > count and product * (last + 1 - count) <= LARGEST_PRODUCT:
        product *= last + 1 - count
        count += 1
    return count, product


class Stream(Random):
    """A stream as Python's own generator: every method of ``random.Random`` draws from it."""

    def __init__(self, start: int = 0) -> None:
        super().__init__(start)

    def seed(self, a: Any = 0, version: int = 2) -> None:
        self._word, self.gauss_next = int(a) & MASK, None

    def _next(self) -> int:
        self._word = z = (self._word + GAMMA) & MASK
        z = ((z ^ (z >> 30)) * FIRST_FACTOR) & MASK  # as ``mix``, which a call would slow down
        z = ((z ^ (z >> 27)) * SECOND_FACTOR) & MASK
        return z ^ (z >> 31)

    def random(self) -> float:
        """In [0, 1), in steps of 2^-53."""
        return (self._next() >> 11) * 2.0**-53

    def getrandbits(self, bits: int, /) -> int:
        drawn = 0
        for _ in range(-(-bits // 64)):
            drawn = drawn << 64 | self._next()
        return drawn >> -bits % 64

    def _randbelow(self, n: int) -> int:
        """``random.Random`` asks this for every whole number."""
        if n > LARGEST_BOUND:
            return super()._randbelow_with_getrandbits(n)  # type: ignore[misc, no-any-return]
        while True:
            product = (self._next() >> 8) * n
            left = product & LOW
            if left >= n or left >= TOP % n:
                return product >> BITS

    def shuffle(self, x: MutableSequence[Any]) -> None:
        last = len(x) - 1
        while last > 0:
            count, product = batch(last)
            word = self._next() >> 8
            left = word * product & LOW
            if left < product and left < TOP % product:
                continue
            for at in range(last, last - count, -1):
                word *= at + 1
                other = word >> BITS
                word &= LOW
                x[at], x[other] = x[other], x[at]
            last -= count

    def getstate(self) -> StreamState:  # type: ignore[override]
        return self._word, self.gauss_next

    def setstate(self, state: StreamState) -> None:  # type: ignore[override]
        self._word, self.gauss_next = state  # type: ignore[assignment]
