"""The computer players in positions that show their character (pazaak R25 and the bots' rules)."""

from random import Random

import pytest

from cardroom.rules.pazaak import GAME as PAZAAK
from tests.rules.pazaak.scene import half, scene


def choice(slug, table, seat=0):
    bot = PAZAAK.bot(slug)
    return bot.choose(PAZAAK.view(table, seat), (), Random(1))


def test_levels_rise_and_only_the_cheater_is_unrated():
    slugs = ["rookie", "beginner", "gambler", "professor", "cheater", "random"]
    assert [bot.slug for bot in PAZAAK.bots] == slugs
    assert [bot.slug for bot in PAZAAK.bots if not bot.rated] == ["cheater"]
    assert "heats" in PAZAAK.bot("cheater").summary


def beginnings(table):
    """What a beginner chooses in a hundred moods."""
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
    """What a search of a few playouts chooses: chance alone must not spend a card."""
    bot = PAZAAK.bot(f"{slug}:playouts=6")
    return bot.choose(PAZAAK.view(table, 0), (), Random(seed))


class TestCheater:
    def test_picks_from_its_whole_side_deck(self):
        table = scene(half("10 6", side="PM3 PM4 T", allowance=1), phase="turn_play")
        assert choice("cheater", table) == "PM4+"

    def test_plays_nothing_without_allowance(self):
        table = scene(half("10 6", side="PM3 PM4 T", allowance=0), phase="turn_play")
        assert choice("cheater", table) == "pass"
