"""Random matches under any options: nothing is lost, nothing grows, every deal adds up."""

from random import Random

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from cardroom.rules.cards import pack
from cardroom.rules.pisti import GAME as PISTI
from cardroom.rules.pisti.events import CardPlayed, DealScored, Pisti
from tests.rules.pisti.scene import told
from tests.rules.playing import Sitting, options_of

numbers = st.integers(0, 2**32)
quick = settings(max_examples=30, deadline=None, derandomize=True)


@quick
@given(options=options_of(PISTI), number=numbers)
def test_every_card_is_somewhere_and_every_state_survives_json(options, number):
    sitting = Sitting.begun(PISTI, options, number)
    for step in sitting.plies(Random(number), 100):
        data = msgspec.json.encode(step.state)
        assert sorted(PISTI.cards(step.state)) == list(pack(52))
        assert PISTI.decode_state(data) == step.state
        assert msgspec.json.encode(PISTI.decode_state(data)) == data
        assert len(data) < 800
        events = msgspec.json.encode(step.events)
        assert msgspec.json.encode(PISTI.decode_events(events)) == events


@quick
@given(options=options_of(PISTI, target_score=None), number=numbers)
def test_a_deal_has_48_plays_and_its_points_add_up(options, number):  # R16, R25
    sitting = Sitting.begun(PISTI, options, number).play_on(Random(number))
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
