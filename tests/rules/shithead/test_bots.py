"""The strategies: what each is known for, and that stronger ones win."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.rules.shithead import GAME as SHITHEAD
from cardroom.rules.shithead.bots import searcher
from cardroom.rules.shithead.bots.simple import PATIENCE
from cardroom.rules.shithead.bots.world import PLACE, counts_of, empty_world, holds_most
from cardroom.rules.shithead.events import Dealt, Drew, PickedUp, Played
from cardroom.rules.shuffles import seeded
from tests.rules.playing import examples
from tests.rules.shithead.scene import exchanging, position, setups
from tests.rules.shithead.test_playouts import possible, some_options
from tests.rules.shithead.world import sampled_behind

CHEAP = 8


def choice(slug, state, seat=0, events=()):
    view = SHITHEAD.view(state, seat)
    move = SHITHEAD.bot(slug).choose(view, events, Random(1))
    assert move in view.legal_moves
    return move


def sheds(slugs, seed, **options):
    """Plays a match of bots and gives the shed of its only game."""
    rng = Random(seed)
    shuffle = seeded(rng)
    chosen = SHITHEAD.choose_options({"players": len(slugs), **options})
    step = SHITHEAD.start(chosen, setups(len(slugs)), shuffle)
    seen = [[event.seen_by(seat) for event in step.events] for seat in range(len(slugs))]
    while seats := SHITHEAD.to_act(step.state):
        seat = seats[0]
        bot = SHITHEAD.bot(slugs[seat])
        events = SHITHEAD.recent_events(seen[seat], bot.remembers)
        view = SHITHEAD.view(step.state, seat)
        move = bot.choose(view, events, rng)
        assert move in view.legal_moves
        step = SHITHEAD.play(step.state, seat, move, shuffle)
        for viewer, events in enumerate(seen):
            events += [event.seen_by(viewer) for event in step.events]
    return step.state.last_shed


def test_lowest_plays_all_cards_of_its_lowest_rank():
    assert choice("lowest", position(["8C 5C 5D", "4C"], pile="4D")) == "5C 5D"
    assert choice("lowest", position(["8C 5C 2C 2D", "4C"], pile="6D")) == "2C 2D"
    assert choice("lowest", position(["5C", "4C"], ["5D 9C"], pile="4D")) == "5C 5D"
    assert choice("lowest", position(["5C", "4C"], pile="6D")) == "pickup"
    assert choice("lowest", position(["7C", "4C"], pile="6D", pickup="voluntary")) == "7C"
    assert choice("lowest", exchanging(position(["5C", "4C"], ["AC"]))) == "ready"


def test_a_beginner_improves_its_tops_once_or_twice_and_is_ready():
    bot, swaps = SHITHEAD.bot("beginner"), []
    for seed in range(200):
        rng, shuffle, made = Random(seed), seeded(Random(seed)), 0
        state = SHITHEAD.start(SHITHEAD.options(), setups(2), shuffle).state
        while not state.ready[0]:
            move = bot.choose(SHITHEAD.view(state, 0), (), rng)
            made += move != "ready"
            state = SHITHEAD.play(state, 0, move, shuffle).state
        swaps.append(made)
    assert max(swaps) <= 9
    assert 0.5 < sum(swaps) / len(swaps) < 2


def test_a_beginner_mostly_plays_low_and_never_takes_the_pile_at_will():
    view = SHITHEAD.view(position(["5C 5D 2C", "4C"], pile="4D", pickup="voluntary"), 0)
    bot = SHITHEAD.bot("beginner")
    played = [bot.choose(view, (), Random(seed)) for seed in range(300)]
    assert set(played) == {"5C", "5C 5D", "2C"}
    assert played.count("2C") < 50


def test_keeper_keeps_wild_cards_and_plays_low_ones_first():
    assert choice("keeper", position(["2C 3C TD X1 8C 8D", "4C"], pile="4D")) == "8C 8D"
    assert choice("keeper", position(["2C TD X1", "4C"], pile="4D")) == "2C"
    assert choice("keeper", position(["KC KD AC", "4C"], pile="4D")) == "KC"


def test_keeper_completes_fours():
    assert choice("keeper", position(["5C 9C 9D", "4C"], pile="4D 9H 9S")) == "9C 9D"
    assert choice("keeper", position(["5C 2D", "4C"], pile="2C 2H 2S")) == "2D"
    through = position(["5C 9C 9D", "4C"], pile="9H 9S 3C", burn_through_threes=True)
    assert choice("keeper", through) == "9C 9D"


def test_keeper_lays_its_best_cards_open():  # shithead R5
    state = exchanging(position(["5C TC", "4C"], ["KC 6D"]))
    assert choice("keeper", state) == "swap TC 6D"
    state = SHITHEAD.play(state, 0, "swap TC 6D", seeded(Random(0))).state
    assert choice("keeper", state) == "ready"


def test_searcher_finds_the_play_that_leaves_no_answer():
    """The other holds two nines: on an eight they go at once, on the ace they cannot."""
    assert choice("searcher", position(["8C AC", "9C 9D"], pile="6D")) == "AC"


def test_searcher_goes_out_while_it_can():
    """The other holds a ten and a five: a single nine is burned, and the five goes out."""
    assert choice("searcher", position(["9C 9D", "TC 5C"], pile="6D")) == "9C 9D"


def test_searcher_reckons_with_the_cards_it_saw_picked_up():
    """Seat 1 took a nine off the pile; forgetting that, it may as well hold other cards."""
    state = position(["8C AC", "9C 4C"], hidden=["5D", "6C"], pile="6D")
    told = [Played(0, ("9C",), "hand"), PickedUp(1, 1)]
    remembering, forgetful = (held("9", state, events) for events in (told, ()))
    assert set(remembering) == {1}
    assert set(forgetful) == {0, 1}


def test_who_picks_up_holds_nothing_that_could_be_played():  # shithead R8
    """Seat 1 picked up a king: it holds no ace and no wild card, but for the king picked up."""
    state = position(["8C 5C", "4C KC"], hidden=["5D 7D 9D", "6C 2C AC"], pile="6D")
    told = [Dealt(1, ("9S",), None), Played(0, ("KC",), "hand"), PickedUp(1, 1)]
    assert set(held("A", state, told)) == set(held("2", state, told)) == {0}
    assert set(held("A", state, ())) == {0, 1}


def test_who_plays_a_high_card_hardly_holds_lower_ones():
    state = position(["8C 5C", "4C"], hidden=["5D 7D 9D", "6C 2C AC"], pile="6D QC")
    told = [Dealt(1, ("9S", "JS"), None)]
    told += [Played(0, ("6D",), "hand"), Played(1, ("QC",), "hand")]
    assert sum(held("9", state, told)) < sum(held("9", state, ()))


def test_what_is_known_of_a_hand_outlives_a_draw():  # shithead R16
    """Seat 1 picked up a king with two unknown cards: one is played, and one drawn since."""
    state = position(["8C 5C", "4C 9C KC"], hidden=["5D 7D 9D", "6C 2C AC"], pile="6D")
    told = [Dealt(1, ("JS", "JD"), None), Played(0, ("KC",), "hand"), PickedUp(1, 1)]
    assert max(held("A", state, told)) == 0
    aces = held("A", state, [*told, Played(1, ("4D",), "hand"), Drew(1, 3, None)])
    assert max(aces) == 1
    assert sum(aces) < sum(held("A", state, ()))


def test_a_card_that_only_the_drawn_one_could_be_was_the_drawn_one():  # shithead R8, R16
    """Seat 1 holds no ace, draws, and plays an ace: both other cards are the old ones."""
    state = position(["8C 5C", "4C 9C KC"], hidden=["5D 7D 9D", "6C 2C AC"], pile="6D")
    told = [Dealt(1, ("JS", "JD"), None), Played(0, ("KC",), "hand"), PickedUp(1, 1)]
    told += [Drew(1, 3, None), Played(1, ("AS",), "hand")]
    assert max(held("2", state, told)) == 0
    assert max(held("2", state, [*told[:-1], Played(1, ("4D",), "hand")])) == 1


def held(rank, state, events):
    """How many cards of a rank seat 1 holds, in many sampled worlds."""
    worlds = [sampled_behind(state, events, Random(seed)) for seed in range(200)]
    return [world.hands[1] >> 4 * PLACE[rank] & 15 for world in worlds]


def test_searcher_ends_its_exchange():  # shithead R5
    """It swaps towards one layout and is ready, in no more swaps than it has cards."""
    bot = SHITHEAD.bot("searcher:playouts=30")
    for seed in range(6):
        shuffle = seeded(Random(seed))
        step = SHITHEAD.start(SHITHEAD.choose_options({"players": 3}), setups(3), shuffle)
        told = [event.seen_by(0) for event in step.events]
        for _ in range(8):
            move = bot.choose(SHITHEAD.view(step.state, 0), told, Random(seed))
            step = SHITHEAD.play(step.state, 0, move, shuffle)
            told += step.events
            if move == "ready":
                break
        assert step.state.ready[0]


def after(turns):
    """A position with several choices, so many turns into a game without a limit."""
    return position(["4C 7C KC X1", "4D 7D KD"], pile="6C", turns=turns, max_turns=None)


@pytest.mark.parametrize("slug", ["lowest", "beginner", "keeper", "searcher"])
def test_bots_do_not_go_in_circles_for_ever(slug):
    view = SHITHEAD.view(after(PATIENCE), 0)
    early = SHITHEAD.view(after(PATIENCE - 1), 0)
    bot = SHITHEAD.bot(slug)
    usual = {bot.choose(early, (), Random(seed)) for seed in range(3)}
    assert len(usual) < len(early.legal_moves)
    assert {bot.choose(view, (), Random(seed)) for seed in range(60)} > usual


def test_a_match_of_bots_ends_without_a_limit():
    """In this game two keepers hand each other the same cards for ever when nobody breaks out."""
    assert len(sheds(["keeper", "keeper"], 18, max_turns=None)) == 1


def test_a_playout_without_end_is_judged_by_the_cards_left():  # shithead R19
    world = empty_world(SHITHEAD.choose_options({"players": 3}))
    world.hands[:2] = [counts_of(["4C"]), counts_of(["4D", "5D"])]
    world.tops[0], world.places[2] = counts_of(["KC"]), 1
    assert [holds_most(world, seat) for seat in range(3)] == [True, True, False]
    world.hidden[1] = 1
    assert [holds_most(world, seat) for seat in range(3)] == [False, True, False]


def test_searcher_asks_only_where_there_is_a_choice(monkeypatch):
    monkeypatch.setattr(searcher, "best", None)
    assert choice("searcher", position(["4C", "4D"], pile="6D")) == "pickup"
    assert choice("searcher", position(["", "4D"], hidden=["4C 5C"])) == "blind 0"


@examples(40)
@given(options=some_options, seed=st.integers(0, 2**32), data=st.data())
def test_every_bot_plays_legal_moves_under_every_option(options, seed, data):
    values = {name: getattr(options, name) for name in options.__struct_fields__}
    values = values | {"max_turns": 60, "games": 1}
    names = st.sampled_from(["lowest", "beginner", "keeper"])
    players = possible(values).players
    slugs = data.draw(st.lists(names, min_size=players, max_size=players))
    values["players"] = players
    assert sheds(slugs, seed, **values)


@pytest.mark.parametrize("options", [{}, {"players": 3}, {"pickup": "voluntary"}])
def test_searcher_plays_legal_moves(options):
    slugs = [f"searcher:playouts={CHEAP}"] * options.pop("players", 2)
    assert sheds(slugs, 5, max_turns=120, **options)


def test_keeper_beats_lowest():
    """Seeded, so it cannot fail by chance: the shed in at most 35 % of the games."""
    lost = sum(
        sheds(slugs, seed) == (slugs.index("keeper"),)
        for seed in range(30)
        for slugs in (["keeper", "lowest"], ["lowest", "keeper"])
    )
    assert lost <= 21


def test_the_stand_in_is_a_bot_that_needs_no_memory():
    assert SHITHEAD.bot(SHITHEAD.stand_in).remembers == "nothing"
    slugs = [bot.slug for bot in SHITHEAD.bots]
    assert slugs == ["lowest", "beginner", "keeper", "searcher", "strong_searcher", "random"]
