"""The numbers of moves and views that the games of the house published to learners."""

import pytest

from cardroom.rules import catalog
from cardroom.rules.encoding import MOST, Layout
from tests.rules.playing import every_game

# Programs keep these: a policy that was trained yesterday must read the game as it did.
PUBLISHED = {"pisti": (52, 199), "pazaak": (50, 232), "shithead": (3071, 660), "pyanitsa": (5, 139)}


@every_game
def test_sizes_stay_as_published(game):
    sizes = (len(game.actions.texts), game.observation.size)
    assert sizes == PUBLISHED.get(game.slug, sizes)


def test_the_same_position_looks_the_same_from_every_seat():
    pisti = catalog.find("pisti")
    state = pisti.start(pisti.choose_options(preset="four"), (), list).state
    starts = pisti.observation.starts
    for seat in range(4):
        observed = pisti.observe(pisti.view(state, seat))
        starter = observed[starts["starter"] : starts["starter"] + 4].index(1)
        assert (seat + starter) % 4 == state.to_play  # seats are counted from the own one


def test_a_number_that_does_not_fit_is_cut():
    layout = Layout()
    assert layout.size == 0
    pyanitsa = catalog.find("pyanitsa")
    options = pyanitsa.choose_options({"max_tricks": 100_000})
    state = pyanitsa.start(options, (), list).state
    observed = pyanitsa.observe(pyanitsa.view(state, 0))
    assert observed[pyanitsa.observation.starts["options.max_tricks"]] == MOST


@pytest.mark.parametrize(
    ("listed", "number"), [("5H 5D", "5D 5H"), ("5D 5H", "5D 5H"), ("pickup", "pickup")]
)
def test_where_equal_cards_lie_makes_no_difference(listed, number):
    actions = catalog.find("shithead").actions
    assert [actions.texts[at] for at in actions.among([listed])] == [number]
