"""Each game that is named is tried by each check."""

import pytest

from cardroom import pytest_plugin
from cardroom.contract import CHECKS
from cardroom.contract.reporting import find


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    if not pluginmanager.is_registered(pytest_plugin):  # else it came by its entry point, or by -p
        pytest_plugin.pytest_addoption(parser)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    named = metafunc.config.getoption("--game")
    if not named:
        raise pytest.UsageError("Name a game to be checked: --game my_game:GAME")
    try:
        games = [find(name) for name in named]
    except LookupError as fault:
        raise pytest.UsageError(str(fault.args[0])) from fault
    tried = [(game, check) for game in games for check in CHECKS if check.applies(game)]
    names = [f"{game.slug}-{check.name}" for game, check in tried]
    metafunc.parametrize(("game", "check"), tried, ids=names)
