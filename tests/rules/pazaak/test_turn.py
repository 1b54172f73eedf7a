"""Playing a side card and ending a turn, and what is refused (pazaak R8 to R17)."""

from cardroom.rules.pazaak import GAME as PAZAAK
from cardroom.rules.pazaak.events import CardPlayed, MainDrawn, Passed
from tests.rules.pazaak.scene import board, half, play, refusal, scene, told, values


def test_a_card_must_be_in_the_hand():
    table = scene(half("4", hand="P3", side="P4"), phase="turn_play")
    assert refusal(table, "P4") == "not_in_hand"


def test_one_copy_of_a_card_is_spent_for_the_match():  # R3
    step = play(scene(half("4", hand="P3 P3"), phase="turn_play"), "0 P3")
    assert step.state.halves[0].hand == ("P3",)
    assert step.state.halves[0].played == ("P3",)


def test_only_the_own_board_changes():  # R13
    table = scene(half("4 6", hand="F46"), half("4 6"), phase="turn_play")
    step = play(table, "0 F46")
    assert step.state.halves[1].board == table.halves[1].board


def test_a_flip_turns_negative_cards_back():  # R16
    table = scene(half("-3:M3 3 2:D -2:2", hand="F23"), phase="turn_play")
    assert values(play(table, "0 F23").state, 0) == [3, -3, -2, 2]


def test_a_flip_that_matches_nothing_is_wasted():  # R16
    step = play(scene(half("9 8", hand="F12"), phase="turn_play"), "0 F12")
    assert told(step, CardPlayed)[0].effect == ()
    assert values(step.state, 0) == [9, 8]
    assert step.state.halves[0].hand == ()


def test_a_doubled_card_is_flipped_by_what_it_counts_now():  # R17
    table = scene(half("9 4:2", hand="F24"), phase="turn_play")
    assert values(play(table, "0 F24").state, 0) == [9, -4]


def test_specials_that_take_a_place():
    table = scene(half("2 5", hand="F25 D"), phase="turn_play", specials_take_slot=True)
    flipped = play(table, "0 F25")
    assert flipped.state.halves[0].board == board("-2:2 -5:5 0:F25")
    assert told(flipped, CardPlayed)[0].effect == (0, 1)
    doubled = play(table, "0 D")
    assert doubled.state.halves[0].board == board("2 5 5:D")
    assert told(doubled, CardPlayed)[0].effect == 5


def test_a_placed_double_is_flipped_by_its_size():
    table = scene(half("2 5 5:D", hand="F15"), phase="turn_play", specials_take_slot=True)
    assert values(play(table, "0 F15").state, 0) == [2, -5, -5, 0]


def test_specials_that_take_a_place_need_one():
    full = half("2 2 2 3 3 1 1 4 5", hand="F25 D M6")
    table = scene(full, phase="turn_play", specials_take_slot=True)
    assert PAZAAK.legal_moves(table, 0) == ("pass",)
    assert refusal(table, "F25") == "no_space"
    spent = scene(full, phase="turn_play")
    assert PAZAAK.legal_moves(spent, 0) == ("F25", "D", "pass")


def test_a_sign_and_value_are_told():
    step = play(scene(half("4", hand="PM12"), phase="turn_play"), "0 PM12-2")
    assert told(step, CardPlayed) == [
        CardPlayed(seat=0, code="PM12", sign="-", value=2, effect=-2, total=2)
    ]


class TestTurnEnd:
    """The original sequence: draw by itself, play or not, then end or stand."""

    def table(self, *halves, **options):
        return scene(*halves, phase="turn_play", stand_timing="turn_end", **options)

    def test_cards_end_and_stand_are_offered_but_no_pass(self):
        table = self.table(half("4", hand="P3"))
        assert PAZAAK.legal_moves(table, 0) == ("P3", "end", "stand")
        for move in ("pass", "draw"):
            assert refusal(table, move) == "wrong_phase"

    def test_one_card_a_turn(self):
        played = play(self.table(half("4", hand="P3 P1")), "0 P3").state
        assert played.phase == "turn_close"
        assert PAZAAK.legal_moves(played, 0) == ("end", "stand")
        for move in ("P1", "pass", "draw"):
            assert refusal(played, move) == "wrong_phase"

    def test_ending_a_turn_lets_the_other_draw_at_once(self):
        step = play(self.table(half("4"), half("3", draws="6")), "0 end")
        assert step.events == (Passed(0, 4), MainDrawn(1, 6, 9, 2))
        assert (step.state.to_act, step.state.phase) == (1, "turn_play")

    def test_a_card_over_20_is_no_bust_before_the_turn_ends(self):
        step = play(self.table(half("10 8", hand="P6")), "0 P6")
        assert step.scores is None
        assert play(step.state, "0 end").scores == (0, 1)

    def test_standing_above_20_is_a_bust(self):
        assert play(self.table(half("10 8 4")), "0 stand").scores == (0, 1)

    def test_standing_keeps_the_total_reached(self):
        step = play(self.table(half("10 8"), half(draws="5")), "0 stand")
        assert step.state.halves[0].standing
        assert step.state.halves[1].total == 5

    def test_a_card_that_brings_20_stands_only_when_the_turn_ends(self):
        played = play(self.table(half("10 8", hand="P2")), "0 P2").state
        assert not played.halves[0].standing
        assert play(played, "0 end").state.halves[0].standing

    def test_the_ninth_card_of_the_hand_wins_when_the_turn_ends(self):
        table = self.table(half("1 1 1 1 2 2 2 2", hand="P1"))
        played = play(table, "0 P1")
        assert played.scores is None
        for move in ("end", "stand"):
            assert play(played.state, f"0 {move}").scores == (1, 0)

    def test_a_draw_that_fills_the_table_wins_without_being_asked(self):
        table = self.table(half("4"), half("1 1 1 1 2 2 2 2", draws="3"))
        assert play(table, "0 end").scores == (0, 1)
