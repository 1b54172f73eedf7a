"""The lines of an answer; each kind of answer registers how it is said."""

from collections.abc import Iterable, Sequence
from functools import singledispatch
from typing import Any


@singledispatch
def lines_of(data: Any, _names: Sequence[str]) -> Iterable[str]:
    raise TypeError(f"{type(data).__name__} has no plain text.")
