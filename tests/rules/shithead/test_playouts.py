"""Random games over seats and options: they end, conserve cards and are text at every version."""

from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.rules.cards import pack
from cardroom.rules.shithead import GAME as SHITHEAD
from cardroom.rules.shithead.events import GameOver
from cardroom.rules.shuffles import seeded
from cardroom.rules.values import BadOptions
from tests.rules.playing import examples
from tests.rules.shithead.scene import of, setups


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


@examples(40)
@given(options=some_options, seed=st.integers(0, 2**32), plies=st.integers(0, 120))
def test_every_version_is_text_and_comes_back_the_same(options, seed, plies):
    rng = Random(seed)
    shuffle = seeded(rng)
    step = SHITHEAD.start(options, setups(options.players), shuffle)
    for _ in range(plies):
        if not (seats := SHITHEAD.to_act(step.state)):
            break
        moves = SHITHEAD.legal_moves(step.state, seats[-1])
        step = SHITHEAD.play(step.state, seats[-1], ready_sooner(moves, rng), shuffle)
    text = msgspec.json.encode(step.state)
    assert SHITHEAD.decode_state(text) == step.state
    assert msgspec.json.encode(SHITHEAD.decode_state(text)) == text
    told = msgspec.json.encode(step.events)
    assert SHITHEAD.decode_events(told) == step.events
    seen = msgspec.json.encode(SHITHEAD.view(step.state, 0))
    assert msgspec.json.encode(msgspec.json.decode(seen, type=SHITHEAD.view_type)) == seen


@examples(40)
@given(options=some_options, seed=st.integers(0, 2**32), plies=st.integers(0, 60))
def test_an_imagined_world_can_be_played_on(options, seed, plies):
    rng = Random(seed)
    shuffle = seeded(rng)
    step = SHITHEAD.start(options, setups(options.players), shuffle)
    seen_by_0 = [event.seen_by(0) for event in step.events]
    for ply in range(2 * plies):
        if not (seats := SHITHEAD.to_act(step.state)):
            break
        if ply == plies:
            seen = SHITHEAD.view(step.state, 0)
            events = SHITHEAD.recent_events(seen_by_0, "round")
            world = SHITHEAD.imagine(seen, rng, events)
            assert SHITHEAD.view(world, 0) == seen
            assert sorted(SHITHEAD.cards(world)) == sorted(SHITHEAD.cards(step.state))
            step = msgspec.structs.replace(step, state=world)
        moves = SHITHEAD.legal_moves(step.state, seats[-1])
        step = SHITHEAD.play(step.state, seats[-1], ready_sooner(moves, rng), shuffle)
        seen_by_0 += [event.seen_by(0) for event in step.events]


@pytest.mark.parametrize("players", [2, 18])
def test_playing_leaves_the_state_before_as_it_was(players):
    rng = Random(players)
    shuffle = seeded(rng)
    options = SHITHEAD.choose_options({"players": players, "exchange": False})
    state = SHITHEAD.start(options, setups(players), shuffle).state
    for _ in range(50):
        before = msgspec.json.encode(state)
        seat = SHITHEAD.to_act(state)[0]
        after = SHITHEAD.play(state, seat, rng.choice(SHITHEAD.legal_moves(state, seat)), shuffle)
        assert msgspec.json.encode(state) == before
        state = after.state
