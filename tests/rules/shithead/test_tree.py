"""The searcher's tree: its own later turns are searched, those of the others are ``keeper``'s."""

from random import Random

from games.rules import search
from games.rules.shithead import GAME as SHITHEAD
from games.rules.shithead.bots import tree
from games.rules.shithead.bots.playout import play_on
from games.rules.shithead.bots.rank_counts import PLACE
from games.rules.shithead.bots.worlds import Unseen
from tests.rules.shithead.scene import position

FIVE, KINGS = (PLACE["5"], 1, 0), (PLACE["K"], 2, 0)


def two_kings():
    """Seat 0 wins with the five and then both kings; ``keeper`` parts with one king at a time."""
    state = position(["5C KC KD", "9C 9D AC"], pile="5D")
    return Unseen.behind(SHITHEAD.view(state, 0), ())


def test_a_plan_of_two_turns_is_found():
    unseen = two_kings()
    choices = tree.legal(unseen.known)
    for choice in choices:
        world = unseen.sample(Random(1))
        tree.make(world, choice)
        play_on(world, 0, tree.LONGEST)
        assert tree.worth(world, 0) == 0
    assert {tree.best(unseen, 0, choices, 60, Random(seed)) for seed in range(5)} == {FIVE}


def test_what_a_seat_does_next_is_kept_by_what_it_sees():
    unseen, rng = two_kings(), Random(1)
    root = tree.Node([FIVE], rng)
    for _ in range(40):
        tree.grow(root, unseen.sample(rng), 0, rng)
    (after,) = root.after.values()
    assert root.tries == [40]
    assert sum(after.tries) == 40
    assert after.choices[after.tries.index(max(after.tries))] == KINGS


def test_each_choice_is_tried_however_few_the_playouts():
    tried = tree.Node([FIVE, KINGS, tree.PICK_UP], Random(1))
    assert {tried.next() for _ in range(3)} == {0, 1, 2}


def test_a_search_out_of_time_ends_at_once(monkeypatch):
    grown = []
    monkeypatch.setattr(tree, "grow", lambda root, *_: grown.append(root))
    with search.stopping_when(lambda: True):
        tree.best(two_kings(), 0, [FIVE, KINGS], 1000, Random(1))
    assert len(grown) == 1


def test_not_to_be_the_shed_is_nearly_all_that_counts():
    world = two_kings().known
    world.places, world.active = [0, 0, 0], 3
    for place, worth in ((1, 1.0), (2, 0.99), (3, 0.98)):
        world.places[0] = place
        assert tree.worth(world, 0) == worth
    world.places, world.active = [0, 1, 2], 1
    assert tree.worth(world, 0) == 0
