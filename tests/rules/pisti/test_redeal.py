"""Re-dealt matches: what was seen stays, what was not is dealt again."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.rules.cards import pack, texts
from cardroom.rules.pisti import GAME as PISTI
from cardroom.rules.pisti.knowledge import known_cards
from cardroom.rules.shuffles import seeded
from cardroom.rules.values import HistoryStep
from tests.rules.pisti.scene import deck, start
from tests.rules.playing import Sitting, examples, somewhere


@examples(40)
@given(data=st.data())
def test_a_redealt_match_looks_the_same_to_who_loads_it(data):
    sitting = somewhere(PISTI, data, 150)
    seats = frozenset(data.draw(st.sets(st.integers(0, len(sitting.setups) - 1), min_size=1)))
    loaded = sitting.loaded(77, seats)
    assert sorted(PISTI.cards(loaded.state)) == list(pack(52))
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
