"""What holds for every match under every combination of options (pazaak R1-R25, §2)."""

from collections import Counter
from random import Random

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from cardroom.rules.pazaak import GAME as PAZAAK
from cardroom.rules.pazaak.events import HandDrawn, RoundOver, RoundStarted
from cardroom.rules.pazaak.predicates import MAIN_PACK, PLACES, total_of
from cardroom.rules.pazaak.side_cards import CATALOGUES, faults
from cardroom.rules.shuffles import seeded
from cardroom.rules.values import Setup
from tests.rules.playing import examples, options_of

seeds = st.integers(min_value=0, max_value=2**32)
every_option = options_of(PAZAAK)


def random_setup(options, name, rng):
    """A random legal deck; one seat in six cheats."""
    if rng.random() < 1 / 6:
        return Setup(name, "cheater")
    pool = list(CATALOGUES[options.catalogue]) * (options.max_copies or 10)
    return Setup(name, None, tuple(rng.sample(pool, 10)))


def steps(options, seed):
    """Every step of one random match."""
    rng = Random(seed)
    shuffle = seeded(rng)
    setups = [random_setup(options, name, rng) for name in ("Ann", "Bob")]
    step = PAZAAK.start(options, setups, shuffle)
    yield step
    while PAZAAK.outcome(step.state) is None:
        (seat,) = PAZAAK.to_act(step.state)
        move = rng.choice(PAZAAK.legal_moves(step.state, seat))
        step = PAZAAK.play(step.state, seat, move, shuffle)
        yield step


@examples(80)
@given(every_option, seeds)
def test_cards_are_conserved_at_every_ply(options, seed):
    sides = None
    for step in steps(options, seed):
        for half in step.state.halves:
            drawn = [int(card.code) for card in half.board if card.source == "main"]
            assert Counter(half.main) + Counter(drawn) == Counter(MAIN_PACK)
            assert half.total == total_of(half.board)
            assert len(half.board) <= PLACES
        now = [sorted(half.side + half.hand + half.played) for half in step.state.halves]
        sides = sides or now
        assert now == sides
        for half, side in zip(step.state.halves, sides, strict=True):
            cheats = half.allowance is not None
            copies = None if cheats else options.max_copies
            assert faults(tuple(side), options.catalogue, copies) == ()
            assert not cheats or (half.hand == () and 0 <= half.allowance <= len(half.side))


@examples(60)
@given(every_option, seeds)
def test_a_match_ends_and_its_wins_are_its_points(options, seed):
    played = list(steps(options, seed))
    outcome = PAZAAK.outcome(played[-1].state)
    scores = [step.scores for step in played if step.scores is not None]
    assert outcome.points == tuple(map(sum, zip(*scores, strict=True)))
    assert len(scores) == played[-1].state.round_no <= (options.max_rounds or 10**6)
    assert outcome.reason == ("rounds" if max(outcome.points) == options.rounds_to_win else "limit")
    overs = [sum(isinstance(event, RoundOver) for event in step.events) for step in played]
    assert overs == [int(step.scores is not None) for step in played]


@examples(60)
@given(every_option, seeds)
def test_hands_grow_as_the_rules_say(options, seed):
    given_out = [0, 0]
    for step in steps(options, seed):
        kinds = [type(event) for event in step.events]
        for event in step.events:
            if isinstance(event, HandDrawn):
                first = step.state.round_no == 1
                draws = options.hand_rule == "per_round" or first
                assert event.count == (min(4, 10 - given_out[event.seat]) if draws else 0)
                given_out[event.seat] += event.count
        if RoundStarted in kinds:
            at = kinds.index(HandDrawn)
            assert kinds[at : at + 2] == [HandDrawn, HandDrawn]


@examples(40)
@given(every_option, seeds)
def test_states_and_events_are_json_byte_for_byte(options, seed):
    for step in steps(options, seed):
        data = msgspec.json.encode(step.state)
        assert PAZAAK.decode_state(data) == step.state
        assert msgspec.json.encode(PAZAAK.decode_state(data)) == data
        assert PAZAAK.decode_events(msgspec.json.encode(step.events)) == step.events


@examples(40)
@given(every_option, seeds)
def test_each_redacted_event_is_told_in_a_sentence(options, seed):
    for step in steps(options, seed):
        for event in step.events:
            for seat in (0, 1, None):
                sentence = str(PAZAAK.narrate(event.seen_by(seat), ("Ann", "Bob")))
                assert sentence.endswith(".")
                assert "None" not in sentence
