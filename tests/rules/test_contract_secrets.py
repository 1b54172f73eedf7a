"""What no seat may be told, in any game of the catalogue: by views, events or words."""

import re
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from games.rules.cards import CARD, pretty
from games.rules.shuffles import seeded
from games.rules.values import Event
from tests.rules.playing import (
    NAMES,
    encoded,
    every_game_and_a_fifth,
    examples,
    numbers,
    positions,
    scratch,
    somewhere,
)


@every_game_and_a_fifth
@examples(25)
@given(data=st.data())
def test_who_cannot_see_a_difference_is_told_none(game, data):
    sitting = somewhere(game, data)
    seat = data.draw(st.sampled_from(range(len(sitting.setups))))
    shuffle = seeded(Random(data.draw(numbers)))
    twin = game.redeal(sitting.state, tuple(sitting.history), frozenset({seat}), shuffle).state
    assert game.view(twin, seat) == game.view(sitting.state, seat)
    assert game.view(twin, None) == game.view(sitting.state, None)
    assert game.to_act(twin) == game.to_act(sitting.state)
    for actor in game.to_act(sitting.state):
        both = set(game.legal_moves(sitting.state, actor)) & set(game.legal_moves(twin, actor))
        for move in sorted(both)[:3]:
            one = game.play(sitting.state, actor, move, scratch())
            other = game.play(twin, actor, move, scratch())
            _assert_told_alike(one.events, other.events, seat)


def _assert_told_alike(ours: tuple[Event, ...], theirs: tuple[Event, ...], seat: int) -> None:
    """Alike up to what the move turned up; only what the seat sees whole may turn anything up."""
    for one, other in zip(ours, theirs, strict=False):
        if one.seen_by(seat) != other.seen_by(seat):
            assert one.seen_by(seat) == one, "a redacted event tells what it should hide"
            return


def hidden_words(event: Event, seen: Event) -> set[str]:
    """The cards, as code and as people write them, that the event has and ``seen`` has not."""
    codes, told = (set(re.findall(r'"(\w{2,5})"', encoded(e).decode())) for e in (event, seen))
    hidden = codes - told
    return hidden | {pretty(code) for code in hidden if code in CARD}


@every_game_and_a_fifth
@examples(10)
@given(data=st.data())
def test_everything_has_its_words_and_they_tell_no_secret(game, data):
    for sitting, step in positions(game, data, 80):
        for seat in (*range(len(sitting.setups)), None):
            for event in step.events:
                seen = event.seen_by(seat)
                sentence = str(game.sentence(seen, NAMES))
                assert sentence.strip()
                told = set(re.findall(r"[\w♣♦♥♠]+", sentence))
                assert not told & hidden_words(event, seen)
        for seat in game.to_act(step.state):
            for move in game.legal_moves(step.state, seat):
                assert str(game.label(move)).strip()
                assert str(game.label(game.public_move(move))).strip()
