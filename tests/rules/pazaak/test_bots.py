"""The computer players in positions that show their character (pazaak R25 and the bots' rules)."""

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


def choice(slug, table, seat=0):
    bot = PAZAAK.bot(slug)
    return bot.choose(PAZAAK.view(table, seat), (), Random(1))


def test_levels_rise_and_only_the_cheater_is_unrated():
    slugs = ["rookie", "beginner", "gambler", "professor", "cheater", "random"]
    assert [bot.slug for bot in PAZAAK.bots] == slugs
    assert [bot.slug for bot in PAZAAK.bots if not bot.rated] == ["cheater"]
    assert "heats" in PAZAAK.bot("cheater").summary


def beginnings(table):
    """The choices of a beginner with a hundred seeds."""
    view, bot = PAZAAK.view(table, 0), PAZAAK.bot("beginner")
    return {bot.choose(view, (), Random(seed)) for seed in range(100)}


def test_a_beginner_stands_by_feeling_and_never_on_little():
    assert beginnings(scene(half("10 7"))) == {"stand", "draw"}
    assert beginnings(scene(half("10 4"))) == {"draw"}
    assert beginnings(scene(half("2 -3:M3"), half("2 -4:M4", standing=True))) == {"draw"}
    assert beginnings(scene(half("10 7"), half("10 8", standing=True))) == {"draw"}


def test_a_beginner_forgets_a_card_that_would_help_now_and_then():
    assert beginnings(scene(half("10 8", hand="P2 P1"), phase="turn_play")) == {"P2", "pass"}
    assert beginnings(scene(half("10 8 6", hand="M4"), phase="turn_play")) == {"M4", "pass"}


@pytest.mark.parametrize(("total", "move"), [("10 6", "draw"), ("10 7", "stand")])
def test_rookie_draws_below_17(total, move):
    assert choice("rookie", scene(half(total))) == move


def test_rookie_plays_a_card_only_to_undo_a_bust():
    assert choice("rookie", scene(half("10 8", hand="P2"), phase="turn_play")) == "pass"
    bust = scene(half("10 8 6", hand="P2 M3 M4"), phase="turn_play")
    assert choice("rookie", bust) == "M4"


class TestGambler:
    def test_stands_on_20(self):
        assert choice("gambler", scene(half("10 10"), auto_stand_20=False)) == "stand"

    def test_undoes_a_bust_with_the_best_card(self):
        table = scene(half("10 8 6", hand="M4 M6 PM5"), phase="turn_play")
        assert choice("gambler", table) == "M4"

    def test_takes_20_with_the_cheapest_card(self):
        table = scene(half("10 6", hand="P4 PM4"), phase="turn_play")
        assert choice("gambler", table) == "P4"

    def test_beats_a_standing_rival_as_cheaply_as_possible(self):
        table = scene(half("10 5", hand="P3 P4"), half("10 7", standing=True), phase="turn_play")
        assert choice("gambler", table) == "P3"

    def test_ties_a_standing_rival_with_a_tiebreaker(self):
        table = scene(half("10 6", hand="T"), half("10 7", standing=True), phase="turn_play")
        assert choice("gambler", table) == "T+"

    def test_keeps_its_cards_when_already_ahead(self):
        table = scene(half("10 8", hand="P1"), half("10 7", standing=True), phase="turn_play")
        assert choice("gambler", table) == "pass"

    @pytest.mark.parametrize(
        ("mine", "theirs", "move"),
        [("10 8", "10 9", "stand"), ("10 7", "10", "draw"), ("10 7", "10 7", "draw")],
    )
    def test_stands_on_18_and_on_17_never_while_the_rival_draws_on(self, mine, theirs, move):
        assert choice("gambler", scene(half(mine), half(theirs))) == move

    def test_draws_on_against_a_higher_standing_rival(self):
        assert choice("gambler", scene(half("10 8"), half("10 9", standing=True))) == "draw"


class TestProfessor:
    def test_stands_when_that_wins_the_round(self):
        assert choice("professor", scene(half("10 8"), half("10 7", standing=True))) == "stand"

    def test_draws_when_standing_would_lose(self):
        assert choice("professor", scene(half("10 5"), half("10 7", standing=True))) == "draw"

    def test_mends_a_bust_that_would_lose_the_match(self):
        table = scene(half("10 8 5", hand="M3 P1"), half("10"), wins=(0, 1), phase="turn_play")
        assert choice("professor", table) == "M3"

    def test_spends_nothing_where_it_wins_without(self):
        table = scene(half("10 9", hand="P1"), half("10 8", standing=True), phase="turn_play")
        assert choice("professor", table) == "pass"

    def test_breaks_a_tie_for_the_match_with_its_tiebreaker(self):
        table = scene(
            half("10 9", hand="P1 T"), half("10 10", standing=True), wins=(1, 1), phase="turn_play"
        )
        assert choice("professor", table) == "T+"

    def test_draws_the_ninth_card_rather_than_stand_low(self):
        rival = half("10 9", standing=True)
        table = scene(half("1 1 1 1 2 2 2 2"), rival)
        assert choice("professor", table) == "draw"

    def test_fills_the_table_from_the_hand(self):
        rival = half("10 10", standing=True)
        table = scene(half("1 1 1 1 2 2 2 3", hand="P2"), rival, phase="turn_play")
        assert choice("professor", table) == "P2"

    def test_does_not_risk_18_against_a_rival_without_cards(self):
        table = scene(half("10 8"), half("10 3"))
        assert choice("professor", table) == "stand"

    def test_never_draws_on_a_sure_20(self):
        assert choice("professor", scene(half("10 10"), auto_stand_20=False)) == "stand"

    def test_ends_or_stands_where_turns_draw_by_themselves(self):
        good = scene(half("10 9"), half("10"), phase="turn_play", preset="kotor1")
        assert choice("professor", good) == "stand"
        low = scene(half("4 5"), half("10"), phase="turn_play", preset="kotor1")
        assert choice("professor", low) == "end"

    def test_spends_no_card_below_where_anybody_stands(self):
        table = scene(half("4 5", hand="P1 P3 P5"), half("10"), phase="turn_play")
        assert {choice_of_few("professor", table, seed) for seed in range(20)} == {"pass"}


def choice_of_few(slug, table, seed):
    """The choice of a search of a few playouts: chance alone must not spend a card."""
    bot = PAZAAK.bot(f"{slug}:playouts=6")
    return bot.choose(PAZAAK.view(table, 0), (), Random(seed))


class TestCheater:
    def test_picks_from_its_whole_side_deck(self):
        table = scene(half("10 6", side="PM3 PM4 T", allowance=1), phase="turn_play")
        assert choice("cheater", table) == "PM4+"

    def test_plays_nothing_without_allowance(self):
        table = scene(half("10 6", side="PM3 PM4 T", allowance=0), phase="turn_play")
        assert choice("cheater", table) == "pass"


# The professor's weights of its choices: draws counted exactly, scores and rounds minded.


def weighed(table, events=()):
    """The worth of each legal move of seat 0."""
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
