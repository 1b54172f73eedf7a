"""The notation: what is refused, what others read, what stands for other moves."""

import pytest

from cardroom.rules.pyanitsa import GAME as PYANITSA
from cardroom.rules.pyanitsa import predicates
from cardroom.rules.values import MalformedMove
from tests.rules.pyanitsa.scene import scene, stacked


@pytest.mark.parametrize(
    "move",
    ["", "Flip", "flip ", " flip", "flop", "collect", "collect ", "collect  KC 9D", "collect KC 9Z",
     "collect KC KC", "collect kc 9d", "collect,KC", "KC", "flip flip", "\x00", "collect KC\n9D"],
)  # fmt: skip
@pytest.mark.parametrize("seat", [0, 1, 7])
def test_what_is_no_move_is_malformed_for_every_seat(move, seat):
    state = scene("KC 7C", "9D 8D")
    with pytest.raises(MalformedMove, match="collect"):
        PYANITSA.play(state, seat, move, stacked())


def test_others_do_not_read_the_order():
    assert PYANITSA.public_move("collect AH QD TD 8S 8C 7D") == "collect"
    assert PYANITSA.public_move("flip") == "flip"


def test_a_collection_is_written_as_it_is_read():
    assert predicates.parse("flip") is None
    assert predicates.text(predicates.parse("collect KC 9D X1")) == "collect KC 9D X1"


def test_a_collection_stands_for_every_order_of_its_cards():
    assert PYANITSA.represents_others("collect KC 9D")
    assert not PYANITSA.represents_others("flip")
