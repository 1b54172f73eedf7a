"""The game keeps the contract."""

import pytest

from cardroom.contract import Check
from cardroom.contract.holding import hold
from cardroom.rules.game import AnyGame


def test_contract(game: AnyGame, check: Check, request: pytest.FixtureRequest) -> None:
    hold(check, game, request.config.getoption("--times"))
