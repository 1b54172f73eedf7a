"""Points and tie-breaks, by hand."""

from games.competitions.rules import (
    ARENA,
    KNOCKOUT,
    ROUND_ROBIN,
    SWISS,
    Board,
    Decision,
    Played,
    buchholz,
    direct,
    next_step,
    scores,
    seat_of,
    sonneborn_berger,
    standings,
)
from tests.competitions.playing import boards

FOUR = range(1, 5)
# 1 beats all, 2 beats 3, 3 beats 4, 4 beats 2: three are level behind the first.
CIRCLE = boards("1-2 1:0, 3-4 1:0", "1-3 1:0, 4-2 1:0", "1-4 1:0, 2-3 1:0")


def places(form, entrants, all_boards):
    return {line.entrant: line.place for line in standings(form, entrants, all_boards)}


def test_those_who_are_level_in_everything_share_a_place():
    assert places(ROUND_ROBIN, FOUR, CIRCLE) == {1: 1, 2: 2, 3: 2, 4: 2}


def test_buchholz_are_the_points_of_ones_opponents():
    totals = scores(FOUR, CIRCLE)
    assert totals == {1: 6, 2: 2, 3: 2, 4: 2}
    assert buchholz(1, totals, CIRCLE) == 2 + 2 + 2
    assert buchholz(2, totals, CIRCLE) == 6 + 2 + 2


def test_sonneborn_berger_are_the_points_of_the_beaten_and_half_of_the_drawn():
    past = boards("1-2 1:0, 3-4 =", "1-3 =, 2-4 1:0", "4-1 1:0, 2-3 0:1")
    totals = scores(FOUR, past)
    assert totals == {1: 3, 2: 2, 3: 4, 4: 3}
    # In quarters of a point: a win counts 2 × half points of the other, a draw 1 ×.
    assert sonneborn_berger(1, totals, past) == 2 * 2 + 1 * 4
    assert sonneborn_berger(3, totals, past) == 1 * 3 + 1 * 3 + 2 * 2
    assert sonneborn_berger(4, totals, past) == 1 * 4 + 2 * 3


def test_direct_encounter_counts_where_all_who_are_level_have_met():
    past = boards("1-2 1:0, 3-4 =", "1-3 =, 2-4 1:0", "4-1 1:0, 2-3 0:1")
    totals = scores(FOUR, past)
    assert (direct(1, totals, past), direct(4, totals, past)) == (0, 2)
    assert places(ROUND_ROBIN, FOUR, past) == {3: 1, 4: 2, 1: 3, 2: 4}
    apart = boards("1-3 1:0, 2-4 1:0")
    assert direct(1, scores(FOUR, apart), apart) == 0


def test_a_swiss_is_decided_by_buchholz_before_direct_encounter():
    past = boards("1-3 1:0, 2-4 1:0", "1-2 =, 3-4 1:0")
    lines = standings(SWISS, FOUR, past)
    assert [(line.entrant, line.points, line.ties["buchholz"]) for line in lines] == [
        (1, 3, 2 + 3),
        (2, 3, 0 + 3),
        (3, 2, 3 + 0),
        (4, 0, 3 + 2),
    ]


def test_an_unplayed_board_counts_as_met_by_oneself():
    """FIDE C.07, article 16."""
    past = [*boards("1-2 1:0, 3 bye"), Board(1, 3, 2, (2, 0), played=False)]
    totals = scores(range(1, 4), past)
    assert totals == {1: 4, 2: 0, 3: 2}
    assert buchholz(3, totals, past) == 2 + 2
    assert buchholz(1, totals, past) == 0 + 4
    assert sonneborn_berger(1, totals, past) == 2 * 0 + 2 * 4
    line = standings(SWISS, range(1, 4), past)[0]
    assert (line.entrant, line.won, line.ties["wins"]) == (1, 1, 1)


def test_undecided_boards_wait():
    assert [line.points for line in standings(SWISS, (1, 2), [Board(1, 2, 1)])] == [0, 0]


def test_in_a_knockout_those_who_lost_in_the_same_round_share_a_place():
    past = boards("1-4 1:0, 2-3 0:1", "1-3 0:1")
    assert places(KNOCKOUT, FOUR, past) == {3: 1, 1: 2, 2: 3, 4: 3}


def test_an_arena_is_decided_by_points_with_streaks():
    past = boards("1-2 1:0", "1-3 1:0", "1-2 1:0", "3-2 1:0")
    assert [(line.entrant, line.points) for line in standings(ARENA, (1, 2, 3), past)] == [
        (1, 8),
        (3, 2),
        (2, 0),
    ]


class TestBoards:
    won, drawn = Played("finished", (1, 2)), Played("finished", (1, 1))
    off, runs = Played("aborted"), Played("active")

    def test_a_board_waits_for_its_match(self):
        assert next_step(SWISS, []) == "open"
        assert next_step(SWISS, [self.runs]) == "wait"
        assert next_step(SWISS, [self.won]) == Decision((2, 0), "played")
        assert next_step(SWISS, [self.drawn]) == Decision((1, 1), "played")

    def test_a_match_that_was_called_off_is_played_again_once(self):
        assert next_step(SWISS, [self.off]) == "open"
        assert next_step(SWISS, [self.off, self.runs]) == "wait"
        assert next_step(SWISS, [self.off, self.off]) == Decision((1, 1), "called_off")

    def test_the_seats_change_and_the_result_is_that_of_the_place(self):
        assert [seat_of(0, number) for number in (1, 2, 3)] == [0, 1, 0]
        assert next_step(SWISS, [self.off, self.won]) == Decision((0, 2), "played")

    def test_a_draw_of_a_knockout_is_played_again_twice(self):
        assert next_step(KNOCKOUT, [self.drawn]) == "open"
        assert next_step(KNOCKOUT, [self.drawn, self.won]) == Decision((0, 2), "played")
        assert next_step(KNOCKOUT, [self.drawn] * 3) == Decision((1, 1), "played")
