"""The searcher's world plays by the same rules as the rules."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from cardroom.rules.cards import RANKS, pack, parse, texts
from cardroom.rules.shithead import GAME as SHITHEAD
from cardroom.rules.shithead.bots import simple
from cardroom.rules.shithead.bots.belief import believed
from cardroom.rules.shithead.bots.playouts import has_choice, play_on, play_to_a_choice
from cardroom.rules.shithead.bots.searcher import choice_of, keepers_choice
from cardroom.rules.shithead.bots.world import (
    ANYTHING,
    PLACE,
    RANK_OF,
    ShitheadWorld,
    count,
    counts_of,
    first,
    is_over,
    make,
    turn_up,
)
from cardroom.rules.shithead.events import GameOver
from cardroom.rules.shithead.predicates import NOTHING, rank_to_beat
from cardroom.rules.shuffles import seeded
from cardroom.rules.values import BadOptions
from tests.rules.playing import examples
from tests.rules.shithead.scene import of, position, setups
from tests.rules.shithead.world import choices as world_choices
from tests.rules.shithead.world import hidden, place, sampled, stock, world_of

# Random games over seats and options: they end, conserve cards and are text at every version.


def choices():
    return {
        "players": st.integers(2, 18),
        "games": st.integers(1, 2),
        "jokers": st.sampled_from([2, 0]),
        "deal": st.sampled_from(["even", "three"]),
        "refill": st.sampled_from(["one_per_turn", "up_to_three"]),
        "pickup": st.sampled_from(["forced", "voluntary"]),
        "joker_top": st.sampled_from(["high", "transparent", "reset"]),
        "two_player_joker": st.sampled_from(["plain", "again"]),
        "burn_through_threes": st.booleans(),
        "first_starter": st.sampled_from(["dealer_left", "lowest_card"]),
        "next_starter": st.sampled_from(["shed", "left_of_shed"]),
        "seven_lower": st.booleans(),
        "exchange": st.booleans(),
        "max_turns": st.integers(1, 400),
    }


def possible(values):
    try:
        return SHITHEAD.choose_options(values)
    except BadOptions:
        return SHITHEAD.choose_options(values | {"players": 5, "jokers": 2})


some_options = st.fixed_dictionaries(choices()).map(possible)


def ready_sooner(moves, rng):
    """A random move, but an exchange that ends."""
    return moves[0] if moves[0] == "ready" and rng.random() < 0.3 else rng.choice(moves)


@examples(60)
@given(options=some_options, seed=st.integers(0, 2**32))
def test_random_matches_end_and_conserve_cards(options, seed):
    rng = Random(seed)
    shuffle = seeded(rng)
    step = SHITHEAD.start(options, setups(options.players), shuffle)
    games = 0
    whole = list(pack(52 + options.jokers))
    while seats := SHITHEAD.to_act(step.state):
        state = step.state
        seat = rng.choice(seats)
        moves = SHITHEAD.view(state, seat).legal_moves
        assert moves
        assert len(set(moves)) == len(moves)
        move = ready_sooner(moves, rng)
        step = SHITHEAD.play(state, seat, move, shuffle)
        assert step.move == move
        assert sorted(SHITHEAD.cards(step.state)) == whole
        for over in of(step, GameOver):
            games += 1
            assert step.scores == over.places
            assert {over.places[shed] for shed in over.shed} == {options.players}
    assert games == options.games
    outcome = SHITHEAD.outcome(step.state)
    assert sum(outcome.points) == sum(step.state.points)
    assert outcome.winners == tuple(s for s, place in enumerate(outcome.places) if place == 1)


def without_exchange(options, **more):
    values = {name: getattr(options, name) for name in options.__struct_fields__}
    return possible(values | {"exchange": False, "games": 1} | more)


def dealt(options, seed):
    return SHITHEAD.start(options, setups(options.players), seeded(Random(seed))).state


def assert_same(world: ShitheadWorld, state) -> None:
    seats = slice(world.players)
    assert world.hands[seats] == [counts_of(texts(hand)) for hand in state.hands]
    assert world.tops[seats] == [counts_of(texts(top)) for top in state.tops]
    assert hidden(world) == [[place(c) for c in slots if c is not None] for slots in state.hidden]
    assert stock(world) == [place(card) for card in reversed(state.stock)]
    assert world.pile == counts_of(texts(state.pile))
    assert world.direction == state.direction
    if state.phase == "play":
        t = rank_to_beat(state.pile, state.options.joker_top == "transparent")
        assert (ANYTHING if t == NOTHING else PLACE[RANKS[t]]) == world.t
        assert world.turn == state.turn
        assert tuple(world.places[seats]) == state.places


@examples(60)
@given(options=some_options, seed=st.integers(0, 2**32))
def test_world_and_rules_play_the_same_game(options, seed):
    rng = Random(seed)
    options = without_exchange(options)
    state = SHITHEAD.start(options, setups(options.players), seeded(rng)).state
    world = world_of(state)
    while state.phase == "play":
        moves = SHITHEAD.legal_moves(state, state.turn)
        move = moves[-1] if moves[0].startswith("blind") else rng.choice(moves)
        if move.startswith("blind"):
            turn_up(world)
        else:
            view = SHITHEAD.view(state, state.turn)
            chosen = world_choices(world)
            assert len(set(chosen)) == len(chosen)
            assert set(chosen) == {choice_of(view, each) for each in moves}
            assert has_choice(world) == (len(chosen) > 1)
            make(world, choice_of(view, move))
        state = SHITHEAD.play(state, state.turn, move, seeded(rng)).state
        assert_same(world, state)


@examples(40)
@given(options=some_options, seed=st.integers(0, 2**32))
def test_the_keeper_of_the_world_is_the_bot(options, seed):
    rng = Random(seed)
    options = without_exchange(options, max_turns=300)
    state = SHITHEAD.start(options, setups(options.players), seeded(rng)).state
    world = world_of(state)
    while state.phase == "play":
        view = SHITHEAD.view(state, state.turn)
        move = simple.choose_keeper(view, (), rng)
        assert move in view.legal_moves
        move = view.legal_moves[-1] if move.startswith("blind") else move
        simple.keepers_turn(world)
        state = SHITHEAD.play(state, state.turn, move, seeded(rng)).state
        assert_same(world, state)


def facts(world: ShitheadWorld):
    return {name: getattr(world, name) for name in ShitheadWorld.FIELDS}


def begun(options, seed, seat):
    """A game as this seat searches it."""
    world = world_of(dealt(without_exchange(options), seed))
    world.me = seat % options.players
    return world


@examples(60)
@given(options=some_options, seed=st.integers(0, 2**32), seat=st.integers(0, 17))
def test_keepers_play_until_all_is_settled_for_the_seat(options, seed, seat):
    slow = begun(options, seed, seat)
    quick, most = slow.copy(), 250
    left = play_on(quick, most)
    while most and not is_over(slow):
        simple.keepers_turn(slow)
        most -= 1
    assert left == most
    assert facts(quick) == facts(slow)


@examples(40)
@given(options=some_options, seed=st.integers(0, 2**32), seat=st.integers(0, 17))
def test_they_stop_where_the_seat_may_choose(options, seed, seat):
    slow = begun(options, seed, seat)
    quick, most, left = slow.copy(), 250, 250
    while not is_over(slow) and most:
        if slow.turn == slow.me and len(world_choices(slow)) > 1:
            left = play_to_a_choice(quick, left)
            assert (left, facts(quick)) == (most, facts(slow))
            assert keepers_choice(slow) in world_choices(slow)
            simple.keepers_turn(quick)
            left -= 1
        simple.keepers_turn(slow)
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
    known = believed(SHITHEAD.view(state, 0), events)
    hands = set()
    for seed in range(30):
        world = sampled(known, Random(seed))
        assert count(world.hands[1]) == 3
        assert world.hands[1] >> 4 * PLACE["K"] & 15 == 1
        assert [len(cards) for cards in hidden(world)] == [2, 1]
        held = sum(world.hands) + sum(world.tops) + world.pile
        lying = [*stock(world), *(card for cards in hidden(world) for card in cards)]
        named = "5C 8C 4C 9C KC KD 5H 4D 9H 9D JC 6H AC AD"
        assert held + sum(1 << 4 * card for card in lying) == counts_of(texts(parse(named)))
        hands.add(world.hands[1])
    assert len(hands) > 1
