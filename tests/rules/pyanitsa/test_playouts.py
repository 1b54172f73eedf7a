"""Invariants of every match under every house rule (pyanitsa R14 to R16, §2, §3)."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from cardroom.rules.pyanitsa import GAME as PYANITSA
from cardroom.rules.pyanitsa.events import CardLaid, Dealt, MatchOver, Recycled, SeatOut, TrickTaken
from cardroom.rules.pyanitsa.state import card_count
from tests.rules.playing import examples
from tests.rules.pyanitsa.playouts import house_rules, steps

seeds = st.integers(min_value=0, max_value=2**32)


@examples(60)
@given(house_rules(max_tricks=80), seeds)
def test_a_match_ends_within_its_limit_with_places_that_fit(options, seed):
    played = [step for _, step in steps(options, Random(seed))]
    last = played[-1]
    outcome = PYANITSA.outcome(last.state)
    assert last.state.trick_no <= options.max_tricks
    assert outcome.points == outcome.places == last.scores
    assert min(outcome.places) == 1
    assert outcome.winners == tuple(s for s, place in enumerate(outcome.places) if place == 1)
    assert last.events[-1] == MatchOver(outcome.winners, outcome.reason, outcome.places)
    assert all(step.scores is None for step in played[:-1])
    assert all(PYANITSA.outcome(step.state) is None for step in played[:-1])


@examples(40)
@given(house_rules(max_tricks=60), seeds)
def test_seats_are_out_exactly_when_they_have_no_cards_between_tricks(options, seed):
    for _, step in steps(options, Random(seed)):
        state = step.state
        if not state.table:
            empty = {seat for seat in range(options.players) if not card_count(state, seat)}
            assert PYANITSA.retired_seats(state) == empty
        for event in step.events:
            if isinstance(event, SeatOut):
                assert state.out_in[event.seat] == event.trick_no


@examples(40)
@given(house_rules(max_tricks=60), seeds)
def test_the_events_tell_the_course_of_the_match(options, seed):
    """Who only counts what the events tell arrives at the cards every seat really has."""
    counts = [0] * options.players
    for _, step in steps(options, Random(seed)):
        for event in step.events:
            if isinstance(event, Dealt):
                counts = [event.cards_per_seat] * options.players
            elif isinstance(event, CardLaid):
                counts[event.seat] -= 1
            elif isinstance(event, TrickTaken):
                counts[event.seat] += event.count
        if step.state.taker is None:
            assert counts == [card_count(step.state, seat) for seat in range(options.players)]


@examples(40)
@given(seeds, st.integers(2, 8), st.sampled_from([36, 52, 54]))
def test_bottom_and_fifo_give_the_same_course_of_play(seed, players, deck):
    """§2 collect_to: only the visible counts differ."""
    courses = []
    for collect_to in ("won_pile", "bottom"):
        values = {"players": players, "deck": deck, "collect_to": collect_to, "max_tricks": 100}
        played = steps(PYANITSA.choose_options(values), Random(seed))
        courses.append(
            [e for _, step in played for e in step.events if not isinstance(e, Recycled)]
        )
    assert courses[0] == courses[1]


def test_default_matches_come_to_their_natural_end():
    rng = Random(5)
    for players in range(2, 9):
        options = PYANITSA.choose_options({"players": players})
        *_, (_, last) = steps(options, rng)
        assert PYANITSA.outcome(last.state).reason == "all_cards"
