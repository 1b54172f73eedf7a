"""The tables that say what the rest of a deal brings, at the end of a block."""

import pytest

from cardroom.rules.cards import JACK
from cardroom.rules.pisti import GAME as PISTI
from cardroom.rules.pisti.bots.outlook import (
    A_SIZE,
    KINDS,
    LEADS,
    READ,
    SIZES,
    chance_to_win,
    kind_of,
    knows,
    more_to_come,
    points_to_come,
)
from cardroom.rules.pisti.bots.world import HAND, empty_world
from cardroom.rules.pisti.options import side_count
from cardroom.rules.pisti.predicates import PLAYS_PER_DEAL

TWO, THREE, FOUR, TEAMS = KINDS
EACH = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
ENDS = pytest.mark.parametrize(
    ("kind", "block"),
    [(kind, block) for kind in KINDS for block in range(1, kind.blocks + 1)],
    ids=lambda each: getattr(each, "name", each),
)
SIX = 4


def block_end(kind=TWO, block=1, *, size=0, top=SIX, seen=1, points=0, cards=(), **options):
    world = empty_world(PISTI.options(**{**kind_options(kind), **options}))
    world.plays = HAND * world.players * block
    world.cards[: len(cards)] = cards
    world.pile_size, world.pile_points = size, points
    if size:
        world.top = top
        world.seen[top] = seen
    return world


def kind_options(kind):
    return {"players": kind.options.players, "teams": kind.options.teams}


@EACH
def test_a_file_has_an_entry_for_each_position(kind):
    assert len(READ[KINDS.index(kind)]) == kind.sizes * (A_SIZE + LEADS)
    assert kind.sizes == kind.blocks * kind.sides * SIZES


@EACH
def test_each_kind_of_match_has_its_tables(kind):
    assert KINDS[kind_of(block_end(kind))] == kind


@ENDS
def test_a_single_card_is_worth_more_the_more_of_its_rank_may_come(kind, block):
    ends = [block_end(kind, block, size=1, seen=seen) for seen in (1, 2, 3, 4)]
    worths = [points_to_come(world, 0) for world in ends]
    assert worths == sorted(worths, reverse=True)
    assert worths[0] - worths[3] > 2


@ENDS
def test_to_start_on_an_empty_table_is_worse_than_on_points(kind, block):
    """Who lays the first card offers it to the next one."""
    empty = points_to_come(block_end(kind, block), 0)
    assert empty < points_to_come(block_end(kind, block, size=6, points=4), 0)
    if side_count(kind.options) == 2 or block == kind.blocks:  # later blocks may make up for it
        assert empty < 0


@ENDS
def test_a_lead_in_cards_goes_towards_the_majority(kind, block):  # R24
    """Between two by leads that occur there: who starts a block captures with odd cards alone."""
    behind, ahead = (
        points_to_come(block_end(kind, block, cards=cards), 0) for cards in ((5, 7), (7, 5))
    )
    assert behind < ahead < behind + 2 * PISTI.options().majority_points + 0.5


@pytest.mark.parametrize("kind", [THREE, FOUR], ids=lambda kind: kind.name)
def test_who_plays_next_takes_more_of_a_fat_pile_than_who_comes_last(kind):
    fat = block_end(kind, size=8, points=6)
    first, *_, last = (points_to_come(fat, side) for side in range(kind.sides))
    assert first > last
    assert more_to_come(fat, 0, kind.sides - 1) > 0


def test_positions_beyond_the_tables_count_as_the_last_ones():
    most = points_to_come(block_end(size=14, points=7, cards=(24, 0)), 0)
    assert points_to_come(block_end(size=30, points=16, cards=(30, 0)), 0) == most


@EACH
def test_they_are_asked_under_the_usual_points_alone(kind):
    assert knows(block_end(kind))
    assert knows(block_end(kind, target_score=None))
    assert not knows(block_end(kind, 0))
    for changed in ({"pisti_points": 5}, {"double_pisti_points": 10}, {"majority_points": 0}):
        assert not knows(block_end(kind, **changed))


@ENDS
def test_sides_count_from_the_seat_to_play(kind, block):
    """The same position, turned by a seat."""
    here = block_end(kind, block, size=3, points=2, cards=(11, 8))
    there = block_end(kind, block, size=3, points=2)
    sides, there.turn = here.sides, 1
    there.cards[:sides] = [*here.cards[sides - 1 : sides], *here.cards[: sides - 1]]
    for side in range(sides):
        for other in set(range(sides)) - {side}:
            turned = more_to_come(there, (side + 1) % sides, (other + 1) % sides)
            assert turned == more_to_come(here, side, other)


@ENDS
@pytest.mark.parametrize("turn", [0, 1])
def test_the_chances_of_all_add_up(kind, block, turn):
    world = block_end(kind, block, size=3, points=2, cards=(11, 8))
    world.turn, world.totals[:2], world.points[:2] = turn, [70, 90], [4, 1]
    world.seen[JACK] = 2
    chances = [chance_to_win(world, side) for side in range(world.sides)]
    assert sum(chances) == pytest.approx(1, abs=0.05 if world.sides > 2 else 1e-6)


@EACH
def test_the_last_block_ends_the_deal(kind):
    world = block_end(kind, kind.blocks + 1, target_score=None)
    assert world.plays == PLAYS_PER_DEAL
    world.points[:2] = [9, 5]
    chances = [chance_to_win(world, side) for side in range(side_count(kind.options))]
    assert chances == [1, *[0] * (world.sides - 1)]
