"""Worlds that fit what a seat knows, in any game: dealt again for a load, imagined by a bot."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from games.rules import catalog
from games.rules.shuffles import Stacked, seeded
from tests.rules.playing import (
    Sitting,
    counted,
    every_game_and_a_fifth,
    examples,
    numbers,
    options_of,
    over,
    somewhere,
)


@every_game_and_a_fifth
@examples(20)
@given(data=st.data())
def test_several_seats_know_what_one_of_them_knows(game, data):
    sitting = somewhere(game, data)
    seats = data.draw(st.sets(st.sampled_from(range(len(sitting.setups))), min_size=1, max_size=3))

    def unknown(who: frozenset[int]) -> dict[int, set[int]]:
        moved = game.redeal(sitting.state, tuple(sitting.history), who, list).moved
        assert [index for index, _ in moved] == sorted(index for index, _ in moved)
        assert all(list(at) == sorted(set(at)) and at for _, at in moved)
        return {index: set(at) for index, at in moved}

    each = [unknown(frozenset({seat})) for seat in seats]
    common = {
        index: set.intersection(*(one.get(index, set()) for one in each)) for index in each[0]
    }
    assert unknown(frozenset(seats)) == {index: at for index, at in common.items() if at}


@every_game_and_a_fifth
@examples(20)
@given(data=st.data())
def test_a_re_deal_needs_no_more_than_the_game_says(game, data):
    """The running round, or some last steps of it, as if the whole history were there."""
    sitting = somewhere(game, data, 600)
    history, state = tuple(sitting.history), sitting.state
    opened = next(at for at, step in enumerate(history) if step.round == history[-1].round)
    last = data.draw(st.integers(1, 300))
    first = max(opened, len(history) - last)
    steps = history[first:]
    enough = game.redeal_suffices(state, steps) if first > opened else game.deals_anew
    if sitting.outcome is not None or not enough:
        return
    seat = frozenset({data.draw(st.sampled_from(range(len(sitting.setups))))})
    shuffle = data.draw(numbers)
    whole = game.redeal(state, history, seat, seeded(Random(shuffle)))
    part = game.redeal(state, steps, seat, seeded(Random(shuffle)))
    before = sum(len(step.decks) for step in history[:first])
    assert part.state == whole.state
    assert tuple((before + deck, at) for deck, at in part.moved) == whole.moved
    assert [*history[:first], *part.history(steps)] == whole.history(history)


@every_game_and_a_fifth
@examples(15)
@given(data=st.data())
def test_a_re_deal_changes_nothing_that_is_known_and_plays_on(game, data):
    sitting = somewhere(game, data)
    seat = data.draw(st.sampled_from(range(len(sitting.setups))))
    again = game.redeal(sitting.state, tuple(sitting.history), frozenset({seat}), list)
    assert again.state == sitting.state  # laid back as they were taken
    assert again.history(sitting.history) == sitting.history
    shuffle = seeded(Random(data.draw(numbers)))
    redealt = game.redeal(sitting.state, tuple(sitting.history), frozenset({seat}), shuffle)
    assert counted(game, game.cards(redealt.state)) == counted(game, game.cards(sitting.state))
    seen = sitting.seen_by(seat)
    sitting.state, sitting.history = redealt.state, redealt.history(sitting.history)
    assert sitting.seen_by(seat) == seen
    sitting.play_on(Random(data.draw(numbers)), 40)


@every_game_and_a_fifth
@examples(15)
@given(data=st.data())
def test_after_a_re_deal_every_seat_remembers_the_cards_it_now_holds(game, data):
    first = somewhere(game, data)
    loader, other = data.draw(st.permutations(range(len(first.setups))))[:2]
    sitting = first.loaded(2, frozenset({loader}))
    rng = Random(data.draw(numbers))
    view = game.view(sitting.state, other)
    for remembers in ("round", "match") if game.imagine else ():
        world = game.imagine(view, rng, game.recent_events(sitting.seen_by(other), remembers))
        assert game.view(world, other) == view
    again = game.redeal(sitting.state, sitting.history, frozenset({other}), seeded(rng))
    assert game.view(again.state, other) == view


@every_game_and_a_fifth
@examples(10)
@given(data=st.data())
def test_decks_dealt_anew_at_the_start_deal_the_same_match(game, data):
    sitting = Sitting.begun(game, data.draw(options_of(game)), data.draw(numbers))
    shuffle = seeded(Random(data.draw(numbers)))
    redealt = game.redeal(sitting.state, tuple(sitting.history), frozenset({0}), shuffle)
    decks = [[game.card_text(card) for card in deck] for deck in redealt.decks]
    dealt = game.start(sitting.options, sitting.setups, Stacked(decks, game.card_text))
    assert dealt.state == redealt.state


@over(*(game for game in catalog.GAMES if game.imagine))
@examples(15)
@given(data=st.data())
def test_an_imagined_world_looks_the_same_and_plays_on(game, data):
    sitting = somewhere(game, data)
    for seat in game.to_act(sitting.state):
        view, rng = game.view(sitting.state, seat), Random(data.draw(numbers))
        for events in ((), game.recent_events(sitting.seen_by(seat), "match")):
            world = game.imagine(view, rng, events)
            assert game.view(world, seat) == view
            assert len(game.cards(world)) == len(game.cards(sitting.state))
            if game.distinct_cards:  # else a rival may have brought cards that no view tells
                assert counted(game, game.cards(world)) == counted(game, game.cards(sitting.state))
            for _ in range(30):
                if game.outcome(world) is None:
                    actor = rng.choice(game.to_act(world))
                    world = game.play(
                        world, actor, rng.choice(game.legal_moves(world, actor)), seeded(rng)
                    ).state
