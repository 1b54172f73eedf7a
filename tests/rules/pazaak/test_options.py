"""Every option at work (pazaak §2)."""

import pytest

from cardroom.rules.pazaak import GAME as PAZAAK
from cardroom.rules.pazaak.events import RoundOver, Stood
from cardroom.rules.values import BadOptions
from tests.rules.pazaak.scene import half, play, scene, told

TEN = "P1 P2 P3 P4 P5 P6 M1 M2 M3 M4"


def reason(step):
    return told(step, RoundOver)[0].reason


def test_presets_are_those_of_the_rules():
    kotor1, kotor2 = PAZAAK.presets["kotor1"], PAZAAK.presets["kotor2"]
    assert PAZAAK.presets["classic"] == PAZAAK.options()
    assert (kotor1.hand_rule, kotor1.rounds_to_win, kotor1.catalogue) == ("once", 3, "kotor1")
    assert (kotor1.stand_timing, kotor1.table_fill) == ("turn_end", "stand")
    assert kotor1.next_starter == "fixed"
    assert (kotor2.hand_rule, kotor2.rounds_to_win, kotor2.catalogue) == ("once", 3, "kotor2")
    assert (kotor2.stand_timing, kotor2.table_fill) == ("turn_end", "win")
    assert kotor2.specials_take_slot
    assert kotor2.next_starter == "alternate"


@pytest.mark.parametrize(
    "bad",
    [
        {"rounds_to_win": 0},
        {"rounds_to_win": 10},
        {"max_copies": 0},
        {"max_copies": 11},
        {"max_rounds": 0},
        {"max_rounds": 100},
        {"catalogue": "kotor3"},
        {"auto_stand_20": "yes"},
        {"stakes": 5},
    ],
)
def test_options_out_of_range_are_refused(bad):
    with pytest.raises(BadOptions):
        PAZAAK.choose_options(bad)


def test_without_auto_stand_20_the_seat_is_asked_again():
    step = play(scene(half("6 6", draws="8"), auto_stand_20=False), "0 draw", "0 pass")
    assert not step.state.halves[0].standing
    again = play(step.state, "1 draw", "1 pass", "0 stand")
    assert told(again, Stood) == [Stood(0, 20, auto=False)]


def test_a_table_filled_by_the_draw_may_merely_stand():
    table = scene(half("1 1 2 2 2 3 1 2", draws="3"), half("9"), table_fill="stand")
    step = play(table, "0 draw")
    assert told(step, Stood) == [Stood(0, 17, auto=True)]
    assert step.state.to_act == 1
    assert reason(play(step.state, "1 stand")) == "outscore"


def test_a_table_filled_from_the_hand_may_merely_stand():
    table = scene(
        half("1 1 2 2 2 3 1 2", hand="P3"),
        half("10 8", standing=True),
        phase="turn_play",
        table_fill="stand",
    )
    assert told(play(table, "0 P3"), RoundOver) == [RoundOver(1, "outscore", (17, 18), (0, 1))]
