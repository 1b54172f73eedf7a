"""A world behind a view: every card somewhere, none set aside that was shown."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from cardroom.rules.cards import pack
from cardroom.rules.pyanitsa import GAME as PYANITSA
from cardroom.rules.pyanitsa.events import CardLaid
from cardroom.rules.shuffles import seeded
from tests.rules.playing import examples
from tests.rules.pyanitsa.playouts import house_rules, random_move, steps

seeds = st.integers(min_value=0, max_value=2**32)


@examples(40)
@given(house_rules(max_tricks=12), seeds)
def test_an_imagined_world_looks_the_same_and_plays_on(options, seed):
    rng = Random(seed)
    events = []
    for _, step in steps(options, Random(seed)):
        events.extend(step.events)
        seat = rng.randrange(options.players)
        view = PYANITSA.view(step.state, seat)
        seen = [event.seen_by(seat) for event in events]
        world = PYANITSA.imagine(view, rng, seen)
        assert PYANITSA.view(world, seat) == view
        assert sorted(PYANITSA.cards(world)) == sorted(pack(options.deck))
        shown = {event.card for event in seen if isinstance(event, CardLaid)}
        assert not shown & {PYANITSA.card_text(card) for card in world.aside}
        if acting := PYANITSA.to_act(world):
            PYANITSA.play(world, acting[0], random_move(world, acting[0], rng), seeded(rng))
