"""What each seat may know of an event (pazaak §4)."""

from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from cardroom.contract.playing import Sitting, seed_of
from cardroom.rules.pazaak import GAME as PAZAAK
from cardroom.rules.pazaak.events import HandDrawn
from cardroom.rules.witnesses import Witnesses
from tests.rules.pazaak.scene import deck, start, told

ANN = "P1 P2 P3 P4 P5 P6 M1 M2 M3 M4"


BOB = "F12 F13 F14 F15 F16 F23 F24 F25 F26 F34"


def opening():
    mains = [deck("2 3", bottom="9"), deck("4 5", bottom="8")]
    return start([ANN.split(), BOB.split(), *mains], (ANN, BOB))[0]


@pytest.mark.parametrize(("seat", "hidden"), [(0, BOB), (1, ANN), (None, f"{ANN} {BOB}")])
def test_nothing_of_the_others_cards_is_in_a_view_or_event(seat, hidden):
    step = opening()
    told_to = [event.seen_by(seat) for event in step.events]
    seen = msgspec.json.encode([PAZAAK.view(step.state, seat), *told_to]).decode()
    for code in hidden.split():
        assert f'"{code}"' not in seen


def test_a_drawn_hand_is_told_to_its_seat_only():
    drawn = told(opening(), HandDrawn)[1]
    assert drawn.seen_by(1).cards == ("F12", "F13", "F14", "F15")
    assert drawn.seen_by(0) == drawn.seen_by(None) == HandDrawn(1, 4, None)


SIGNED = ("M1", "M2", "M3", "M4", "M5", "M6", "PM2", "PM4", "PM12", "T")


@pytest.mark.parametrize("number", [30, 31, 56])  # matches in which such a card ends a round
def test_a_signed_card_that_ends_its_round_was_seen_by_all(number):
    """The next round opens in the same step; the card lies among those played (§4)."""
    sitting = Sitting(PAZAAK, PAZAAK.choose_options({"hand_rule": "per_round"}), seed_of(number))
    sitting.setups = tuple(replace(one, side_deck=SIGNED) for one in sitting.setups)
    sitting.begin()
    witnesses = Witnesses(PAZAAK, sitting.setups)
    for _, step in sitting.so_far_and(sitting.plies(Random(number), 60)):
        if PAZAAK.outcome(step.state) is None:
            assert leaks(witnesses, step) == []


def leaks(witnesses, step):
    """As a client judges it, to whom no deck is told."""
    readers = witnesses.readers
    events = {r: msgspec.to_builtins([each.seen_by(r) for each in step.events]) for r in readers}
    views = {r: msgspec.to_builtins(PAZAAK.view(step.state, r)) for r in readers}
    return witnesses.leaks(step.state, step.move, events, views)
