"""What the professor makes of its choices: draws counted exactly, scores and rounds minded."""

from math import exp
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.rules.pazaak import GAME as PAZAAK
from cardroom.rules.pazaak.bots import outlook
from cardroom.rules.pazaak.bots.outlook import (
    BLOCK,
    CHANCES,
    MOST_ODDS,
    Sight,
    hold,
    position_of,
    see,
)
from cardroom.rules.pazaak.bots.professor import believed, choose, put, take_back, worth_of
from cardroom.rules.pazaak.bots.world import CHOICES, DRAW, PLAY
from cardroom.rules.pazaak.events import Opener
from cardroom.rules.pazaak.side_cards import CODES
from cardroom.rules.shuffles import Stream, seeded
from cardroom.rules.values import Setup
from tests.rules.pazaak.scene import half, scene
from tests.rules.playing import examples, numbers, options_of


def weighed(table, events=()):
    """What each legal move of seat 0 is worth."""
    view = PAZAAK.view(table, 0)
    world, sight = believed(view, 0, events)
    see(world, 0, sight)
    entries = outlook.table_of(world)
    return {move: worth_of(world, *CHOICES[move], sight, entries) for move in view.legal_moves}


@pytest.mark.parametrize("name", sorted(outlook.REACH))
def test_a_table_has_an_entry_for_all_that_is_looked_up_and_stays_small(name):
    assert len(outlook.read(name)) == outlook.REACH[name] ** 2 * BLOCK
    assert (outlook.FOLDER / f"{name}.table").stat().st_size < 1_000_000


def test_chances_are_logistic():
    assert CHANCES[MOST_ODDS] == 0.5
    assert CHANCES[MOST_ODDS + 100] == pytest.approx(1 / (1 + exp(-1)))


@examples(8)
@given(data=st.data())
def test_a_draw_is_worth_the_mean_of_what_may_follow_it(data):
    """pazaak R9 to R12: over every card that may come, the best that can then be done."""
    options = data.draw(options_of(PAZAAK))
    state = position(options, Random(data.draw(numbers)))
    if state.phase != "turn_start":
        return
    view = PAZAAK.view(state, state.to_act)
    world, sight = believed(view, state.to_act, ())
    see(world, world.turn, sight)
    table = outlook.table_of(world)
    worths = []
    for value in range(1, 11):
        tie = put(world, value)
        world.phase = PLAY
        cards = {CODES[card] for card in world.hand[world.turn][: world.hand_size[world.turn]]}
        after = [
            worth_of(world, *choice, sight, table)
            for move, choice in CHOICES.items()
            if move == "pass" or (not full(world) and playable(world, move, cards))
        ]
        worths += [max(after)] * sight.unseen[value]
        take_back(world, value, tie)
    if view.halves[state.to_act].allowance is None:
        mean = sum(worths) / len(worths)
        assert worth_of(world, DRAW, 0, sight, table) == pytest.approx(mean)


def full(world):
    return world.board_size[world.turn] == 9 and world.total[world.turn] <= 20


def playable(world, move, cards):
    code = move.rstrip("+-012") if move.startswith("PM12") else move.rstrip("+-")
    code = "PM12" if move.startswith("PM12") else code
    takes = world.slots or code[0] not in "FD"
    return code in cards and not (takes and world.board_size[world.turn] == 9)


def position(options, rng):
    """Some plies into a match of seats that move at random."""
    decks = [tuple(rng.sample(CODES[:18], k=10)) for _ in (0, 1)]
    setups = [Setup(f"{seat}", None, decks[seat]) for seat in (0, 1)]
    state = PAZAAK.start(options, setups, seeded(rng)).state
    for _ in range(rng.randrange(12)):
        move = rng.choice(PAZAAK.legal_moves(state, state.to_act))
        after = PAZAAK.play(state, state.to_act, move, seeded(rng)).state
        if after.phase == "over":
            break
        state = after
    return state


def test_what_decides_the_match_is_certain():
    rival = half("10 9", standing=True)
    won = scene(half("10 10"), rival, wins=(1, 0), auto_stand_20=False)
    assert weighed(won)["stand"] == 1.0
    lost = scene(half("10 8"), rival, wins=(0, 1))
    assert weighed(lost)["stand"] == 0.0


def test_a_full_table_wins_the_round_or_stands():
    """pazaak R20, `table_fill`"""
    rival = half("10 10", standing=True)
    cards = half("1 1 1 1 2 2 2 3", hand="P2")
    wins = scene(cards, rival, wins=(1, 1), phase="turn_play")
    assert weighed(wins)["P2"] == 1.0
    stands = scene(cards, rival, wins=(1, 1), phase="turn_play", table_fill="stand")
    assert weighed(stands)["P2"] == 0.0


def test_who_is_ahead_of_a_standing_rival_may_stand_next():
    """pazaak R7, R8: to pass is worth no less than to win with a card that is spent."""
    table = scene(
        half("10 9", hand="P1"), half("10 8", standing=True), wins=(1, 1), phase="turn_play"
    )
    assert weighed(table)["pass"] == weighed(table)["P1"] == 1.0


def test_cards_held_and_let_go_leave_no_trace():
    sight, empty = Sight(), Sight()
    for card in range(len(CODES)):
        hold(sight, card, 1)
    for card in range(len(CODES)):
        hold(sight, card, -1)
    assert all(getattr(sight, name) == getattr(empty, name) for name in Sight.FIELDS)


@pytest.mark.parametrize(
    ("wins", "options", "needs"),
    [
        ((0, 0), {"rounds_to_win": 9}, (2, 2)),
        ((1, 0), {"rounds_to_win": 9}, (1, 2)),
        ((7, 0), {"rounds_to_win": 9}, (1, 2)),
        ((1, 1), {}, (1, 1)),
        ((0, 0), {"rounds_to_win": 9, "max_rounds": 1}, (1, 1)),
        ((0, 0), {"rounds_to_win": 1}, (1, 1)),
    ],
)
def test_a_score_beyond_the_table_keeps_who_is_ahead(wins, options, needs):
    table = scene(half("10"), half("10"), wins=wins, **options)
    world = outlook.within_reach(position_of(PAZAAK.view(table, 0), 0))
    assert tuple(world.to_win - won for won in world.wins) == needs


def test_more_playouts_change_nothing():
    table = scene(half("10 4", hand="P2 M3"), half("9", hand="PM1 M2"), phase="turn_play")
    view = PAZAAK.view(table, 0)
    few, many = (choose(view, (), Stream(1), playouts) for playouts in (1, 1000))
    assert few == many


def test_the_bottom_cards_of_the_opening_are_not_expected():
    """pazaak R6"""

    table = scene(half("10"), half("9"))
    _, sight = believed(PAZAAK.view(table, 0), 0, [Opener((7, 3))])
    assert sight.unseen[7] == 3
    assert sum(sight.unseen) == 38
