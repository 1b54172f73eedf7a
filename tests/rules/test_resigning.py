"""What resigning does to the ranking (FORMAT.md §2, Resigning), without a game."""

import pytest

from cardroom.rules import catalog, course
from cardroom.rules.values import IllegalMove, NotYourTurn, Outcome
from tests.rules.playing import Sitting

TWO = ((0,), (1,))
FOUR = ((0,), (1,), (2,), (3,))
TEAMS = ((0, 2), (1, 3))


def natural(*places: int, reason: str = "games") -> Outcome:
    winners = tuple(seat for seat, place in enumerate(places) if place == 1)
    return Outcome(winners, (0,) * len(places), reason, places)


class TestEndsMatch:
    @pytest.mark.parametrize(
        ("sides", "resigned", "ends"),
        [
            (TWO, (), False),
            (TWO, (1,), True),
            (FOUR, (1,), False),
            (FOUR, (1, 3), False),
            (FOUR, (1, 3, 0), True),
            (TEAMS, (1,), False),
            (TEAMS, (1, 0), False),
            (TEAMS, (1, 0, 3), True),
        ],
    )
    def test_when_one_side_is_left(self, sides, resigned, ends):
        assert course.ends_match(sides, resigned) is ends


class TestConclude:
    def test_between_two_the_other_wins_whatever_the_score(self):
        outcome = course.conclude(TWO, (0,), [(9, 0), (5, 2)], None)
        assert outcome == Outcome((1,), (14, 2), "resigned", (2, 1))

    def test_a_passed_deadline_says_so(self):
        assert course.conclude(TWO, (0,), [], None, "timeout").reason == "timeout"
        assert course.conclude(TWO, (0,), [], None, "timeout").points == (0, 0)

    def test_nobody_resigned_leaves_the_outcome_of_the_rules(self):
        assert course.conclude(FOUR, (), [], natural(2, 1, 3, 4)) == natural(2, 1, 3, 4)

    def test_who_resigned_stands_below_all_others_the_first_last(self):
        outcome = course.conclude(FOUR, (1, 3), [(4, 1, 3, 2)], natural(4, 1, 3, 2))
        assert outcome.places == (2, 4, 1, 3)
        assert outcome.winners == (2,)
        assert outcome.reason == "games"
        assert outcome.points == (4, 1, 3, 2)

    def test_shared_places_stay_shared(self):
        outcome = course.conclude(FOUR, (0,), [], natural(1, 2, 2, 4))
        assert outcome.places == (4, 1, 1, 3)
        assert outcome.winners == (1, 2)

    def test_the_last_side_left_wins(self):
        outcome = course.conclude(FOUR, (2, 0, 1), [], None)
        assert outcome.places == (3, 2, 4, 1)
        assert outcome.winners == (3,)

    def test_partners_share_the_place(self):
        outcome = course.conclude(TEAMS, (1, 0, 3), [(10, 6)], None)
        assert outcome == Outcome((0, 2), (10, 6), "resigned", (1, 2, 1, 2))

    def test_one_partner_alone_changes_no_ranking(self):
        ended = natural(2, 1, 2, 1, reason="target")
        assert course.conclude(TEAMS, (1,), [], ended) == ended

    def test_called_off_nobody_wins(self):
        assert course.aborted(TWO, [(1, 0)]) == Outcome((), (1, 0), "aborted", ())


class TestMayResign:
    def test_out_of_turn_but_once(self):
        game = catalog.find("pisti")
        state = Sitting.begun(game, game.options()).state
        for seat in (0, 1):
            course.check_may_resign(game, state, (), seat)
        with pytest.raises(IllegalMove, match="already"):
            course.check_may_resign(game, state, (1,), 1)

    def test_not_after_the_end(self):
        game = catalog.find("pisti")
        sitting = Sitting.begun(game, game.choose_options({"target_score": None}))
        for seat in range(48):
            sitting.play(seat % 2, game.legal_moves(sitting.state, seat % 2)[0])
        with pytest.raises(NotYourTurn):
            course.check_may_resign(game, sitting.state, (), 0)
