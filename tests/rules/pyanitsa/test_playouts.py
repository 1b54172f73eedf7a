"""What holds for every match under every house rule (pyanitsa R14 to R16, §2, §3)."""

from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.rules.cards import pack
from cardroom.rules.pyanitsa import GAME as PYANITSA
from cardroom.rules.pyanitsa.events import CardLaid, Dealt, MatchOver, Recycled, SeatOut, TrickTaken
from cardroom.rules.pyanitsa.state import card_count
from cardroom.rules.shuffles import RecordingShuffle, Stacked, seeded
from cardroom.rules.values import IllegalMove, NotYourTurn
from tests.rules.playing import examples
from tests.rules.pyanitsa.playouts import house_rules, random_options, steps

seeds = st.integers(min_value=0, max_value=2**32)


@examples(60)
@given(house_rules(max_tricks=60), seeds)
def test_cards_are_conserved_at_every_ply(options, seed):
    whole = sorted(pack(options.deck))
    for _, step in steps(options, Random(seed)):
        assert sorted(PYANITSA.cards(step.state)) == whole


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
@given(house_rules(max_tricks=30), seeds)
def test_states_and_events_are_json_byte_for_byte(options, seed):
    for _, step in steps(options, Random(seed)):
        data = msgspec.json.encode(step.state)
        assert PYANITSA.decode_state(data) == step.state
        assert msgspec.json.encode(PYANITSA.decode_state(data)) == data
        events = msgspec.json.encode(step.events)
        assert PYANITSA.decode_events(events) == step.events


@examples(40)
@given(house_rules(max_tricks=30), seeds)
def test_exactly_one_seat_acts_and_no_other_may(options, seed):
    for _, step in steps(options, Random(seed)):
        state = step.state
        acting = PYANITSA.to_act(state)
        assert len(acting) == (0 if PYANITSA.outcome(state) else 1)
        for seat in range(options.players):
            assert bool(PYANITSA.legal_moves(state, seat)) == (seat in acting)
            if seat not in acting:
                with pytest.raises(NotYourTurn):
                    PYANITSA.play(state, seat, "flip", seeded(Random(0)))
        wrong = "collect 6C 7C" if state.to_lay else "flip"
        if acting and "6C 7C" not in PYANITSA.legal_moves(state, acting[0])[0]:
            with pytest.raises(IllegalMove):
                PYANITSA.play(state, acting[0], wrong, seeded(Random(0)))


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
@given(house_rules(max_tricks=60), seeds)
def test_the_moves_and_the_decks_give_the_match_again(options, seed):
    noted = RecordingShuffle(seeded(Random(seed)))
    first = list(steps(options, Random(seed), noted))
    again = Stacked(
        [list(map(PYANITSA.card_text, deck)) for deck in noted.decks], PYANITSA.card_text
    )
    step = PYANITSA.start(options, (), again)
    for seat, expected in first[1:]:
        step = PYANITSA.play(step.state, seat, expected.move, again)
        assert step == expected
    assert again.used == len(noted.decks)


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


def test_three_hundred_matches_over_all_options_conserve_their_cards():
    rng = Random(11)
    for _ in range(300):
        options = random_options(rng, max_tricks=40)
        *_, (_, last) = steps(options, rng)
        assert sorted(PYANITSA.cards(last.state)) == sorted(pack(options.deck))
        assert PYANITSA.outcome(last.state).reason in {"all_cards", "gave_away", "limit"}
