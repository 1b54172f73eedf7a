"""Every match of every game ends, with any number of seats and any options, and adds up."""

from random import Random

import pytest
from hypothesis import Phase, given
from hypothesis import strategies as st

from games.rules.errors import MalformedMove, NotYourTurn
from games.rules.game import AnyGame
from games.rules.values import Options
from tests.rules.playing import (
    Sitting,
    every_game_and_a_fifth,
    examples,
    numbers,
    options_of,
    scratch,
)

MOST_PLIES = 200_000


def played_out(game: AnyGame, options: Options, number: int) -> Sitting:
    """A random match by this seed; fails when it does not end."""
    sitting = Sitting.begun(game, options, number).play_on(Random(number), MOST_PLIES)
    assert game.outcome(sitting.state) is not None, (
        f"{game.name} with {options} and seed {number} is not over after {MOST_PLIES} plies"
    )
    assert game.to_act(sitting.state) == ()
    return sitting


@every_game_and_a_fifth
def test_the_default_match_and_every_preset_end(game):
    for number, options in enumerate([game.options(), *game.presets.values()]):
        played_out(game, options, number)


@every_game_and_a_fifth
@examples(3, Phase.generate)  # a match without an end takes long, too long to look for a simple one
@given(data=st.data())
def test_a_match_of_any_number_of_seats_ends(game, data):
    few = range(game.min_seats, min(game.max_seats, 6) + 1)
    more = data.draw(st.integers(game.min_seats, game.max_seats))
    for seats in sorted({*few, more, game.max_seats}):
        options = data.draw(options_of(game, players=seats))
        played_out(game, options, data.draw(numbers))


@every_game_and_a_fifth
@examples(12)
@given(data=st.data())
def test_an_outcome_adds_up(game, data):
    sitting = Sitting.begun(game, data.draw(options_of(game)), data.draw(numbers))
    sitting.play_on(Random(data.draw(numbers)), 4000)
    outcome = game.outcome(sitting.state)
    if outcome is None:
        return
    points = [sum(column) for column in zip(*sitting.scores, strict=True)]
    assert list(outcome.points) == points  # FORMAT.md §2
    assert len(outcome.places) == len(sitting.setups)
    assert outcome.winners == tuple(s for s, place in enumerate(outcome.places) if place == 1)
    assert min(outcome.places) == 1
    for side in sitting.sides:
        assert len({outcome.places[seat] for seat in side}) == 1


@every_game_and_a_fifth
def test_malformed_comes_before_turn_and_nothing_can_be_played_after_the_end(game):
    sitting = played_out(game, game.options(), 3)
    _, last = sitting.rounds[-1]["moves"][-1].split(" ", 1)
    for seat in range(len(sitting.setups)):
        with pytest.raises(MalformedMove):
            game.play(sitting.state, seat, "no such move", scratch())
        with pytest.raises(NotYourTurn):
            game.play(sitting.state, seat, last, scratch())
