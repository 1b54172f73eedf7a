"""The streams of ``cardroom.rules.stream`` on an array of words, for compiled code.

``words[0]`` is the stream of the decks, ``words[1]`` that of the bots, unless a caller names
another place: a search draws everything from one stream. After them comes room for the numbers of
one shuffle.
"""

from typing import Any, Final

import numpy

from cardroom.fast.compiling import i64, inner, u64
from cardroom.rules import stream
from cardroom.rules.stream import LARGEST_PRODUCT, batch

DECKS: Final = 0
BOTS: Final = 1
STREAMS: Final = 2
MOST_CARDS: Final = 64
WORDS: Final = STREAMS + MOST_CARDS

_GAMMA = u64(stream.GAMMA)
_FIRST = u64(stream.FIRST_FACTOR)
_SECOND = u64(stream.SECOND_FACTOR)
_MASK = u64(stream.MASK)
_LOW = u64(stream.LOW)
_TOP = u64(stream.TOP)
_S8, _S11, _S27, _S30, _S31, _S56 = u64(8), u64(11), u64(27), u64(30), u64(31), u64(56)

_BATCHES = [batch(last) if last else (1, 1) for last in range(MOST_CARDS)]
COUNTS: Final = numpy.array([count for count, _ in _BATCHES], dtype=numpy.int64)
PRODUCTS: Final = numpy.array([product for _, product in _BATCHES], dtype=numpy.uint64)
assert int(PRODUCTS.max()) <= LARGEST_PRODUCT  # noqa: S101


@inner
def mix(z: Any) -> Any:
    z = (z + _GAMMA) & _MASK
    z = ((z ^ (z >> _S30)) * _FIRST) & _MASK
    z = ((z ^ (z >> _S27)) * _SECOND) & _MASK
    return z ^ (z >> _S31)


@inner
def begin(words: Any, which: int, purpose_start: Any, number: int) -> None:
    """``purpose_start`` as ``cardroom.rules.stream.purpose_start`` gives it."""
    words[which] = mix((u64(purpose_start) + u64(number)) & _MASK)


@inner
def next_word(words: Any, which: int) -> Any:
    word = u64(words[which])
    words[which] = (word + _GAMMA) & _MASK
    return mix(word)


@inner
def chance(words: Any, which: int = BOTS) -> float:
    """In [0, 1): what ``Stream.random`` gives."""
    return float(next_word(words, which) >> _S11) * 2.0**-53


@inner
def below_from(word: Any, n: int) -> tuple[int, Any]:
    """A whole number below n ≤ 128 of the stream at ``word``, and where the stream is then."""
    bound = u64(n)
    while True:
        product = (mix(word) >> _S8) * bound
        word = (word + _GAMMA) & _MASK
        left = product & _LOW
        if left >= bound or left >= _TOP % bound:
            return i64(product >> _S56), word


@inner
def below(words: Any, n: int, which: int = BOTS) -> int:
    """A whole number below n ≤ 128 for a bot; its ``rng.choice`` of n moves."""
    number, words[which] = below_from(u64(words[which]), n)
    return number


@inner
def draw_swaps(words: Any, count: int, which: int) -> None:
    """The places that the cards of a shuffle change with, written behind the streams.

    They are drawn before any card moves, because a processor does either faster alone.
    """
    if words.shape[0] < STREAMS + count:
        raise ValueError("There is no room for a shuffle behind the streams.")
    last = count - 1
    while last > 0:
        swaps = COUNTS[last]
        product = u64(PRODUCTS[last])
        word = next_word(words, which) >> _S8
        left = (word * product) & _LOW
        if left < product and left < _TOP % product:
            continue
        for at in range(last, last - swaps, -1):
            bound = u64(at + 1)
            words[u64(STREAMS + at)] = ((word & _LOW) * bound) >> _S56
            word = (word * bound) & _MASK
        last -= swaps


@inner
def shuffle(words: Any, cards: Any, first: int, count: int, which: int = DECKS) -> None:
    """Shuffles ``count`` cards from place ``first`` on, as ``Stream.shuffle`` does."""
    draw_swaps(words, count, which)
    for at in range(count - 1, 0, -1):
        place, other = u64(first + at), u64(first) + words[u64(STREAMS + at)]
        card = cards[place]
        cards[place] = cards[other]
        cards[other] = card
