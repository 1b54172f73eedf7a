"""The game keeps the contract: each check as a test, its luck drawn by Hypothesis."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from cardroom.contract import Broken, Check
from cardroom.contract.__main__ import luck_of
from cardroom.rules.game import AnyGame

# One check of the contract as one test.
#
# The luck of a check, drawn by Hypothesis: a failure is made as simple as it can be.

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


SEARCHED = 100  # examples, for a failure that is simpler than the one found


def hold(check: Check, game: AnyGame, times: float = 1, seed: object = "") -> None:
    """``times`` as many examples as a known game needs; another ``seed`` draws other ones.

    Hypothesis searches for a failure again and makes the example as simple as it can be.
    """
    for luck in luck_of(game, check, times, seed):
        try:
            check(game, luck)
        except Broken:
            if check.examples > 1 and check.shrinks:
                _fail_simply(check, game, luck.reach)
            raise


def _fail_simply(check: Check, game: AnyGame, reach: int) -> None:
    @settings(
        max_examples=SEARCHED,
        derandomize=True,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )
    @given(data=st.data())
    def every_example_holds(data: st.DataObject) -> None:
        check(game, Drawn(data.draw, reach))

    every_example_holds()


def test_contract(game: AnyGame, check: Check, request: pytest.FixtureRequest) -> None:
    hold(check, game, request.config.getoption("--times"))
