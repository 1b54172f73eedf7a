"""The luck of a check, drawn by Hypothesis: a failure is made as simple as it can be."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


class Drawn:
    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any], reach: int = 1) -> None:
        self._draw = draw
        self.reach = reach

    def number(self, least: int, most: int) -> int:
        return int(self._draw(st.integers(least, most)))

    def one_of(self, items: Sequence[T]) -> T:
        chosen: T = self._draw(st.sampled_from(items))
        return chosen
