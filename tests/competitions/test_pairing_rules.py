"""Who meets whom: nobody twice in a round, no rematch while it can be avoided."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.competitions import pairing, rules
from games.competitions.rules import (
    ARENA,
    FORMS,
    KNOCKOUT,
    ROUND_ROBIN,
    SWISS,
    Board,
    Decision,
    Free,
    Pairing,
    Played,
    buchholz,
    direct,
    next_step,
    scores,
    seat_of,
    sonneborn_berger,
    standings,
)
from tests.competitions.playing import board, boards, play
from tests.rules.playing import examples

IN_ROUNDS = [form for form in FORMS if form != "arena"]

# FIDE Handbook C.05, annex 1: the Berger table for 5 or 6 players.
BERGER_6 = [
    "1-6 2-5 3-4",
    "6-4 5-3 1-2",
    "2-6 3-1 4-5",
    "6-5 1-4 2-3",
    "3-6 4-2 5-1",
]


def written(pairings):
    return " ".join(f"{one.first}-{one.second}" for one in pairings)


def pairs(all_boards):
    return Counter(frozenset(one.entrants) for one in all_boards if not one.is_bye)


def byes(all_boards):
    return Counter(one.first for one in all_boards if one.is_bye)


CHANCE = st.randoms(use_true_random=False)


@examples(40)
@given(st.sampled_from(IN_ROUNDS), st.integers(2, 17), st.integers(0, 3), CHANCE)
def test_nobody_plays_twice_in_a_round_and_points_add_up(form, entrants, leave, chance):
    for new, there, so_far in play(form, entrants, chance, leave=leave if form == SWISS else 0):
        seen = Counter(entrant for each in new for entrant in each.entrants)
        assert set(seen.values()) == {1}
        if form == SWISS:
            assert set(seen) == set(there)
        everybody = range(1, entrants + 1)
        assert sum(scores(everybody, so_far).values()) == 2 * len(so_far)
        lines = standings(form, everybody, so_far)
        assert sorted(line.entrant for line in lines) == list(everybody)
        assert [line.place for line in lines] == sorted(line.place for line in lines)


@examples(25)
@given(st.integers(5, 24), CHANCE)
def test_a_swiss_has_no_rematch_and_one_bye_at_most_and_balances_the_seats(entrants, chance):
    *_, (_, _, so_far) = play(SWISS, entrants, chance, wanted=max(3, entrants // 3))
    assert set(pairs(so_far).values()) == {1}
    assert set(byes(so_far).values()) <= {1}
    for entrant in range(1, entrants + 1):
        own = [one for one in so_far if entrant in one.entrants and not one.is_bye]
        seats = [one.first == entrant for one in own]
        assert abs(2 * sum(seats) - len(seats)) <= 2  # C.04.3, article C.3


@examples(15)
@given(st.sampled_from([4, 6, 8]), CHANCE)
def test_a_swiss_has_a_rematch_only_where_no_round_without_one_is_left(entrants, chance):
    before: list = []
    for new, _there, so_far in play(SWISS, entrants, chance, wanted=entrants - 1):
        again = [one for one in new if pairs(before)[frozenset(one.entrants)]]
        if again:
            assert not rounds_without_rematch(range(1, entrants + 1), pairs(before))
        before = list(so_far)


def rounds_without_rematch(left, met):
    """Whether these can all be paired with somebody whom they have not met."""
    if not left:
        return True
    one, *others = left
    return any(
        frozenset((one, other)) not in met
        and rounds_without_rematch([each for each in others if each != other], met)
        for other in others
    )


def test_the_first_round_of_a_swiss_is_the_upper_half_against_the_lower():
    """C.04.3: 1 meets 5, 2 meets 6; who sits first alternates."""
    first = pairing.pair_swiss(range(1, 9), [], 1, 3, 8)
    assert written(first) == "1-5 6-2 3-7 8-4"


def test_winners_meet_winners():
    past = boards("1-5 1:0, 6-2 0:1, 3-7 =, 8-4 0:1")
    met = [set(one.entrants) for one in pairing.pair_swiss(range(1, 9), past, 2, 3, 8)]
    assert {5, 6} & met[-1] or {5, 8} & met[-1]  # those without points are last
    assert met[0] <= {1, 2, 4}


def test_who_came_late_or_went_home_is_not_paired():
    past = boards("1-3 1:0, 4-2 0:1")
    later = pairing.pair_swiss([1, 2, 3, 5], past, 2, 3, 5)
    assert sorted(entrant for one in later for entrant in one.entrants) == [1, 2, 3, 5]


def test_where_no_round_is_left_without_a_rematch_there_are_as_few_as_can_be():
    past = boards("1-2 1:0, 3-4 1:0", "1-3 1:0, 2-4 1:0", "1-4 1:0, 2-3 1:0")
    again = pairing.pair_swiss([1, 2, 3, 4], past, 4, 5, 4)
    assert sorted(entrant for one in again for entrant in one.entrants) == [1, 2, 3, 4]
    new = pairing.pair_swiss([1, 2, 3, 4], past[:4], 3, 3, 4)
    assert {frozenset(one.entrants) for one in new} == {frozenset((1, 4)), frozenset((2, 3))}


def test_a_round_robin_is_played_by_the_berger_tables():
    assert [written(rules.pair_round_robin(range(1, 7), n)) for n in range(1, 6)] == BERGER_6


def test_of_five_each_has_one_bye_where_the_table_has_six():
    odd = [rules.pair_round_robin(range(1, 6), n) for n in range(1, 6)]
    alone = [one.first for each in odd for one in each if one.second is None]
    assert sorted(alone) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("entrants", [2, 3, 8, 15, 200])
def test_in_a_round_robin_everybody_meets_everybody_once(entrants):
    rounds = rules.round_robin_rounds(entrants)
    met = Counter(
        frozenset(one.entrants)
        for n in range(1, rounds + 1)
        for one in rules.pair_round_robin(range(1, entrants + 1), n)
        if one.second is not None
    )
    assert len(met) == entrants * (entrants - 1) // 2
    assert set(met.values()) == {1}


def test_a_bracket_of_eight():
    assert rules.bracket(8) == [1, 8, 4, 5, 2, 7, 3, 6]


def test_byes_fall_to_the_strongest():
    first = rules.pair_knockout(range(1, 7), [], 1)
    assert [one.entrants for one in first if one.second is None] == [(1,), (2,)]
    assert {frozenset(one.entrants) for one in first if one.second} == {
        frozenset((4, 5)),
        frozenset((3, 6)),
    }


@pytest.mark.parametrize("entrants", [2, 3, 5, 8, 13, 200])
def test_one_is_left_of_a_knockout_and_everybody_else_lost_once(entrants):
    *_, (last, _, so_far) = play(KNOCKOUT, entrants, Random(entrants))
    assert len(last) == 1
    lost = Counter(
        entrant
        for one in so_far
        for entrant in one.entrants
        if entrant != rules.knockout_winner(one)
    )
    champion = rules.knockout_winner(last[0])
    assert lost == dict.fromkeys(set(range(1, entrants + 1)) - {champion}, 1)
    lines = standings(KNOCKOUT, range(1, entrants + 1), so_far)
    assert (lines[0].entrant, lines[0].place, lines[1].place) == (champion, 1, 2)


def test_a_board_that_stays_level_is_won_by_the_better_number():
    assert rules.knockout_winner(board("7-3 =")) == 3


class TestArena:
    def test_two_wins_in_a_row_begin_a_streak(self):
        past = boards("1-2 1:0", "3-1 0:1", "1-2 1:0", "1-3 =", "1-2 1:0")
        # 2 + 2, then doubled: 4 and 2, and after the draw 2 again.
        assert rules.arena_points(1, past) == 12

    def test_neighbours_in_points_meet_and_not_those_who_have_just_met(self):
        past = boards("1-2 1:0", "3-4 1:0")
        free = [Free(n, 1.0) for n in (1, 2, 3, 4)]
        assert {frozenset(one.entrants) for one in rules.pair_arena(free, past)} == {
            frozenset((1, 3)),
            frozenset((2, 4)),
        }

    def test_two_alone_wait_a_little_before_they_meet_again(self):
        past = boards("1-2 1:0")
        assert rules.pair_arena([Free(1, 1.0), Free(2, 1.0)], past) == []
        again = rules.pair_arena([Free(1, 11.0), Free(2, 11.0)], past)
        assert again == [Pairing(2, 1)]  # the seats change

    @examples(30)
    @given(st.integers(0, 12), CHANCE)
    def test_nobody_is_at_two_boards(self, count, chance):
        past = []
        for number in range(1, 8):
            free = [Free(n, chance.choice([1.0, 20.0])) for n in range(1, count + 1)]
            new = rules.pair_arena(chance.sample(free, chance.randint(0, count)), past)
            seen = Counter(entrant for one in new for entrant in one.entrants)
            assert set(seen.values()) <= {1}
            past += [board(f"{one.first}-{one.second} =", number) for one in new]


def test_two_hundred_are_paired_within_the_time_of_a_task():
    """Without a rematch, round after round; the first three are the slowest."""
    for new, _, so_far in play(ROUND_ROBIN, 200, Random(1)):
        assert len(new) == 100
        if len(so_far) >= 300:
            break
    met = [each for each, _, _ in play(SWISS, 60, Random(2), wanted=3)]
    assert [len(each) for each in met] == [30, 30, 30]


# Points and tie-breaks, by hand.

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
