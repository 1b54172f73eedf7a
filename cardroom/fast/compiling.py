"""Numba where it is installed, plain Python elsewhere: the same functions, the same results.

``CARDROOM_KERNELS`` says how kernels run: ``compiled`` (the default), ``python`` (the plain form,
far slower than the rules, for checks) or ``off``. Compiled code is kept in a folder named after
everything it was made from, so code of older sources is never loaded: Numba itself looks at the
file of the outermost function alone.

Sets of cards as the bits of one number.

Common parts of the traces of all kernels.

The streams of ``cardroom.rules.shuffles`` on an array of words, for compiled code.

``words[0]`` is the stream of the decks, ``words[1]`` that of the bots, unless a caller names
another place: a search draws everything from one stream. After them comes room for the numbers of
one shuffle.
"""

import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy

from cardroom.rules import shuffles
from cardroom.rules.shuffles import LARGEST_PRODUCT, batch

numba: Any = None
with suppress(ImportError):
    numba = import_module("numba")

F = TypeVar("F", bound=Callable[..., Any])

WANTED: Final = os.environ.get("CARDROOM_KERNELS", "compiled")
COMPILED: Final = numba is not None and WANTED == "compiled"

_HERE: Final = Path(__file__).resolve().parent
_RULES: Final = _HERE.parent / "rules"

# In compiled code these are casts; in Python numbers stay exact and are masked where they may grow.
u64: Any = numpy.uint64 if COMPILED else int
i64: Any = numpy.int64 if COMPILED else int


# Arrays are made by the caller: without counting references to them code runs three times as fast.
_ALIKE: Final[dict[str, Any]] = {"nogil": True, "error_model": "numpy", "_nrt": False}


def inner(function: F) -> F:
    """A function that only other compiled functions call; it makes no arrays."""
    if not COMPILED:
        return function
    return numba.njit(forceinline=True, **_ALIKE)(function)  # type: ignore[no-any-return]


def outer(function: F) -> F:
    """A function that Python calls; its compiled code is kept on the disk."""
    if not COMPILED:
        return function
    return numba.njit(cache=True, parallel=False, **_ALIKE)(function)  # type: ignore[no-any-return]


@cache
def fingerprint() -> str:
    """Changes with every source and table that compiled code depends on, and with the compiler.

    Numba asks for the place and the time of the file too: code that another copy of it compiled,
    or that was compiled before the file was written again, is not used.
    """
    folders = [_HERE.rglob("*.py"), _RULES.rglob("*.py"), _RULES.rglob("*.table")]
    sources = [path for paths in folders for path in sorted(paths)]
    digest = hashlib.sha256(str(_HERE).encode())
    for path in sources:
        digest.update(path.name.encode() + path.read_bytes())
        digest.update(str(path.stat().st_mtime).encode())
    digest.update(f"{numba.__version__ if numba else ''} {numpy.__version__}".encode())
    return digest.hexdigest()[:16]


@cache
def cache_folder() -> Path:
    """The folder of compiled code: below ``CARDROOM_KERNEL_CACHE`` or the user's cache folder.

    Numba wants to write there; what lies in a folder that cannot be written to, as in an image, is
    copied to a private one first.
    """
    chosen = _chosen_folder() / fingerprint()
    with suppress(OSError):
        chosen.mkdir(parents=True, exist_ok=True)
    return chosen if os.access(chosen, os.W_OK) else _private_copy(chosen)


def _chosen_folder() -> Path:
    named = os.environ.get("CARDROOM_KERNEL_CACHE")
    if named:
        return Path(named)
    home = os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()
    return Path(home) / "cardroom-kernels"


def _private_copy(folder: Path) -> Path:
    """A folder of this user's alone, with what ``folder`` holds; code is loaded from it."""
    own = Path(tempfile.gettempdir()) / f"cardroom-kernels-{os.getuid()}"
    with suppress(FileExistsError):
        own.mkdir(mode=0o700)
    status = own.lstat()
    if status.st_uid != os.getuid() or not stat.S_ISDIR(status.st_mode) or status.st_mode & 0o077:
        own = Path(tempfile.mkdtemp(prefix="cardroom-kernels-"))  # the name was taken by others
    copy = own / folder.name
    if not copy.exists():
        begun = Path(tempfile.mkdtemp(dir=own))
        if folder.is_dir():
            shutil.copytree(folder, begun, dirs_exist_ok=True, copy_function=shutil.copyfile)
        try:
            begun.rename(copy)
        except OSError:  # another process was quicker
            shutil.rmtree(begun, ignore_errors=True)
    return copy


if COMPILED:
    numba.config.CACHE_DIR = str(cache_folder())


@inner
def count_bits(cards: int) -> int:
    """How many of up to 63 cards: sums of two bits, of four, of eight, then of all bytes."""
    cards -= (cards >> 1) & 0x5555555555555555
    cards = (cards & 0x3333333333333333) + ((cards >> 2) & 0x3333333333333333)
    cards = (cards + (cards >> 4)) & 0x0F0F0F0F0F0F0F0F
    cards += cards >> 32
    cards += cards >> 16
    return (cards + (cards >> 8)) & 255


@inner
def note_cards(out: Any, at: int, cards: Any, first: int, last: int) -> int:
    """How many cards (or seats) and which, from place ``at`` on; the next place."""
    count = last - first
    out[at] = count
    # As slices they are copied in one piece: no place in them can be negative.
    target, source = out[at + 1 : at + 1 + count], cards[first:last]
    for nth in range(count):
        target[nth] = source[nth]
    return at + 1 + count


DECKS: Final = 0
BOTS: Final = 1
STREAMS: Final = 2
MOST_CARDS: Final = 64
WORDS: Final = STREAMS + MOST_CARDS

_GAMMA = u64(shuffles.GAMMA)
_FIRST = u64(shuffles.FIRST_FACTOR)
_SECOND = u64(shuffles.SECOND_FACTOR)
_MASK = u64(shuffles.MASK)
_LOW = u64(shuffles.LOW)
_TOP = u64(shuffles.TOP)
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
