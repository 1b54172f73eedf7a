"""The test vectors of RULES.md §6, each under its number."""

import pytest

from games.newgame.template.rules import best_of
from games.rules.cards import parse


# vector 1, vector 2, vector 3: R5
@pytest.mark.parametrize(("laid", "taken"), [("7H 9C", 1), ("9D 9C", 0), ("7H AC AS", 1)])
def test_who_takes_a_trick(laid: str, taken: int) -> None:
    assert best_of(parse(laid)) == taken
