"""The fast world of the bots follows the rules card by card (pisti R10 to R24)."""

from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardroom.rules.cards import CARD, TEXT
from cardroom.rules.pisti import GAME as PISTI
from cardroom.rules.pisti.bots.belief import SURPRISE, all_known, believed, empty_pool, fill_pool
from cardroom.rules.pisti.bots.quick_counter import counters_place, weigh_exactly
from cardroom.rules.pisti.bots.searcher import Node, solve
from cardroom.rules.pisti.bots.simple import PlayEvaluator
from cardroom.rules.pisti.bots.world import (
    BLOCK,
    EMPTY,
    NO_TARGET,
    POINTS,
    empty_world,
    finish,
    give,
    hand_of,
    put,
)
from cardroom.rules.pisti.events import CardPlayed, DealScored, Pisti
from cardroom.rules.pisti.predicates import card_points
from tests.rules.pisti.scene import scene, told
from tests.rules.playing import Sitting, examples, options_of
from tests.rules.playing import numbers as playing_numbers


def world_of(state):
    """The world at the start of a deal."""
    world = empty_world(state.options)
    for seat, hand in enumerate(state.hands):
        give(world, seat, list(hand))
    world.pile_size = len(state.pile)
    world.pile_points = sum(POINTS[card] for card in state.pile)
    world.top = state.pile[-1] % 13
    world.turn = state.to_play
    return world


@examples(40)
@given(data=st.data())
def test_the_world_and_the_rules_agree_after_every_card(data):
    sitting = Sitting.begun(PISTI, data.draw(options_of(PISTI)), data.draw(playing_numbers))
    rng, world = Random(data.draw(playing_numbers)), world_of(sitting.state)
    for play in range(48):
        state = sitting.state
        assert world.turn == state.to_play
        assert [list(hand) for hand in state.hands] == hands_of(world)
        move = rng.choice(PISTI.legal_moves(state, world.turn))
        step = sitting.play(world.turn, move)
        put(world, hand_of(world, world.turn).index(CARD[move]))
        if not any(world.sizes) and play < 47:
            for seat, hand in enumerate(step.state.hands):  # R16
                give(world, seat, list(hand))
                world.refused[seat] = 0
        if play < 47:
            agree(world, step.state)
    (scored,) = [event for event in step.events if isinstance(event, DealScored)]
    finish(world)
    assert world.points[: world.sides] == [side.deal_points for side in scored.sides]


def hands_of(world):
    return [hand_of(world, seat) for seat in range(world.players)]


def agree(world, state):
    sides = range(world.sides)
    heaps = [sum(state.heaps[side :: world.sides]) for side in sides]
    assert world.cards[: world.sides] == [heap.bit_count() for heap in heaps]
    assert world.points[: world.sides] == [card_points(heap) for heap in heaps]
    assert world.bonus[: world.sides] == [
        state.pistis[side] * world.single + state.doubles[side] * world.double for side in sides
    ]
    assert world.pile_size == len(state.pile)
    assert world.top == (state.pile[-1] % 13 if state.pile else EMPTY)
    assert world.last == (-1 if state.last_capturer is None else state.last_capturer)


def known_to(sitting):
    """The knowledge of the seat to play in this deal."""
    seat = sitting.state.to_play
    seen = PISTI.recent_events(sitting.seen_by(seat), "round")
    return believed(PISTI.view(sitting.state, seat), seat, seen)


def worlds_of(known, count, rng):
    """Worlds that it may be in."""
    pool = empty_pool(count, len(known.lot))
    fill_pool(rng, known, pool)
    return pool.worlds


@pytest.mark.parametrize("preset", PISTI.presets)
def test_sampled_worlds_are_made_of_the_unseen_cards(preset):
    options = PISTI.choose_options(preset=preset)
    rng = Random(5)
    for plies in (0, 7, 20, 35, 41):
        sitting = Sitting.begun(PISTI, options, plies).play_on(Random(plies), plies)
        known, state = known_to(sitting), sitting.state
        for world in worlds_of(known, 5, rng):
            assert [len(hand) for hand in hands_of(world)] == [len(hand) for hand in state.hands]
            assert hand_of(world, world.me) == list(state.hands[world.me])
            held = [card for hand in hands_of(world) for card in hand]
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
    known = known_to(sitting)
    rank = next(rank for rank in range(13) if known.worlds[0].refused[1] >> rank & 1)
    left = sum(card % 13 == rank for card in known.lot)
    fair = 1 - (1 - left / len(known.lot)) ** len(sitting.state.hands[1])
    worlds = worlds_of(known, 200, Random(1))
    held = sum(any(card % 13 == rank for card in hand_of(world, 1)) for world in worlds)
    assert held < 0.5 * fair * 200


def decided(sitting):
    """Seat 1 let a rank lie of which cards are out."""
    known = known_to(sitting)
    ranks = [rank for rank in range(13) if known.worlds[0].refused[1] >> rank & 1]
    return any(card % 13 in ranks for card in known.lot)


def test_the_quick_counter_judges_as_the_counter_does():
    same = 0
    for number in range(40):
        sitting = Sitting.begun(PISTI, PISTI.choose_options(), number).play_on(Random(number), 8)
        view = PISTI.view(sitting.state, 0)
        counter = PlayEvaluator(view, 0, sitting.seen_by(0))
        worths = [counter.weigh(CARD[code]) for code in view.legal_moves]
        (world,) = worlds_of(known_to(sitting), 1, Random(1))
        card = hand_of(world, 0)[counters_place(world)]
        picked = view.legal_moves.index(TEXT[card])
        same += worths[picked] > max(worths) - 0.01
    assert same >= 36


@pytest.mark.parametrize(
    "values", [{}, {"players": 3}, {"players": 4}, {"players": 4, "teams": True}], ids=str
)
def test_the_counter_can_be_foreseen_to_the_last_rule(values):
    weighed = 0
    for number in range(24):
        options = PISTI.choose_options(values)
        sitting = Sitting.begun(PISTI, options, number).play_on(Random(number), 9 + number)
        state, known = sitting.state, known_to(sitting)
        (world,) = known.worlds
        if known.hidden[world.sides]:  # nobody saw these; a world has cards there
            continue
        world.sizes[: world.players] = [len(hand) for hand in state.hands]
        weigh_exactly(world)
        view, seen = PISTI.view(state, world.me), sitting.seen_by(world.me)
        counter = PlayEvaluator(view, world.me, PISTI.recent_events(seen, "round"))
        worths = [counter.weigh(CARD[code]) for code in view.legal_moves]
        assert world.worths[: len(worths)] == pytest.approx(worths)
        weighed += len(worths) > 1
    assert weighed >= 5


@pytest.mark.parametrize("counting", [0.0, 0.5, 1.0])
def test_the_last_plays_of_a_deal_are_solved_where_nothing_is_hidden(counting):
    """Seat 1 holds a seven: laid first, a seven is a pişti for it unless its hand slips."""
    state = scene("", ("7H 3C", "7D KC"), plays_made=44, stock="", target_score=None)
    view = PISTI.view(state, 0)
    known = believed(view, 0, ())
    assert not all_known(known, view)  # it was told of no event
    (world,) = known.worlds
    give(world, 1, [CARD["7D"], CARD["KC"]])
    world.bonus[:2] = [10, 5]
    assert after(world, "7H", counting) == pytest.approx(SURPRISE / 2)
    assert after(world, "3C", counting) == 1.0


def test_how_the_other_seat_plays_decides_what_the_end_is_worth():
    """Both seats can take the ace and the ten with a jack, seat 1 first. A counter does; greedy
    plays the last card of a hand whose order is unknown, so it does as often as not.
    """
    world = world_of(scene("AD TD 9S", ("JH 5C", "JC 2S"), to_play=1))
    world.plays, world.target = 44, NO_TARGET
    assert solved(world, 1.0) < 0.2
    assert solved(world, 0.0) == pytest.approx(0.5)


def test_the_other_hand_is_known_at_the_end_to_who_saw_all_else():
    """The centre's face-down cards are seen by who captured them, so often but not always."""
    found = set()
    for number in range(12):
        sitting = Sitting.begun(PISTI, PISTI.choose_options(), number).play_on(Random(number), 40)
        known, state = known_to(sitting), sitting.state
        solved = all_known(known, PISTI.view(state, state.to_play))
        found.add(solved)
        if solved:
            (world,) = worlds_of(known, 1, Random(1))
            rival = 1 - world.me
            assert sorted(hand_of(world, rival)) == sorted(state.hands[rival])
    assert found == {True, False}


def after(world, code, counting):
    twin = world.copy()
    put(twin, hand_of(twin, twin.turn).index(CARD[code]))
    return solved(twin, counting)


def solved(world, counting):
    nodes = [Node() for _ in range(BLOCK)]
    nodes[0].beliefs = [counting, 0.0, 1 - counting]
    return solve(nodes, [world.copy() for _ in range(BLOCK)])


# Random matches under any options: nothing is lost, nothing grows, every deal adds up.

numbers = st.integers(0, 2**32)
quick = settings(max_examples=30, deadline=None, derandomize=True)


@quick
@given(options=options_of(PISTI, target_score=None), number=numbers)
def test_a_deal_has_48_plays_and_its_points_add_up(options, number):  # R16, R25
    sitting = Sitting.begun(PISTI, options, number).play_on(Random(number))
    assert len(msgspec.json.encode(sitting.state)) < 800
    events = sitting.seen_by(None)
    assert [event.play_no for event in told(events, CardPlayed)] == list(range(1, 49))
    (scored,) = told(events, DealScored)
    bonuses = sum(event.points for event in told(events, Pisti))
    majority = options.majority_points * any(side.majority for side in scored.sides)
    assert sum(side.deal_points for side in scored.sides) == 13 + majority + bonuses
    assert sum(side.cards for side in scored.sides) == 52  # R22: always somebody's


@quick
@given(options=options_of(PISTI, target_score=21, pisti_points=10), number=numbers)
def test_a_match_ends_with_one_side_in_front(options, number):  # R27
    sitting = Sitting.begun(PISTI, options, number).play_on(Random(number))
    outcome = sitting.outcome
    totals = outcome.points
    assert max(totals) >= 21
    assert totals.count(max(totals)) == 1
    assert [sum(column) for column in zip(*sitting.scores, strict=True)] == list(totals)
    best = totals.index(max(totals))
    assert outcome.winners == PISTI.sides_of(options)[best]
    assert all(not _decided(sitting.scores[:deals]) for deals in range(1, len(sitting.scores)))


def _decided(scores):
    totals = [sum(column) for column in zip(*scores, strict=True)]
    return max(totals) >= 21 and totals.count(max(totals)) == 1
