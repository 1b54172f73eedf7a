"""The searcher's kernel plays by the same rules as the rules."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.cards import RANKS, TEXT, parse, texts
from games.rules.shithead import GAME as SHITHEAD
from games.rules.shithead.bots import keeper, tree
from games.rules.shithead.bots.kernel import World
from games.rules.shithead.bots.playout import play_on
from games.rules.shithead.bots.rank_counts import ANYTHING, PLACE, RANK_OF, count, counts_of, first
from games.rules.shithead.bots.searcher import choice_of
from games.rules.shithead.bots.worlds import Unseen
from games.rules.shithead.predicates import NOTHING, rank_to_beat
from games.rules.shuffles import seeded
from tests.rules.shithead.scene import position, setups
from tests.rules.shithead.test_playouts import possible, some_options


def place(card):
    return PLACE[TEXT[card][0]]


def without_exchange(options, **more):
    values = {name: getattr(options, name) for name in options.__struct_fields__}
    return possible(values | {"exchange": False, "games": 1} | more)


def dealt(options, seed):
    return SHITHEAD.start(options, setups(options.players), seeded(Random(seed))).state


def world_of(state):
    """The kernel's world for a state; hidden cards are turned up from the highest slot down."""
    world = Unseen.behind(SHITHEAD.view(state, None), ()).sample(Random(0))
    world.hands = [counts_of(texts(hand)) for hand in state.hands]
    world.hidden = [[place(c) for c in slots if c is not None] for slots in state.hidden]
    world.stock = [place(card) for card in reversed(state.stock)]
    return world


def assert_same(world: World, state) -> None:
    assert world.hands == [counts_of(texts(hand)) for hand in state.hands]
    assert world.tops == [counts_of(texts(top)) for top in state.tops]
    assert world.hidden == [[place(c) for c in slots if c is not None] for slots in state.hidden]
    assert world.stock == [place(card) for card in reversed(state.stock)]
    assert world.pile == counts_of(texts(state.pile))
    assert world.direction == state.direction
    if state.phase == "play":
        t = rank_to_beat(state.pile, state.options.joker_top == "transparent")
        assert (ANYTHING if t == NOTHING else PLACE[RANKS[t]]) == world.t
        assert world.turn == state.turn
        assert tuple(world.places) == state.places


@settings(max_examples=60, deadline=None)
@given(options=some_options, seed=st.integers(0, 2**32))
def test_kernel_and_rules_play_the_same_game(options, seed):
    rng = Random(seed)
    options = without_exchange(options)
    state = SHITHEAD.start(options, setups(options.players), seeded(rng)).state
    world = world_of(state)
    while state.phase == "play":
        moves = SHITHEAD.legal_moves(state, state.turn)
        move = moves[-1] if moves[0].startswith("blind") else rng.choice(moves)
        if move.startswith("blind"):
            world.turn_up()
        else:
            tree.make(world, choice_of(SHITHEAD.view(state, state.turn), move))
        state = SHITHEAD.play(state, state.turn, move, seeded(rng)).state
        assert_same(world, state)


@settings(max_examples=30, deadline=None)
@given(options=some_options, seed=st.integers(0, 2**32))
def test_the_keeper_of_the_kernel_is_the_bot(options, seed):
    rng = Random(seed)
    options = without_exchange(options, max_turns=300)
    state = SHITHEAD.start(options, setups(options.players), seeded(rng)).state
    world = world_of(state)
    while state.phase == "play":
        view = SHITHEAD.view(state, state.turn)
        move = keeper.choose(view, (), rng)
        assert move in view.legal_moves
        move = view.legal_moves[-1] if move.startswith("blind") else move
        keeper.policy(world)
        state = SHITHEAD.play(state, state.turn, move, seeded(rng)).state
        assert_same(world, state)


def facts(world: World):
    return {name: getattr(world, name) for name in World.__slots__}


@settings(max_examples=60, deadline=None)
@given(options=some_options, seed=st.integers(0, 2**32), seat=st.integers(0, 17))
def test_keepers_in_one_loop_play_as_turn_by_turn(options, seed, seat):
    slow = world_of(dealt(without_exchange(options), seed))
    seat %= options.players
    quick, most = slow.copy(), 250
    left = play_on(quick, seat, most)
    while most and not tree.is_over(slow, seat):
        keeper.policy(slow)
        most -= 1
    assert left == most
    assert facts(quick) == facts(slow)


@settings(max_examples=30, deadline=None)
@given(options=some_options, seed=st.integers(0, 2**32), seat=st.integers(0, 17))
def test_the_loop_stops_where_a_seat_may_choose(options, seed, seat):
    slow = world_of(dealt(without_exchange(options), seed))
    seat %= options.players
    quick, most, left = slow.copy(), 250, 250
    while not tree.is_over(slow, seat) and most:
        if slow.turn == seat and len(tree.legal(slow)) > 1:
            left = play_on(quick, seat, left, to_a_choice=True)
            assert (left, facts(quick)) == (most, facts(slow))
            assert keeper.play_of(slow) in tree.legal(slow)
            keeper.policy(quick)
            left -= 1
        keeper.policy(slow)
        most -= 1


def test_packed_hands_count_cards():
    hand = counts_of(["4C", "4D", "4H", "4S", "KD", "X1", "X2", "TC", "2C", "2D", "2H", "2S"])
    assert count(hand) == 12
    assert first(hand) == PLACE["4"]
    assert first(0) == ANYTHING
    assert [RANKS[rank] for rank in RANK_OF] == list(PLACE)


def test_sampled_worlds_hold_what_is_remembered_and_the_whole_pack():
    state = position(
        ["5C 8C", "4C 9C KC"], ["KD 5H", "4D"], ["9H - 9D", "JC"], pile="6H", stock="AC AD"
    )
    events = SHITHEAD.decode_events(
        b'[{"type":"played","seat":0,"cards":["KC"],"from":"top"},'
        b'{"type":"picked_up","seat":1,"count":1}]'
    )
    unseen = Unseen.behind(SHITHEAD.view(state, 0), events)
    hands = set()
    for seed in range(30):
        world = unseen.sample(Random(seed))
        assert count(world.hands[1]) == 3
        assert world.hands[1] >> 4 * PLACE["K"] & 15 == 1
        assert [len(cards) for cards in world.hidden] == [2, 1]
        held = sum(world.hands) + sum(world.tops) + world.pile
        lying = [*world.stock, *(card for cards in world.hidden for card in cards)]
        named = "5C 8C 4C 9C KC KD 5H 4D 9H 9D JC 6H AC AD"
        assert held + sum(1 << 4 * card for card in lying) == counts_of(texts(parse(named)))
        hands.add(world.hands[1])
    assert len(hands) > 1
