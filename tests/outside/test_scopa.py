"""Scopa, the game in ``examples/scopa``: written by the road of the documentation, kept by it.

Here it stands its trial; ``make sweeps`` lets it go through what a game may break: its rules, its
words and its pages. What a service does with any game from outside is tried with a new one
(``test_newgame.py``); ``make fuzz`` and ``make game GAME=./examples/scopa`` leave nothing out.
"""

import pytest

from cardroom.rules import catalog
from cardroom.rules import import_check as imports
from cardroom.rules.outside import try_out
from tests.outside.examples import EXAMPLES, game_of, passes

FOLDER = EXAMPLES / "scopa"


@pytest.mark.sweep
def test_it_passes_what_a_game_of_the_house_passes():
    assert passes(FOLDER) > 130


def test_it_stands_its_trial(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    assert list(try_out(game_of("scopa_cardroom"))) == []


def test_it_keeps_the_contracts_of_imports(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    assert list(imports.faults("scopa_cardroom")) == []


def test_it_is_no_game_of_the_house():
    assert "scopa" not in catalog.slugs()
