"""The strategies: what each is known for, and that stronger ones win."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.rules import search
from cardroom.rules.shithead import GAME as SHITHEAD
from cardroom.rules.shithead.bots import searcher
from cardroom.rules.shithead.bots.belief import believed
from cardroom.rules.shithead.bots.layouts import Exchange, begin, led_to, missing
from cardroom.rules.shithead.bots.playouts import (
    BY_KEEPERS,
    CUNNINGLY,
    LONGEST,
    WAITING,
    WEARYING,
    cunning_turn,
    cunning_worth,
    network_of,
    play_cunningly,
    play_on,
    worth_of,
)
from cardroom.rules.shithead.bots.simple import PATIENCE, keepers_turn
from cardroom.rules.shithead.bots.world import (
    MOST,
    PICK_UP,
    PLACE,
    ShitheadWorld,
    counts_of,
    empty_world,
    holds_most,
    make,
)
from cardroom.rules.shithead.bots.world import choice as world_choice
from cardroom.rules.shithead.events import Dealt, Drew, Exchanged, PickedUp, Played
from cardroom.rules.shuffles import seeded
from tests.rules.playing import examples
from tests.rules.shithead.scene import exchanging, position, setups
from tests.rules.shithead.test_world import possible, some_options
from tests.rules.shithead.world import choices, sampled, sampled_behind, world_of

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


# Considerations that ``strong_searcher`` has and ``searcher`` has not.

SEEDS = range(200)


def aces_held(events, **told):
    """How many aces seat 1 holds, in all worlds; nobody can place four of them."""
    state = position(["8C 5C", "4C 4D"], ["9C 9D", "QC KC"], hidden=["5D AC AD", "6C AH AS"])
    known = believed(SHITHEAD.view(state, 0), events, **told)
    worlds = [sampled(known, Random(seed)) for seed in SEEDS]
    return sum(world.hands[1] >> 4 * PLACE["A"] & 15 for world in worlds)


def dealt(to_top, to_hand):
    return [Dealt(1, ("5D", "KC"), None), Exchanged(1, to_top, to_hand)]


def test_a_seat_that_laid_its_best_cards_open_hardly_kept_better_ones():
    """The searcher and the coach judge without this."""
    best, told = dealt("QC", "5D"), {"exchanges": True}
    assert aces_held(best, **told) < aces_held(best) / 3
    assert aces_held([], **told) == aces_held([])


def test_an_exchange_of_another_kind_tells_nothing():
    """A ten that was taken into the hand is better than the queen that lies open."""
    odd = [Dealt(1, ("TD", "KC"), None), Exchanged(1, "QC", "TD")]
    assert aces_held(odd, exchanges=True) == aces_held(odd)


def test_an_exchange_goes_on_to_where_its_swaps_led():
    tops, aim, other = (counts_of(text.split()) for text in ("5C 6C", "AC 6C", "5C KC"))
    swap = Exchanged(0, "AC", "5C")
    assert led_to([aim, other], aim, [swap, Exchanged(1, "KC", "6C")], 0) == [aim]
    assert led_to([aim, other], tops, [], 0) == [aim, other]
    assert missing(aim, tops) == 1


# The cunning own seat in the playouts of ``strong_searcher``.

GAMES = 300


def cunning_dealt(number, players=2, **options):
    """The world of seat 0 after the exchange of keepers; each seat begins in turn."""
    chosen = SHITHEAD.choose_options(options | {"players": players, "exchange": False})
    state = SHITHEAD.start(chosen, setups(players), seeded(Random(number))).state
    world = world_of(state)
    begin(
        world, Exchange([], [], [0] * players, number % players, BY_KEEPERS, [], [], network_of())
    )
    return world


def played_cunningly(world, most):
    play_cunningly(Random(1), world, most, [0] * MOST)


def won(play, number):
    world = cunning_dealt(number)
    play(world, LONGEST)
    return world.places[0] == 1


def text(world):
    return [getattr(world, name) for name in ShitheadWorld.FIELDS]


def cunning_after(world, chosen):
    twin = world.copy()
    make(twin, chosen)
    return text(twin)


def test_a_cunning_seat_beats_keepers_far_more_often_than_a_keeper_does():
    keeper, cunning = (
        sum(won(play, number) for number in range(GAMES)) / GAMES
        for play in (play_on, played_cunningly)
    )
    assert keeper < 0.6
    assert cunning > keeper + 0.1


def test_a_cunning_turn_is_a_legal_one():
    for number in range(20):
        world = cunning_dealt(number, joker_top=("high", "transparent", "reset")[number % 3])
        left = LONGEST
        while left and world.active > 1:
            hand, top = world.hands[world.turn], world.tops[world.turn]
            before = world.copy()
            if world.turn == 0:
                cunning_turn(world)
            else:
                keepers_turn(world)
            if before.turn == 0 and (hand or top):
                assert text(world) in [cunning_after(before, chosen) for chosen in choices(before)]
            left -= 1


def planted_for(state, monkeypatch, slug="strong_searcher"):
    """How the playouts of a seat to play end."""
    seen, plain = [], searcher.PLAIN

    def planted(known, playouts, ends):
        seen.append(ends)
        return plain.planted(known, playouts, ends)

    monkeypatch.setattr(searcher, "PLAIN", plain._replace(planted=planted))
    SHITHEAD.bot(f"{slug}:playouts=9").choose(SHITHEAD.view(state, 0), (), Random(1))
    return seen


def test_it_is_cunning_between_two_and_among_more_a_keeper(monkeypatch):
    hands = ["5C KC", "9C 9D"]
    assert planted_for(position(hands), monkeypatch) == [CUNNINGLY]
    assert planted_for(position([*hands, "4C"]), monkeypatch) == [BY_KEEPERS]
    assert planted_for(position(hands), monkeypatch, "searcher") == [BY_KEEPERS]


def test_a_game_that_does_not_end_is_worth_little_to_a_cunning_seat():
    """Else it would rather turn in circles than risk anything."""
    world = cunning_dealt(1)
    world.hands[1] += world.hands[0]
    assert worth_of(world) == WAITING
    assert 0 < cunning_worth(world) == WEARYING < WAITING
    world.places[0] = 1
    assert cunning_worth(world) == worth_of(world) == 1


def test_games_against_another_cunning_seat_end_too():
    """Without slips a third of them would turn in circles."""
    ended = 0
    for number in range(GAMES // 5):
        world = cunning_dealt(number)
        world.keepers &= ~(1 << 1)
        played_cunningly(world, LONGEST)
        ended += world.active == 1 or world.places[0] > 0
    assert ended > 0.9 * (GAMES // 5)


# The searcher's tree: its own later turns are searched, those of the others are ``keeper``'s.

FIVE, KING, KINGS = (
    world_choice(PLACE["5"], 1, 0),
    world_choice(PLACE["K"], 1, 0),
    world_choice(PLACE["K"], 2, 0),
)
COME = 7


def two_kings(*others, **options):
    """Seat 0 wins with the five and then both kings; ``keeper`` parts with one king at a time."""
    state = position(["5C KC KD", "9C 9D AC", *others], pile="5D", **options)
    return believed(SHITHEAD.view(state, 0), ())


def best(known, playouts, seed):
    wide = len(choices(known.worlds[0]))
    return searcher.best(known, wide, playouts, Random(seed), searcher.PLAIN)


def grown(known, playouts, room=100):
    found = searcher.empty_tree(room)
    searcher.grow(Random(1), playouts, known, found)
    return found


def chosen_at(found, number):
    """The choices at a node, and how often each was tried."""
    node = found.nodes[number]
    places = slice(node.first, node.first + node.wide)
    return dict(zip(found.choices[places], found.tries[places], strict=True))


def test_a_plan_of_two_turns_is_found():
    known = two_kings()
    for chosen in choices(known.worlds[0]):
        world = sampled(known, Random(1))
        make(world, chosen)
        play_on(world, LONGEST)
        assert worth_of(world) == 0
    assert {best(known, 60, seed) for seed in range(5)} == {FIVE}


def test_what_a_seat_does_next_is_kept_by_what_it_sees():
    found = grown(two_kings(), 60)
    (after,) = [
        number
        for number in range(1, found.counts[0])
        if found.choices[found.nodes[number].came] == FIVE
    ]
    tries = chosen_at(found, after)
    assert sum(tries.values()) == chosen_at(found, searcher.ROOT)[FIVE] == found.nodes[after].visits
    assert max(tries, key=tries.get) == KINGS


def test_each_choice_is_tried_however_few_the_playouts():
    known = two_kings(pickup="voluntary")
    found = grown(known, 4)
    assert chosen_at(found, searcher.ROOT) == {FIVE: 1, KING: 1, KINGS: 1, PICK_UP: 1}
    assert best(known, 1, seed=1) in (FIVE, KING, KINGS, PICK_UP)


def test_a_search_out_of_time_ends_at_once(monkeypatch):
    grown = []
    plain = searcher.PLAIN._replace(grow=lambda _rng, playouts, *_: grown.append(playouts))
    monkeypatch.setattr(searcher, "PLAIN", plain)
    with search.stopping_when(lambda: True):
        best(two_kings(), 1000, seed=1)
    assert grown == [1]


def test_a_node_is_whatever_looks_alike_to_the_seat():
    """Another seat's hand makes no other node; what lies open does, seat by seat."""
    (world,) = two_kings("4C").worlds
    node = searcher.Node()
    world.tops[1], world.tops[2] = 1 << 4, 1 << 8
    searcher.name(node, world, COME, 20)
    world.hands[1] += 1
    assert searcher.is_named(node, world, COME, 20)
    assert not searcher.is_named(node, world, COME + 1, 20)
    assert not searcher.is_named(node, world, COME, 19)
    for change in (swap_tops, more_in_hand, more_on_the_pile, other_rank_to_beat):
        other = world.copy()
        change(other)
        assert not searcher.is_named(node, other, COME, 20)


def swap_tops(world):
    world.tops[1], world.tops[2] = world.tops[2], world.tops[1]


def more_in_hand(world):
    world.hands[world.me] += 1


def more_on_the_pile(world):
    world.pile += 1


def other_rank_to_beat(world):
    world.t += 1


def test_nodes_that_want_the_same_row_stay_apart():
    """In a table of so few rows most of them do."""
    (world,) = two_kings().worlds
    found = searcher.empty_tree(4)
    rows = []
    for left in (20, 21, 22, 23):
        row = searcher.row_of(found, world, COME, left)
        assert found.rows[row] == searcher.FREE
        found.rows[row] = len(rows) + 1
        searcher.name(found.nodes[len(rows) + 1], world, COME, left)
        rows.append(row)
    assert len(set(rows)) == len(rows)
    assert [searcher.row_of(found, world, COME, left) for left in (20, 21, 22, 23)] == rows


def test_a_full_tree_is_searched_as_far_as_it_goes():
    found = grown(two_kings(), 60, room=1)
    assert found.counts[0] == len(found.nodes) == 2
    assert sum(chosen_at(found, searcher.ROOT).values()) == 60


def test_not_to_be_the_shed_is_nearly_all_that_counts():
    (world,) = two_kings("4C").worlds
    world.active = 2
    for place, worth in ((1, 1.0), (2, 0.99), (3, 0.98)):
        world.places[0] = place
        assert worth_of(world) == worth
    world.places[:3], world.active = [0, 1, 2], 1
    assert worth_of(world) == 0
