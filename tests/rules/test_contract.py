"""What every game of the catalogue promises (games/rules/base.py); no game is named here.

A game added to the catalogue is tested by being there.
"""

import re
from collections import Counter
from collections.abc import Iterator
from random import Random
from time import process_time
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from games.rules import catalog
from games.rules.base import (
    AnyGame,
    Event,
    IllegalMove,
    MalformedMove,
    MoveRefused,
    NotYourTurn,
    Step,
)
from games.rules.cards import CARD, pretty
from games.rules.shuffles import Stacked, seeded
from tests.rules.playing import NAMES, Sitting, options_of, setups

every_game = pytest.mark.parametrize("game", catalog.GAMES, ids=lambda game: game.slug)
numbers = st.integers(0, 2**32)


def examples(count: int) -> settings:
    slow = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
    return settings(max_examples=count, deadline=None, derandomize=True, suppress_health_check=slow)


def positions(game: AnyGame, data: st.DataObject, plies: int) -> Iterator[tuple[Sitting, Step]]:
    """The positions of one random match under any options, from the start on."""
    sitting = Sitting.begun(game, data.draw(options_of(game)), data.draw(numbers))
    yield sitting, sitting.last
    for step in sitting.plies(Random(data.draw(numbers)), plies):
        yield sitting, step


def somewhere(game: AnyGame, data: st.DataObject, plies: int = 60) -> Sitting:
    """One position of a random match under any options."""
    sitting = Sitting.begun(game, data.draw(options_of(game)), data.draw(numbers))
    return sitting.play_on(Random(data.draw(numbers)), data.draw(st.integers(0, plies)))


def encoded(value: Any) -> bytes:
    return msgspec.json.encode(value)


def scratch() -> Any:
    return seeded(Random(1))


@every_game
@examples(10)
@given(data=st.data())
def test_moves_are_there_exactly_for_who_is_to_act(game, data):
    for sitting, _ in positions(game, data, 80):
        state = sitting.state
        to_act = game.to_act(state)
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


@every_game
@examples(10)
@given(data=st.data())
def test_every_listed_move_is_accepted_in_its_own_spelling(game, data):
    for sitting, _ in positions(game, data, 25):
        for seat in game.to_act(sitting.state):
            for move in game.legal_moves(sitting.state, seat):
                before = encoded(sitting.state)
                step = game.play(sitting.state, seat, move, scratch())
                assert step.move == move
                assert encoded(sitting.state) == before  # play leaves its argument equal


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


@every_game
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


@every_game
def test_malformed_comes_before_turn_and_nothing_can_be_played_after_the_end(game):
    sitting = Sitting.begun(game, game.options()).play_on(Random(3))
    assert game.outcome(sitting.state) is not None
    _, last = sitting.rounds[-1]["moves"][-1].split(" ", 1)
    for seat in range(len(sitting.setups)):
        with pytest.raises(MalformedMove):
            game.play(sitting.state, seat, "no such move", scratch())
        with pytest.raises(NotYourTurn):
            game.play(sitting.state, seat, last, scratch())


def counted(game: AnyGame, cards: Any) -> Counter[str]:
    return Counter(game.card_text(card) for card in cards)


@every_game
@examples(15)
@given(data=st.data())
def test_cards_are_conserved_after_every_ply(game, data):
    before: Counter[str] = Counter()
    for sitting, step in positions(game, data, 150):
        now = counted(game, game.cards(step.state))
        happened = sitting.history[-1]
        opened = game.opening in map(type, step.events)
        if game.unlike_cards:
            assert set(now.values()) == {1}
            assert opened or now == before
            assert not happened.decks or set(now) >= {
                game.card_text(card) for card in happened.decks[-1]
            }
        elif not opened:
            spent = before - now
            assert not now - before  # nothing appears from nowhere
            assert spent.total() <= 1
            assert all(step.move.startswith(card) for card in spent)
        before = now


@every_game
@examples(10)
@given(data=st.data())
def test_states_and_events_come_back_from_their_bytes(game, data):
    for sitting, step in positions(game, data, 60):
        state, events = encoded(step.state), encoded(step.events)
        assert game.decode_state(state) == step.state
        assert encoded(game.decode_state(state)) == state
        assert game.decode_events(events) == step.events
        assert encoded(game.decode_events(events)) == events
        options = encoded(sitting.options)
        assert game.decode_options(options) == sitting.options
        for seat in (*range(len(sitting.setups)), None):
            view = encoded(game.view(step.state, seat))
            assert encoded(msgspec.json.decode(view, type=game.view_type)) == view
            for event in step.events:
                seen = event.seen_by(seat)
                assert type(seen) is type(event)
                assert seen.seen_by(seat) == seen


@every_game
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


@every_game
def test_the_default_match_and_every_preset_end(game):
    for number, options in enumerate([game.options(), *game.presets.values()]):
        sitting = Sitting.begun(game, options, number).play_on(Random(number), 200_000)
        outcome = game.outcome(sitting.state)
        assert outcome is not None
        assert game.to_act(sitting.state) == ()


@every_game
@examples(12)
@given(data=st.data())
def test_an_outcome_adds_up(game, data):
    sitting = Sitting.begun(game, data.draw(options_of(game)), data.draw(numbers))
    sitting.play_on(Random(data.draw(numbers)), 4000)
    outcome = game.outcome(sitting.state)
    if outcome is None:
        return
    points = [sum(column) for column in zip(*sitting.scores, strict=True)]
    assert list(outcome.points) == points  # record.md §2
    assert len(outcome.places) == len(sitting.setups)
    assert outcome.winners == tuple(s for s, place in enumerate(outcome.places) if place == 1)
    assert min(outcome.places) == 1
    for side in sitting.sides:
        assert len({outcome.places[seat] for seat in side}) == 1


@every_game
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


@every_game
@examples(20)
@given(data=st.data())
def test_any_options_seat_their_sides(game, data):
    options = data.draw(options_of(game))
    seats = [seat for side in game.sides_of(options) for seat in side]
    assert sorted(seats) == list(range(game.seats(options)))
    assert game.min_seats <= len(seats) <= game.max_seats
    for setup in setups(game, options):
        assert game.outfit(options, setup) == setup


def hidden_words(event: Event, seen: Event) -> set[str]:
    """The cards, as code and as people write them, that the event has and ``seen`` has not."""
    codes, told = (set(re.findall(r'"(\w{2,5})"', encoded(e).decode())) for e in (event, seen))
    hidden = codes - told
    return hidden | {pretty(code) for code in hidden if code in CARD}


@every_game
@examples(10)
@given(data=st.data())
def test_everything_has_its_words_and_they_tell_no_secret(game, data):
    for sitting, step in positions(game, data, 80):
        for seat in (*range(len(sitting.setups)), None):
            for event in step.events:
                seen = event.seen_by(seat)
                sentence = game.sentence(seen, NAMES)
                assert sentence.strip()
                told = set(re.findall(r"[\w♣♦♥♠]+", sentence))
                assert not told & hidden_words(event, seen)
        for seat in game.to_act(step.state):
            for move in game.legal_moves(step.state, seat):
                assert game.label(move).strip()
                assert game.label(game.public_move(move)).strip()


@every_game
@examples(10)
@given(data=st.data())
def test_a_round_begins_with_its_opening(game, data):
    for _, step in positions(game, data, 400):
        opened = [type(event) for event in step.events].count(game.opening)
        begins = step.move == "" or (step.scores is not None and game.outcome(step.state) is None)
        assert opened == begins


@every_game
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


@every_game
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


@every_game
@examples(15)
@given(data=st.data())
def test_after_a_re_deal_every_seat_remembers_the_cards_it_now_holds(game, data):
    first = somewhere(game, data)
    loader, other = data.draw(st.permutations(range(len(first.setups))))[:2]
    sitting = first.loaded(2, frozenset({loader}))
    rng = Random(data.draw(numbers))
    view = game.view(sitting.state, other)
    for remembers in ("round", "match"):
        world = game.imagine(view, rng, game.memory(sitting.seen_by(other), remembers))
        assert game.view(world, other) == view
    again = game.redeal(sitting.state, sitting.history, frozenset({other}), seeded(rng))
    assert game.view(again.state, other) == view


@every_game
@examples(10)
@given(data=st.data())
def test_decks_dealt_anew_at_the_start_deal_the_same_match(game, data):
    sitting = Sitting.begun(game, data.draw(options_of(game)), data.draw(numbers))
    shuffle = seeded(Random(data.draw(numbers)))
    redealt = game.redeal(sitting.state, tuple(sitting.history), frozenset({0}), shuffle)
    decks = [[game.card_text(card) for card in deck] for deck in redealt.decks]
    dealt = game.start(sitting.options, sitting.setups, Stacked(decks, game.card_text))
    assert dealt.state == redealt.state


@every_game
@examples(15)
@given(data=st.data())
def test_an_imagined_world_looks_the_same_and_plays_on(game, data):
    sitting = somewhere(game, data)
    for seat in game.to_act(sitting.state):
        view, rng = game.view(sitting.state, seat), Random(data.draw(numbers))
        for events in ((), game.memory(sitting.seen_by(seat), "match")):
            world = game.imagine(view, rng, events)
            assert game.view(world, seat) == view
            assert len(game.cards(world)) == len(game.cards(sitting.state))
            if game.unlike_cards:  # else a rival may have brought cards that no view tells
                assert counted(game, game.cards(world)) == counted(game, game.cards(sitting.state))
            for _ in range(30):
                if game.outcome(world) is None:
                    actor = rng.choice(game.to_act(world))
                    world = game.play(
                        world, actor, rng.choice(game.legal_moves(world, actor)), seeded(rng)
                    ).state


every_bot = pytest.mark.parametrize(
    ("game", "bot"),
    [(game, bot) for game in catalog.GAMES for bot in game.bots],
    ids=[f"{game.slug}-{bot.slug}" for game in catalog.GAMES for bot in game.bots],
)
THINKING_SECONDS = 0.4  # a slow bot finishes its match as the stand-in does


@every_bot
def test_every_bot_plays_by_the_rules_to_the_end(game, bot):
    for number, options in enumerate([game.options(), *game.presets.values()]):
        _play_against_random(game, bot, Sitting.begun(game, options, number), Random(number))


def _play_against_random(game: AnyGame, bot: Any, sitting: Sitting, rng: Random) -> None:
    stand_in, until = game.bot(game.stand_in), process_time() + THINKING_SECONDS
    while game.outcome(sitting.state) is None:
        seat = rng.choice(game.to_act(sitting.state))
        legal = game.legal_moves(sitting.state, seat)
        if seat != 0 or process_time() > until + THINKING_SECONDS:
            sitting.play(seat, rng.choice(legal))
            continue
        chosen = bot if process_time() < until else stand_in
        events = game.memory(sitting.seen_by(seat), chosen.remembers)
        view = game.view(sitting.state, seat)
        sitting.play(seat, chosen.choose(view, events, rng))


@every_game
def test_bots_are_named_apart_and_one_stands_in(game):
    slugs = [bot.slug for bot in game.bots]
    assert len(set(slugs)) == len(slugs)
    assert game.stand_in in slugs
    assert all(1 <= bot.level <= 5 and bot.summary and bot.name for bot in game.bots)
    assert all(bot.remembers in ("nothing", "round", "match") for bot in game.bots)


@given(number=numbers)
@example(number=0)
@examples(5)
def test_slugs_find_their_game(number):
    for game in catalog.GAMES:
        assert catalog.find(game.slug) is game
    with pytest.raises(KeyError):
        catalog.find(f"no-such-game-{number}")
