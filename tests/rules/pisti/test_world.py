"""The fast world of the bots follows the rules card by card (pisti R10 to R24)."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.cards import CARD, TEXT
from games.rules.pisti import GAME as PISTI
from games.rules.pisti.bots import quick_counter
from games.rules.pisti.bots.belief import Belief
from games.rules.pisti.bots.counter import PlayEvaluator
from games.rules.pisti.bots.last_block import expected
from games.rules.pisti.bots.models import SURPRISE
from games.rules.pisti.bots.world import EMPTY, POINTS, World
from games.rules.pisti.events import DealScored
from games.rules.pisti.predicates import card_points
from tests.rules.any_options import options_of
from tests.rules.pisti.scene import scene
from tests.rules.playing import Sitting, examples, numbers


def world_of(state):
    """The world at the start of a deal."""
    world = World(state.options)
    world.hands = [list(hand) for hand in state.hands]
    world.stock = list(reversed(state.stock))
    world.pile_size = len(state.pile)
    world.pile_points = sum(POINTS[card] for card in state.pile)
    world.top = state.pile[-1] % 13
    world.turn = state.to_play
    return world


@examples(40)
@given(data=st.data())
def test_the_world_and_the_rules_agree_after_every_card(data):
    sitting = Sitting.begun(PISTI, data.draw(options_of(PISTI)), data.draw(numbers))
    rng, world = Random(data.draw(numbers)), world_of(sitting.state)
    for play in range(48):
        state = sitting.state
        assert world.turn == state.to_play
        assert [list(hand) for hand in state.hands] == world.hands
        move = rng.choice(PISTI.legal_moves(state, world.turn))
        step = sitting.play(world.turn, move)
        world.put(CARD[move])
        if world.stock and not any(world.hands):
            world.deal()
        if play < 47:
            agree(world, step.state)
    (scored,) = [event for event in step.events if isinstance(event, DealScored)]
    world.finish()
    assert world.points == [side.deal_points for side in scored.sides]


def agree(world, state):
    sides = range(world.sides)
    heaps = [sum(state.heaps[side :: world.sides]) for side in sides]
    assert world.cards == [heap.bit_count() for heap in heaps]
    assert world.points == [card_points(heap) for heap in heaps]
    assert world.bonus == [
        state.pistis[side] * world.single + state.doubles[side] * world.double for side in sides
    ]
    assert world.pile_size == len(state.pile)
    assert world.top == (state.pile[-1] % 13 if state.pile else EMPTY)
    assert world.last == (-1 if state.last_capturer is None else state.last_capturer)


def belief(sitting):
    seat = sitting.state.to_play
    seen = PISTI.recent_events(sitting.seen_by(seat), "round")
    return Belief(PISTI.view(sitting.state, seat), seat, seen)


@pytest.mark.parametrize("preset", PISTI.presets)
def test_sampled_worlds_are_made_of_the_unseen_cards(preset):
    options = PISTI.choose_options(preset=preset)
    rng = Random(5)
    for plies in (0, 7, 20, 35, 41):
        sitting = Sitting.begun(PISTI, options, plies).play_on(Random(plies), plies)
        known, state = belief(sitting), sitting.state
        for _ in range(5):
            world = known.sample(rng)
            assert [len(hand) for hand in world.hands] == [len(hand) for hand in state.hands]
            assert world.hands[known.me] == list(state.hands[known.me])
            held = [card for hand in world.hands for card in hand]
            assert len(set(held)) == len(held)
            assert set(held) <= {card for hand in state.hands for card in hand} | set(known.lot)
            assert world.pile_points == sum(POINTS[card] for card in state.pile) or known.lot


def test_a_rank_let_lie_is_hardly_in_that_hand():
    """Seat 1 laid a five on the eight: of a hundred worlds it holds an eight in few."""
    sitting = Sitting.begun(PISTI, PISTI.choose_options(), 3)
    while not (sitting.state.to_play == 0 and decided(sitting)):
        sitting.play(
            sitting.state.to_play, PISTI.legal_moves(sitting.state, sitting.state.to_play)[0]
        )
    known = belief(sitting)
    rank = next(rank for rank in range(13) if known.refused[1] >> rank & 1)
    left = sum(card % 13 == rank for card in known.lot)
    fair = 1 - (1 - left / len(known.lot)) ** len(sitting.state.hands[1])
    rng = Random(1)
    held = sum(any(card % 13 == rank for card in known.sample(rng).hands[1]) for _ in range(200))
    assert held < 0.5 * fair * 200


def decided(sitting):
    """Seat 1 let a rank lie of which cards are out."""
    known = belief(sitting)
    ranks = [rank for rank in range(13) if known.refused[1] >> rank & 1]
    return any(card % 13 in ranks for card in known.lot)


def test_the_quick_counter_judges_as_the_counter_does():
    same = 0
    for number in range(40):
        sitting = Sitting.begun(PISTI, PISTI.choose_options(), number).play_on(Random(number), 8)
        view = PISTI.view(sitting.state, 0)
        counter = PlayEvaluator(view, 0, sitting.seen_by(0))
        worths = [counter.weigh(CARD[code]) for code in view.legal_moves]
        picked = view.legal_moves.index(TEXT[quick_counter.pick(belief(sitting).sample(Random(1)))])
        same += worths[picked] > max(worths) - 0.01
    assert same >= 36


@pytest.mark.parametrize("counting", [0.0, 0.5, 1.0])
def test_the_last_plays_of_a_deal_are_solved_where_nothing_is_hidden(counting):
    """Seat 1 holds a seven: laid first, a seven is a pişti for it unless its hand slips."""
    state = scene("", ("7H 3C", "7D KC"), plays_made=44, stock="", target_score=None)
    known = Belief(PISTI.view(state, 0), 0, ())
    assert not known.all_known  # it was told of no event
    known.all_known, known.counting = True, [0.5, counting]
    known.hands[1], known.bonus = [CARD["7D"], CARD["KC"]], [10, 5]
    assert after(known, "7H") == pytest.approx(SURPRISE / 2)
    assert after(known, "3C") == 1.0


def test_how_the_other_seat_plays_decides_what_the_end_is_worth():
    """Both seats can take the ace and the ten with a jack, seat 1 first. A counter does; greedy
    plays the last card of a hand whose order is unknown, so it does as often as not.
    """
    world = world_of(scene("AD TD 9S", ("JH 5C", "JC 2S"), to_play=1))
    world.plays = 44
    assert expected(world, 0, None, 1.0) < 0.2
    assert expected(world, 0, None, 0.0) == pytest.approx(0.5)


def test_the_other_hand_is_known_at_the_end_to_who_saw_all_else():
    """The centre's face-down cards are seen by who captured them, so often but not always."""
    found = set()
    for number in range(12):
        sitting = Sitting.begun(PISTI, PISTI.choose_options(), number).play_on(Random(number), 40)
        known, state = belief(sitting), sitting.state
        found.add(known.all_known)
        if known.all_known:
            rival = known.sample(Random(1)).hands[1 - known.me]
            assert sorted(rival) == sorted(state.hands[1 - known.me])
    assert found == {True, False}


def after(known, code):
    world = known.copy()
    world.play(code)
    world.playout()
    return world.worth()
