"""The searcher's tree: its own later turns are searched, those of the others are ``keeper``'s."""

from random import Random

from cardroom.rules import search
from cardroom.rules.shithead import GAME as SHITHEAD
from cardroom.rules.shithead.bots import searcher
from cardroom.rules.shithead.bots.belief import believed
from cardroom.rules.shithead.bots.playouts import LONGEST, play_on, worth_of
from cardroom.rules.shithead.bots.world import PICK_UP, PLACE, choice, make
from tests.rules.shithead.scene import position
from tests.rules.shithead.world import choices, sampled

FIVE, KING, KINGS = choice(PLACE["5"], 1, 0), choice(PLACE["K"], 1, 0), choice(PLACE["K"], 2, 0)
COME = 7


def two_kings(*others, **options):
    """Seat 0 wins with the five and then both kings; ``keeper`` parts with one king at a time."""
    state = position(["5C KC KD", "9C 9D AC", *others], pile="5D", **options)
    return believed(SHITHEAD.view(state, 0), ())


def best(known, playouts, seed):
    wide = len(choices(known.worlds[0]))
    return searcher.best(known, wide, playouts, Random(seed), searcher.PLAIN)


def grown(known, playouts, room=100):
    found = searcher.empty_tree(room)
    searcher.grow(Random(1), playouts, known, found)
    return found


def chosen_at(found, number):
    """What is chosen at a node, and how often it was tried."""
    node = found.nodes[number]
    places = slice(node.first, node.first + node.wide)
    return dict(zip(found.choices[places], found.tries[places], strict=True))


def test_a_plan_of_two_turns_is_found():
    known = two_kings()
    for chosen in choices(known.worlds[0]):
        world = sampled(known, Random(1))
        make(world, chosen)
        play_on(world, LONGEST)
        assert worth_of(world) == 0
    assert {best(known, 60, seed) for seed in range(5)} == {FIVE}


def test_what_a_seat_does_next_is_kept_by_what_it_sees():
    found = grown(two_kings(), 60)
    (after,) = [
        number
        for number in range(1, found.counts[0])
        if found.choices[found.nodes[number].came] == FIVE
    ]
    tries = chosen_at(found, after)
    assert sum(tries.values()) == chosen_at(found, searcher.ROOT)[FIVE] == found.nodes[after].visits
    assert max(tries, key=tries.get) == KINGS


def test_each_choice_is_tried_however_few_the_playouts():
    known = two_kings(pickup="voluntary")
    found = grown(known, 4)
    assert chosen_at(found, searcher.ROOT) == {FIVE: 1, KING: 1, KINGS: 1, PICK_UP: 1}
    assert best(known, 1, seed=1) in (FIVE, KING, KINGS, PICK_UP)


def test_a_search_out_of_time_ends_at_once(monkeypatch):
    grown = []
    plain = searcher.PLAIN._replace(grow=lambda _rng, playouts, *_: grown.append(playouts))
    monkeypatch.setattr(searcher, "PLAIN", plain)
    with search.stopping_when(lambda: True):
        best(two_kings(), 1000, seed=1)
    assert grown == [1]


def test_a_node_is_whatever_looks_alike_to_the_seat():
    """Another seat's hand makes no other node; what lies open does, seat by seat."""
    (world,) = two_kings("4C").worlds
    node = searcher.Node()
    world.tops[1], world.tops[2] = 1 << 4, 1 << 8
    searcher.name(node, world, COME, 20)
    world.hands[1] += 1
    assert searcher.is_named(node, world, COME, 20)
    assert not searcher.is_named(node, world, COME + 1, 20)
    assert not searcher.is_named(node, world, COME, 19)
    for change in (swap_tops, more_in_hand, more_on_the_pile, other_rank_to_beat):
        other = world.copy()
        change(other)
        assert not searcher.is_named(node, other, COME, 20)


def swap_tops(world):
    world.tops[1], world.tops[2] = world.tops[2], world.tops[1]


def more_in_hand(world):
    world.hands[world.me] += 1


def more_on_the_pile(world):
    world.pile += 1


def other_rank_to_beat(world):
    world.t += 1


def test_nodes_that_want_the_same_row_stay_apart():
    """In a table of so few rows most of them do."""
    (world,) = two_kings().worlds
    found = searcher.empty_tree(4)
    rows = []
    for left in (20, 21, 22, 23):
        row = searcher.row_of(found, world, COME, left)
        assert found.rows[row] == searcher.FREE
        found.rows[row] = len(rows) + 1
        searcher.name(found.nodes[len(rows) + 1], world, COME, left)
        rows.append(row)
    assert len(set(rows)) == len(rows)
    assert [searcher.row_of(found, world, COME, left) for left in (20, 21, 22, 23)] == rows


def test_a_full_tree_is_searched_as_far_as_it_goes():
    found = grown(two_kings(), 60, room=1)
    assert found.counts[0] == len(found.nodes) == 2
    assert sum(chosen_at(found, searcher.ROOT).values()) == 60


def test_not_to_be_the_shed_is_nearly_all_that_counts():
    (world,) = two_kings("4C").worlds
    world.active = 2
    for place, worth in ((1, 1.0), (2, 0.99), (3, 0.98)):
        world.places[0] = place
        assert worth_of(world) == worth
    world.places[:3], world.active = [0, 1, 2], 1
    assert worth_of(world) == 0
