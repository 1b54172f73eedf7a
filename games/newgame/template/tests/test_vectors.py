"""The test vectors of RULES.md §6, each under its number."""

from cardroom.rules.cards import parse
from games.newgame.template.rules import best_of


def test_who_takes_a_trick() -> None:  # R5
    assert best_of(parse("7H 9C")) == 1  # vector 1
    assert best_of(parse("9D 9C")) == 0  # vector 2
    assert best_of(parse("7H AC AS")) == 1  # vector 3
