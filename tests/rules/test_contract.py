"""What every game of the catalogue promises (games/rules/game.py); no game is named here.

A game added to the catalogue is tested by being there. Its secrets, re-deals and bots: the files
beside this one.
"""

import re
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from games.rules import catalog
from games.rules.cards import CARD
from games.rules.errors import IllegalMove, MalformedMove, MoveRefused, NotYourTurn
from games.rules.game import AnyGame
from games.rules.values import Step
from tests.rules.differences import differences
from tests.rules.playing import (
    encoded,
    every_game_and_a_fifth,
    examples,
    numbers,
    options_of,
    positions,
    scratch,
    setups,
    somewhere,
)


@every_game_and_a_fifth
@examples(10)
@given(data=st.data())
def test_moves_are_there_exactly_for_who_is_to_act(game, data):
    for sitting, _ in positions(game, data, 80):
        state = sitting.state
        to_act = game.to_act(state)
        assert list(to_act) == sorted(set(to_act)), "to_act is not ascending"
        assert (game.outcome(state) is not None) == (to_act == ())
        for seat in range(len(sitting.setups)):
            legal = game.legal_moves(state, seat)
            assert bool(legal) == (seat in to_act)
            assert len(set(legal)) == len(legal)
            view = game.view(state, seat)
            assert (view.seat, view.to_act, view.legal_moves) == (seat, to_act, legal)
            assert type(view) is game.view_type
        spectator = game.view(state, None)
        assert (spectator.seat, spectator.to_act, spectator.legal_moves) == (None, to_act, ())


@every_game_and_a_fifth
@examples(10)
@given(data=st.data())
def test_every_listed_move_is_accepted_in_its_own_spelling(game, data):
    for sitting, _ in positions(game, data, 25):
        for seat in game.to_act(sitting.state):
            for move in game.legal_moves(sitting.state, seat):
                before = game.decode_state(encoded(sitting.state))
                step = game.play(sitting.state, seat, move, scratch())
                assert step.move == move
                assert differences(sitting.state, before) == []  # play leaves its argument equal


WORDS = ("", "resign", "ready", "stand", "draw", "pass", "end", "flip", "pickup", "blind 0", "swap")
CODES = tuple(CARD)


def texts(legal: tuple[str, ...]) -> st.SearchStrategy[str]:
    """Anything at all, and what is nearly a move."""
    cards = st.lists(st.sampled_from(CODES), min_size=1, max_size=4).map(" ".join)
    word = st.sampled_from(WORDS)
    near = st.sampled_from(legal or ("7H",))
    cut = near.flatmap(lambda move: st.integers(0, len(move)).map(lambda at: move[:at]))
    longer = st.tuples(near, st.text(max_size=3)).map("".join)
    turned = near.flatmap(lambda move: st.permutations(move.split(" "))).map(" ".join)
    return st.one_of(
        st.text(max_size=12), word, cards, cut, longer, turned, st.tuples(word, cards).map(" ".join)
    )


def answered(game: AnyGame, state: Any, seat: int, move: str) -> Step | MoveRefused:
    try:
        return game.play(state, seat, move, scratch())
    except MoveRefused as refusal:
        return refusal


def shape(move: str) -> list[str]:
    """What equivalent moves have in common: their words and the ranks of their cards."""
    return sorted(part[0] if part in CARD else part for part in move.split(" "))


@every_game_and_a_fifth
@examples(80)
@given(data=st.data())
def test_nothing_else_is_accepted(game, data):
    sitting = somewhere(game, data)
    state, before = sitting.state, encoded(sitting.state)
    seat = data.draw(st.integers(-2, 20) | st.sampled_from(game.to_act(state) or (0,)))
    legal = game.legal_moves(state, seat) if 0 <= seat < len(sitting.setups) else ()
    move = data.draw(texts(legal))
    answer = answered(game, state, seat, move)
    assert encoded(state) == before
    if isinstance(answer, Step):
        assert shape(answer.move) in [shape(one) for one in legal]
        assert game.play(state, seat, answer.move, scratch()).move == answer.move
    else:
        assert type(answer) in (MalformedMove, NotYourTurn, IllegalMove)
        assert str(answer).endswith((".", "?", "!"))
        assert re.fullmatch(r"[a-z]+(_[a-z]+)*", answer.reason)
        assert move not in legal


@every_game_and_a_fifth
def test_presets_and_options_are_what_they_say(game):
    schema = msgspec.json.schema(game.options)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    for name, options in {"the defaults": game.options(), **game.presets}.items():
        validator.validate(msgspec.to_builtins(options))
        assert game.choose_options(msgspec.to_builtins(options)) == options, name
        assert game.min_seats <= game.seats(options) <= game.max_seats
    for name, options in game.presets.items():
        assert game.choose_options(preset=name) == options
    described = schema["$defs"][game.options.__name__]["properties"]
    assert [name for name, one in described.items() if not one.get("description")] == []


@every_game_and_a_fifth
@examples(20)
@given(data=st.data())
def test_any_options_seat_their_sides(game, data):
    options = data.draw(options_of(game))
    seats = [seat for side in game.sides_of(options) for seat in side]
    assert sorted(seats) == list(range(game.seats(options)))
    assert game.min_seats <= len(seats) <= game.max_seats
    for setup in setups(game, options):
        assert game.complete_setup(options, setup) == setup


@given(number=numbers)
@example(number=0)
@examples(5)
def test_slugs_find_their_game(number):
    for game in catalog.GAMES:
        assert catalog.find(game.slug) is game
    with pytest.raises(KeyError):
        catalog.find(f"no-such-game-{number}")
