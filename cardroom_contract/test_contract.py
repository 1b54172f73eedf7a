"""The game keeps the contract."""

import pytest

from cardroom_contract.holding import hold
from games.rules.contract import Check
from games.rules.game import AnyGame


def test_contract(game: AnyGame, check: Check, request: pytest.FixtureRequest) -> None:
    hold(check, game, request.config.getoption("--times"))
