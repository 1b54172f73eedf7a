"""Cards, events, states and views of every game: nothing is lost, nothing comes back otherwise."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, get_args

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from games.rules.game import AnyGame
from games.rules.values import Event, Step
from tests.rules.differences import differences
from tests.rules.playing import (
    FUZZING,
    Sitting,
    counted,
    encoded,
    every_game_and_a_fifth,
    examples,
    positions,
)

PLIES = 2_000 if FUZZING else 150
ENVELOPE = {"version", "by", "move", "type"}  # what the log and the API write beside the fields


@every_game_and_a_fifth
@examples(15)
@given(data=st.data())
def test_cards_are_conserved_after_every_ply(game, data):
    conserves(game, positions(game, data, PLIES))


def conserves(game: AnyGame, steps: Iterable[tuple[Sitting, Step[Any]]]) -> None:
    before: Counter[str] = Counter()
    for sitting, step in steps:
        now = counted(game, game.cards(step.state))
        if game.distinct_cards:
            every_card_is_once(game, step, before, now)
            dealt = {game.card_text(c) for deck in sitting.history[-1].decks[-1:] for c in deck}
            assert dealt <= now.keys(), f"not in the state: {dealt - now.keys()}"
        elif game.opening not in map(type, step.events):
            spent = before - now
            assert not now - before  # nothing appears from nowhere
            assert spent.total() <= 1
            assert all(step.move.startswith(card) for card in spent)
        before = now


def every_card_is_once(
    game: AnyGame, step: Step[Any], before: Counter[str], now: Counter[str]
) -> None:
    assert now, "the state holds no card"
    twice = [card for card, times in now.items() if times > 1]
    assert twice == [], f"{step.move}: these cards lie in two places"
    if game.opening not in map(type, step.events):
        assert sorted(before - now) == [], f"{step.move}: these cards are lost"
        assert sorted(now - before) == [], f"{step.move}: these cards came from nowhere"


def comes_back(value: Any, decode: Callable[[bytes], Any]) -> None:
    data = encoded(value)
    assert differences(decode(data), value) == []
    assert decode(data) == value
    assert encoded(decode(data)) == data


@every_game_and_a_fifth
@examples(10)
@given(data=st.data())
def test_states_events_and_views_come_back_from_their_bytes(game, data):
    decode_view = msgspec.json.Decoder(game.view_type).decode
    for sitting, step in positions(game, data, 60):
        comes_back(step.state, game.decode_state)
        comes_back(step.events, game.decode_events)
        comes_back(sitting.options, game.decode_options)
        for seat in (*range(len(sitting.setups)), None):
            comes_back(game.view(step.state, seat), decode_view)
            for event in step.events:
                seen = event.seen_by(seat)
                assert type(seen) is type(event)
                assert differences(seen.seen_by(seat), seen) == []


@every_game_and_a_fifth
def test_no_field_of_an_event_is_one_of_its_envelope(game):
    events: tuple[type[Event], ...] = get_args(game.events) or (game.events,)
    taken = {
        f"{event.__name__}.{name}"
        for event in events
        for name in event.__struct_encode_fields__
        if name in ENVELOPE
    }
    assert taken == set(), f"an event may not have a field named {', '.join(sorted(ENVELOPE))}"


@every_game_and_a_fifth
@examples(10)
@given(data=st.data())
def test_a_round_begins_with_its_opening(game, data):
    for _, step in positions(game, data, 400):
        opened = [type(event) for event in step.events].count(game.opening)
        begins = step.move == "" or (step.scores is not None and game.outcome(step.state) is None)
        assert opened == begins
