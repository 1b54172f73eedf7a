"""Imagined worlds and re-dealt ones: true to everything that was seen, free in the rest."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.cards import pack, texts
from games.rules.pisti import PISTI
from games.rules.pisti.imagine import imagine
from games.rules.pisti.memory import known_cards, remember
from games.rules.pisti.state import all_cards
from games.rules.shuffles import seeded
from games.rules.values import HistoryStep
from tests.rules.pisti.scene import deck, start
from tests.rules.playing import Sitting, options_of

matches = st.tuples(options_of(PISTI), st.integers(0, 10**6), st.integers(0, 150))
quick = settings(max_examples=40, deadline=None, derandomize=True)


def somewhere(match):
    options, number, plies = match
    return Sitting.begun(PISTI, options, number).play_on(Random(number), plies)


def of_this_deal(events):
    return PISTI.recent_events(events, "round")


@quick
@given(match=matches, told=st.booleans())
def test_an_imagined_world_shows_the_same_view(match, told):
    sitting = somewhere(match)
    for seat in (*range(len(sitting.setups)), None):
        view = PISTI.view(sitting.state, seat)
        events = of_this_deal(sitting.seen_by(seat)) if told else ()
        world = PISTI.imagine(view, Random(1), events)
        assert PISTI.view(world, seat) == view
        assert sorted(all_cards(world)) == list(pack(52))


@quick
@given(match=matches)
def test_an_imagined_world_keeps_every_card_seen_in_its_place(match):
    sitting = somewhere(match)
    state = sitting.state
    for seat in range(len(sitting.setups)):
        events = of_this_deal(sitting.seen_by(seat))
        memory = remember(PISTI.view(state, seat), events)
        world = imagine(PISTI.view(state, seat), Random(2), events)
        assert [a for a in state.pile if a in memory.seen] == [
            a for a in world.pile if a in memory.seen
        ]
        for true, imagined in zip(state.heaps, world.heaps, strict=True):
            assert true.bit_count() == imagined.bit_count()
            assert not [card for card in memory.seen if (true ^ imagined) >> card & 1]


@quick
@given(match=matches)
def test_imagined_worlds_play_to_their_end(match):
    sitting = somewhere(match)
    rng = Random(3)
    world = PISTI.imagine(PISTI.view(sitting.state, 0), rng, sitting.seen_by(0))
    deal_no = world.deal_no
    while not world.over and world.deal_no == deal_no:
        move = rng.choice(PISTI.legal_moves(world, world.to_play))
        world = PISTI.play(world, world.to_play, move, seeded(rng)).state
    assert world.over or world.plays_made == 0


def test_worlds_differ_in_what_is_unknown():
    state = start(deck("")).state
    worlds = {imagine(PISTI.view(state, 0), Random(n)).hands[1] for n in range(20)}
    assert len(worlds) > 15


@quick
@given(match=matches, data=st.data())
def test_a_redealt_match_looks_the_same_to_who_loads_it(match, data):
    sitting = somewhere(match)
    seats = frozenset(data.draw(st.sets(st.integers(0, len(sitting.setups) - 1), min_size=1)))
    loaded = sitting.loaded(77, seats)
    assert sorted(all_cards(loaded.state)) == list(pack(52))
    for seat in (*seats, None):
        assert PISTI.view(loaded.state, seat) == PISTI.view(sitting.state, seat)
        assert loaded.seen_by(seat) == sitting.seen_by(seat)
    for seat in range(len(sitting.setups)):  # what is told is what now lies there
        hand = PISTI.view(loaded.state, seat).hand
        assert set(hand) <= known_cards(loaded.seen_by(seat))


def test_a_redeal_moves_what_was_not_seen_and_nothing_else():
    sitting = Sitting.begun(PISTI, PISTI.choose_options(), 5).play_on(Random(5), 3)
    loaded = sitting.loaded(78, frozenset({0}))
    (reshuffled,) = loaded.loaded_from.reshuffled
    before, after = (texts(one.history[0].decks[0]) for one in (sitting, loaded))
    known = known_cards(sitting.seen_by(0))
    assert reshuffled.shuffle == 0
    assert [at for at in range(52) if before[at] not in known] == list(reshuffled.positions)
    moved = [at for at in range(52) if before[at] != after[at]]
    assert moved
    assert set(moved) <= set(reshuffled.positions)


@pytest.mark.parametrize("last", ["5C 6C", "5C JD", "4C JC JH JS JD"])
def test_an_exposed_bottom_card_stays_through_a_redeal(last):
    values = {"bottom_card": "exposed", "players": 3}
    step = start(deck("", last), **values)
    sitting = Sitting(PISTI, PISTI.choose_options(values), bytes(32))
    dealt = tuple(map(deck("").index, deck("", last)))
    history = (HistoryStep(1, (dealt,), step.events),)
    redealt = PISTI.redeal(step.state, history, frozenset({1}), sitting.sealed)
    again = PISTI.start(sitting.options, sitting.setups, lambda _: list(redealt.decks[0]))
    assert again.state == redealt.state
    assert PISTI.view(again.state, 1) == PISTI.view(step.state, 1)


def test_nothing_is_unknown_when_the_match_is_over():
    chosen = PISTI.choose_options({"target_score": None})
    sitting = Sitting.begun(PISTI, chosen, 9).play_on(Random(9))
    redealt = PISTI.redeal(sitting.state, sitting.history, frozenset({0}), seeded(Random(1)))
    assert redealt.moved == ()
    assert redealt.state == sitting.state
