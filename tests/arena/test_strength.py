"""`make strength` says what is reached, what is missed, and what its matches cannot decide."""

from collections import Counter

import pytest

from cardroom.arena.statistics import Interval
from tests.strength import __main__ as command
from tests.strength.contest import Contest


@pytest.mark.parametrize(
    ("low", "high", "shed", "reached"),
    [
        (0.66, 0.8, False, True),
        (0.4, 0.64, False, False),
        (0.6, 0.7, False, None),
        (0.4, 0.64, True, True),
        (0.66, 0.8, True, False),
    ],
)
def test_a_row_is_decided_once_its_interval_does_not_hold_the_target(low, high, shed, reached):
    contest = Contest("pisti", "greedy", ["random"], 10, 65, shed=shed)
    assert contest.reached(Interval((low + high) / 2, low, high)) is reached


def test_a_row_ends_when_it_is_decided():
    contest = Contest("pisti", "greedy", ["random"], 500, 60, options={"target_score": None})
    figure, target, reached = contest.measure()
    assert (target, reached) == ("≥ 60 %", True)
    assert "100 matches" in figure


def test_a_team_of_the_bot_has_won_the_whole_match():
    rivals, teams = ["random", "greedy", "random"], {"players": 4, "teams": True}
    contest = Contest("pisti", "greedy", rivals, 8, options=teams)
    shares, _clock = contest.play(range(2))
    assert shares == [1.0, 1.0]


@pytest.mark.parametrize(
    ("counts", "strict", "code"),
    [({True: 3}, "1", 0), ({True: 3, None: 1}, "", 0), ({None: 1}, "1", 2), ({False: 1}, "", 1)],
)
def test_what_is_missed_fails_and_what_is_undecided_does_if_asked(
    monkeypatch, counts, strict, code
):
    monkeypatch.setenv("STRICT", strict)
    assert command.exit_code(Counter(counts)) == code


def test_rows_are_chosen_by_module_and_number():
    chosen = dict(command.sections(["pisti/2", "war"]))
    assert {name: [number for number, _ in rows] for name, rows in chosen.items()} == {
        "pisti": [2],
        "war": [1],
    }
