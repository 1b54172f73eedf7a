"""A failing test says where it was: the arguments, the match, its seed, its moves, its position."""

from collections.abc import Generator, Iterator
from typing import Any

import hypothesis.core
import pytest
from hypothesis.vendor import pretty

from cardroom.contract import Broken
from cardroom.contract.playing import Sitting
from cardroom.rules import catalog
from cardroom.rules.game import Game
from tests.rules.drawing_game import GAME as FITTING_CARD


@pytest.fixture(scope="module", autouse=True)
def arguments_are_printed() -> Iterator[None]:
    """Hypothesis prints none once schemathesis is imported, which puts a mute printer in place."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(pretty._type_pprinters, Game, lambda game, to, _cycle: to.text(repr(game)))
        patch.setattr(hypothesis.core, "RepresentationPrinter", pretty.RepresentationPrinter)
        yield


@pytest.fixture
def fitting_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game whose draws are forced is in the catalogue, so that its records are read."""
    monkeypatch.setattr(catalog, "GAMES", (*catalog.GAMES, FITTING_CARD))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, Any, Any]:
    Sitting.latest = None
    try:
        return (yield)
    except Exception as failure:
        if Sitting.latest is not None and not isinstance(failure, Broken):  # it says so itself
            failure.add_note(Sitting.latest.where())
        raise
