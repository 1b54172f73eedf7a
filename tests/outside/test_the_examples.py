"""The games in ``examples``: written by the road of the documentation, kept by it.

Here they stand their trial; ``make sweeps`` lets them go through what a game may break: its rules,
its words and its pages. What a service does with any game from outside is tried with a new one
(``test_newgame.py``); ``make soak`` and ``make game GAME=./examples/durak`` leave nothing out.
"""

import pytest

from cardroom.rules import catalog
from cardroom.rules import import_check as imports
from cardroom.rules.outside import try_out
from tests.outside.examples import EXAMPLES, game_of, passes

pytestmark = pytest.mark.parametrize("slug", ["durak", "scopa"])


@pytest.mark.sweep
def test_one_passes_what_a_game_of_the_house_passes(slug):
    assert passes(EXAMPLES / slug) > 130


def test_one_stands_its_trial(monkeypatch, slug):
    monkeypatch.syspath_prepend(str(EXAMPLES / slug))
    assert list(try_out(game_of(f"{slug}_cardroom"))) == []


def test_one_keeps_the_contracts_of_imports(monkeypatch, slug):
    monkeypatch.syspath_prepend(str(EXAMPLES / slug))
    assert list(imports.faults(f"{slug}_cardroom")) == []


def test_one_is_no_game_of_the_house(slug):
    assert slug not in catalog.slugs()
