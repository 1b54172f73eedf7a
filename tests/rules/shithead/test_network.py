"""The value network that ``strong_searcher`` asks among four."""

from random import Random

import pytest

from cardroom.rules.shithead import GAME as SHITHEAD
from cardroom.rules.shithead.bots import searcher
from cardroom.rules.shithead.bots.layouts import JUDGED_LAYOUTS, LAYOUTS, layouts_of
from cardroom.rules.shithead.bots.playouts import (
    A_SEAT,
    BY_KEEPERS,
    CUNNINGLY,
    HIDDEN_CARDS,
    INPUTS,
    IS_LEFT,
    JUDGED,
    OPTIONS,
    PILE,
    STOCK,
    TO_BEAT,
    TOPS,
    WEIGHTS,
    expected,
    judged_worth,
    knows,
    learned,
    network_of,
    observe,
    worth_of,
)
from cardroom.rules.shithead.bots.world import PLACE
from tests.rules.shithead.scene import position
from tests.rules.shithead.world import world_of

OTHERS = ["4C 5C", "6C 7C", "8C 9C"]
TOPS_OF_ALL = ["JC QC", "JD QD", "JH QH", "JS QS"]


def four(hand, **changes):
    return world_of(position([hand, *OTHERS], TOPS_OF_ALL, **changes))


def worth(world):
    return expected(world, network_of())


def seen(world):
    inputs = [7] * INPUTS
    observe(world, inputs)
    return inputs


def test_the_file_has_a_weight_for_each_input_and_unit():
    assert len(learned()) == WEIGHTS


def test_it_sees_what_lies_where_from_the_seat_to_choose_on():
    world = four("KC KD 2S", pile="3C 9D", stock="AC AD", hidden=["4D 4H", "", "", "5D"])
    inputs = seen(world)
    assert inputs[PLACE["K"]] == 2
    assert inputs[PLACE["2"]] == inputs[TOPS + PLACE["J"]] == 1
    assert inputs[HIDDEN_CARDS] == 2
    assert inputs[3 * A_SEAT + HIDDEN_CARDS] == 1
    assert inputs[A_SEAT + PLACE["4"]] == inputs[3 * A_SEAT + PLACE["8"]] == 1
    assert (inputs[PILE], inputs[STOCK]) == (2, 2)
    assert inputs[TO_BEAT : TO_BEAT + 14].index(1) == PLACE["9"]
    backwards = seen(four("KC KD 2S", direction=-1))
    assert backwards[A_SEAT + PLACE["8"]] == backwards[3 * A_SEAT + PLACE["4"]] == 1


def test_a_seat_that_is_out_of_the_game_is_not_seen():
    world = four("KC KD 2S", places=(0, 0, 1, 0))
    inputs = seen(world)
    assert [inputs[nth * A_SEAT + IS_LEFT] for nth in range(4)] == [1, 1, 0, 1]
    assert not any(inputs[2 * A_SEAT : 3 * A_SEAT])


def test_it_prefers_wild_cards_and_fewer_cards():
    middling = worth(four("8D KC"))
    assert worth(four("2D TD")) > middling > worth(four("4D 4H 5D 5H 6D 6H 7D 7H 8D 9D 9H KC"))
    assert 0 < worth(four("4D 5D")) < 1


def test_it_and_a_playout_count_half_each():
    world = four("2D TD KC AD")
    judged, ended = worth(world), world.copy()
    found = judged_worth(ended, 200, network_of())
    assert ended.places[0]
    assert found == pytest.approx((judged + worth_of(ended)) / 2)
    assert judged_worth(ended, 200, network_of()) == worth_of(ended)


def ends(state, care=searcher.CAREFUL):
    return searcher.how_playouts_end(SHITHEAD.view(state, 0), care)


def test_it_judges_where_it_has_learned_to():
    hands = ["5D KC", *OTHERS]
    assert ends(position(hands)) == JUDGED
    assert ends(position(hands, games=3, max_turns=90)) == JUDGED
    assert ends(position(hands, pickup="voluntary")) == BY_KEEPERS
    assert ends(position(hands[:3])) == BY_KEEPERS
    assert ends(position(hands, places=(0, 1, 2, 0))) == CUNNINGLY
    assert ends(position(hands), searcher.CARE) == BY_KEEPERS
    assert knows(OPTIONS)


def test_more_layouts_are_tried_where_it_judges():
    view = SHITHEAD.view(position(["5D KC 9D", *OTHERS], ["TC 2C AC", *TOPS_OF_ALL[1:]]), 0)
    assert len(layouts_of(view)[2]) == len(LAYOUTS)
    assert len(layouts_of(view, JUDGED_LAYOUTS)[2]) == len(JUDGED_LAYOUTS)


def test_a_search_that_it_judges_tries_every_choice():
    view = SHITHEAD.view(position(["5D KC 2D", *OTHERS], TOPS_OF_ALL), 0)
    move = SHITHEAD.bot("strong_searcher:playouts=40").choose(view, (), Random(1))
    assert move in view.legal_moves
