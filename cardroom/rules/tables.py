"""Tables that bots have learned: files of whole numbers, two bytes each, compressed."""

from array import array
from collections.abc import Iterable
from lzma import compress, decompress
from pathlib import Path
from sys import byteorder
from typing import Final

LARGEST: Final = 2**15 - 1
TWO_BYTES: Final = "h"


def read(file: Path) -> "array[int]":
    table = array(TWO_BYTES)
    table.frombytes(decompress(file.read_bytes()))
    return _little_endian(table)


def packed(numbers: Iterable[float]) -> bytes:
    """The content of such a file; the numbers rounded, and none further from 0 than ``LARGEST``."""
    whole = (max(-LARGEST, min(LARGEST, round(number))) for number in numbers)
    return compress(_little_endian(array(TWO_BYTES, whole)).tobytes(), preset=9)


def _little_endian(table: "array[int]") -> "array[int]":
    if byteorder == "big":
        table.byteswap()
    return table
