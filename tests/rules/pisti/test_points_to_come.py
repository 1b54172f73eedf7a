"""The tables that say what the rest of a deal brings, at the end of a block between two."""

import pytest

from games.rules.cards import JACK
from games.rules.pisti import GAME as PISTI
from games.rules.pisti.bots.outlook import chance_to_win
from games.rules.pisti.bots.points_to_come import (
    BLOCKS,
    ENTRIES,
    LEADS,
    PILES,
    SIZES,
    knows,
    points_to_come,
)
from games.rules.pisti.bots.world import BLOCK, empty_world
from games.rules.pisti.predicates import PLAYS_PER_DEAL

ENDS = pytest.mark.parametrize("block", range(1, BLOCKS + 1))
SIX = 4


def block_end(block=1, *, size=0, top=SIX, seen=1, points=0, cards=(0, 0), **options):
    world = empty_world(PISTI.options(**options))
    world.plays, world.cards[:2] = BLOCK * block, cards
    world.pile_size, world.pile_points = size, points
    if size:
        world.top = top
        world.seen[top] = seen
    return world


def test_the_file_has_an_entry_for_each_position():
    assert len(ENTRIES) == PILES + BLOCKS * SIZES * LEADS


@ENDS
def test_a_single_card_is_worth_more_the_more_of_its_rank_may_come(block):
    worths = [points_to_come(block_end(block, size=1, seen=seen)) for seen in (1, 2, 3, 4)]
    assert worths == sorted(worths, reverse=True)
    assert worths[0] - worths[3] > 2


@ENDS
def test_to_start_on_an_empty_table_is_worse_than_on_points(block):
    """Who lays the first card offers it to the other."""
    assert points_to_come(block_end(block)) < 0
    assert points_to_come(block_end(block)) < points_to_come(block_end(block, size=6, points=4))


@ENDS
def test_a_lead_in_cards_goes_towards_the_majority(block):  # R24
    """By leads that occur there: who starts a block captures with odd cards alone."""
    behind, ahead = (points_to_come(block_end(block, cards=cards)) for cards in ((5, 7), (7, 5)))
    assert behind < ahead < behind + 2 * PISTI.options().majority_points + 0.5


def test_positions_beyond_the_tables_count_as_the_last_ones():
    most = points_to_come(block_end(size=14, points=7, cards=(24, 0)))
    assert points_to_come(block_end(size=30, points=16, cards=(30, 0))) == most


@pytest.mark.parametrize(
    "options",
    [
        {"players": 3},
        {"players": 4, "teams": True},
        {"pisti_points": 5},
        {"double_pisti_points": 10},
        {"majority_points": 0},
    ],
)
def test_they_are_asked_for_two_seats_under_the_usual_points_alone(options):
    assert knows(block_end())
    assert knows(block_end(target_score=None))
    assert not knows(block_end(0))
    assert not knows(block_end(**options))


@ENDS
@pytest.mark.parametrize("turn", [0, 1])
def test_the_chances_of_both_add_up(block, turn):
    world = block_end(block, size=3, points=2, cards=(11, 8))
    world.turn, world.totals[:2], world.points[:2] = turn, [70, 90], [4, 1]
    world.seen[JACK] = 2
    assert sum(chance_to_win(world, side) for side in (0, 1)) == pytest.approx(1)


def test_the_last_block_ends_the_deal():
    world = block_end(PLAYS_PER_DEAL // BLOCK, target_score=None)
    world.points[:2] = [9, 5]
    assert [chance_to_win(world, side) for side in (0, 1)] == [1, 0]
