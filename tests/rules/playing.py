"""The games and the number of examples that tests of the rules run over."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from cardroom.contract import playing
from cardroom.contract.playing import (
    NAMES,
    START,
    Sitting,
    any_options,
    counted,
    encoded,
    scratch,
    seed_of,
    setups,
)
from cardroom.contract.test_contract import Drawn
from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from cardroom.rules.values import Options, Step
from tests.fifth_game import GAME as HIGH_CARD

__all__ = ["NAMES", "START", "Sitting", "counted", "encoded", "scratch", "seed_of", "setups"]


def over(*games: AnyGame) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("game", games, ids=lambda game: game.slug)


every_game = over(*catalog.GAMES)
every_game_and_a_fifth = over(*catalog.GAMES, HIGH_CARD)  # the README's recipe keeps the contract
numbers = st.integers(0, 2**32)
FUZZING = int(os.environ.get("FUZZ_EXAMPLES", "0"))  # 0 in the suite


def examples(count: int, *phases: Phase) -> settings:
    """A quarter of them, the same ones, in every run; fresh and many more for ``make soak``."""
    slow = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
    return settings(
        max_examples=count * (1 + FUZZING // 25) if FUZZING else -(-count // 4),
        derandomize=not FUZZING,
        deadline=None,
        phases=phases or tuple(Phase),
        suppress_health_check=slow,
    )


@st.composite
def options_of(draw: Any, game: AnyGame, **fixed: Any) -> Options:
    """Any options of a game that its ``check`` lets pass."""
    return any_options(game, Drawn(draw), **fixed)


def positions(
    game: AnyGame, data: st.DataObject, plies: int
) -> Iterator[tuple[Sitting, Step[Any]]]:
    return playing.positions(game, Drawn(data.draw), plies)


def somewhere(game: AnyGame, data: st.DataObject, plies: int = 60) -> Sitting:
    return playing.somewhere(game, Drawn(data.draw), plies)
