"""Imagined worlds: true to everything that was seen, free in the rest."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from cardroom.rules.cards import pack
from cardroom.rules.pisti import GAME as PISTI
from cardroom.rules.pisti.knowledge import imagine, knowledge_of
from cardroom.rules.shuffles import seeded
from tests.rules.pisti.scene import deck, start
from tests.rules.playing import examples, somewhere


def of_this_deal(events):
    return PISTI.recent_events(events, "round")


@examples(40)
@given(data=st.data(), told=st.booleans())
def test_an_imagined_world_shows_the_same_view(data, told):
    sitting = somewhere(PISTI, data, 150)
    for seat in (*range(len(sitting.setups)), None):
        view = PISTI.view(sitting.state, seat)
        events = of_this_deal(sitting.seen_by(seat)) if told else ()
        world = PISTI.imagine(view, Random(1), events)
        assert PISTI.view(world, seat) == view
        assert sorted(PISTI.cards(world)) == list(pack(52))


@examples(40)
@given(data=st.data())
def test_an_imagined_world_keeps_every_card_seen_in_its_place(data):
    sitting = somewhere(PISTI, data, 150)
    state = sitting.state
    for seat in range(len(sitting.setups)):
        events = of_this_deal(sitting.seen_by(seat))
        knowledge = knowledge_of(PISTI.view(state, seat), events)
        world = imagine(PISTI.view(state, seat), Random(2), events)
        assert [a for a in state.pile if a in knowledge.seen] == [
            a for a in world.pile if a in knowledge.seen
        ]
        for true, imagined in zip(state.heaps, world.heaps, strict=True):
            assert true.bit_count() == imagined.bit_count()
            assert not [card for card in knowledge.seen if (true ^ imagined) >> card & 1]


@examples(40)
@given(data=st.data())
def test_imagined_worlds_play_to_their_end(data):
    sitting = somewhere(PISTI, data, 150)
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
