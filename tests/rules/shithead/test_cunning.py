"""The cunning own seat in the playouts of ``strong_searcher``."""

from random import Random

from cardroom.rules.shithead import GAME as SHITHEAD
from cardroom.rules.shithead.bots import searcher
from cardroom.rules.shithead.bots.layouts import Exchange, begin
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
from cardroom.rules.shithead.bots.simple import keepers_turn
from cardroom.rules.shithead.bots.world import MOST, ShitheadWorld, make
from cardroom.rules.shuffles import seeded
from tests.rules.shithead.scene import position, setups
from tests.rules.shithead.world import choices, world_of

GAMES = 300


def dealt(number, players=2, **options):
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
    world = dealt(number)
    play(world, LONGEST)
    return world.places[0] == 1


def text(world):
    return [getattr(world, name) for name in ShitheadWorld.FIELDS]


def after(world, chosen):
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
        world = dealt(number, joker_top=("high", "transparent", "reset")[number % 3])
        left = LONGEST
        while left and world.active > 1:
            hand, top = world.hands[world.turn], world.tops[world.turn]
            before = world.copy()
            if world.turn == 0:
                cunning_turn(world)
            else:
                keepers_turn(world)
            if before.turn == 0 and (hand or top):
                assert text(world) in [after(before, chosen) for chosen in choices(before)]
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
    world = dealt(1)
    world.hands[1] += world.hands[0]
    assert worth_of(world) == WAITING
    assert 0 < cunning_worth(world) == WEARYING < WAITING
    world.places[0] = 1
    assert cunning_worth(world) == worth_of(world) == 1


def test_games_against_another_cunning_seat_end_too():
    """Without slips a third of them would turn in circles."""
    ended = 0
    for number in range(GAMES // 5):
        world = dealt(number)
        world.keepers &= ~(1 << 1)
        played_cunningly(world, LONGEST)
        ended += world.active == 1 or world.places[0] > 0
    assert ended > 0.9 * (GAMES // 5)
