"""Possible worlds behind a view."""

from random import Random

import pytest

from cardroom.rules.cards import CARD, pack
from cardroom.rules.shithead import GAME as SHITHEAD
from cardroom.rules.shithead.events import PickedUp, Played
from tests.rules.shithead.scene import TABLE, position


@pytest.mark.parametrize("seat", [0, 1, None])
def test_what_cannot_be_seen_makes_no_difference(seat):
    """Permuting hidden cards, stock and other hands changes nothing that the seat is shown."""
    twin = SHITHEAD.imagine(SHITHEAD.view(TABLE, seat), Random(3))
    assert twin != TABLE
    assert sorted(SHITHEAD.cards(twin)) == list(pack(54))
    for viewer in {seat, None}:
        assert SHITHEAD.view(twin, viewer) == SHITHEAD.view(TABLE, viewer)


def test_imagining_keeps_what_was_remembered():
    state = position(["", "6C 6D"], hidden=["4C", "JC"], pile="", stock="")
    events = [Played(0, ("6D",), "top"), PickedUp(1, 1)]
    seen = SHITHEAD.view(state, 0)
    for seed in range(20):
        assert CARD["6D"] in SHITHEAD.imagine(seen, Random(seed), events).hands[1]
    assert any(CARD["6D"] not in SHITHEAD.imagine(seen, Random(s)).hands[1] for s in range(20))
