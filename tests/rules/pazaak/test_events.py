"""What each seat may know of an event (pazaak §4)."""

import msgspec
import pytest

from games.rules.pazaak import GAME as PAZAAK
from games.rules.pazaak.events import HandDrawn
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
