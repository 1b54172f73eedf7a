"""The notation of a move."""

import pytest

from cardroom.rules.pisti import GAME as PISTI
from cardroom.rules.values import MalformedMove
from tests.rules.pisti.scene import scene, stacked


@pytest.mark.parametrize("move", ["", "7h", "10H", "7", "H7", "X1", " 7H", "7H ", "pass", "7H 8H"])
@pytest.mark.parametrize("seat", [0, 1, -1, 9])
def test_a_malformed_move_is_refused_before_all_else(move, seat):
    with pytest.raises(MalformedMove, match="such as 7H"):
        PISTI.play(scene("", ("7H", "3C")), seat, move, stacked())
