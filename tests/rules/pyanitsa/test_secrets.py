"""What `TrickTaken` hides: the cards that lay face down, from everybody but the taker (§5)."""

from random import Random

import pytest

from cardroom.contract import Broken
from cardroom.contract.playing import Sitting
from cardroom.contract.secrets import judged
from cardroom.rules.pyanitsa import GAME as PYANITSA
from cardroom.rules.pyanitsa.events import TrickTaken

ARBITRARY = PYANITSA.choose_options({"dispute": "mortgage", "collect_order": "arbitrary"})


def taken_face_down(options):
    """A match up to a trick of which cards lay face down, and that event."""
    for number in range(100):
        sitting = Sitting.begun(PYANITSA, options, number)
        for step in sitting.plies(Random(number), 200):
            for event in step.events:
                if isinstance(event, TrickTaken) and event.face_down:
                    return sitting, event
    pytest.fail("no trick had cards face down")


def test_nobody_but_the_taker_sees_what_lies_face_down():
    sitting, event = taken_face_down(ARBITRARY)
    for seat in (0, 1, None):
        table = PYANITSA.view(sitting.state, seat).table
        down = tuple(laid.card for laid in table if laid.face_down)
        assert down == (event.face_down if seat == event.seat else (None,) * len(down))
        told = event.seen_by(seat).face_down
        assert told == (event.face_down if seat == event.seat else None)


def test_shown_in_full_it_would_be_a_leak(monkeypatch):
    monkeypatch.setattr(TrickTaken, "seen_by", lambda self, seat: self)
    with pytest.raises(Broken, match=r"was told \w+, which seat \d holds"):
        watch(ARBITRARY)


@pytest.mark.parametrize("order", ["as_laid", "own_first", "random"])
def test_where_nobody_chooses_an_order_it_names_no_card(order):
    options = PYANITSA.choose_options({"dispute": "mortgage", "collect_order": order})
    for number in range(5):
        sitting = Sitting.begun(PYANITSA, options, number)
        for step in sitting.plies(Random(number), 200):
            assert all(e.face_down is None for e in step.events if isinstance(e, TrickTaken))


def watch(options):
    for number in range(20):
        sitting = Sitting.begun(PYANITSA, options, number)
        for found in judged(PYANITSA, sitting.so_far_and(sitting.plies(Random(number), 200))):
            if found:
                raise Broken("\n".join(found))
