"""`make strength` says what is reached, what is missed, and what its matches cannot decide."""

from collections import Counter
from random import Random

import pytest
from msgspec.structs import replace

from games.arena.luck import AdjustedMatch
from games.arena.statistics import Interval
from tests.strength import __main__ as command
from tests.strength.contest import Contest
from tests.strength.without_luck import WithoutLuck


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


def adjusted(deal, turn, luck, chance):
    won = chance.random() < 0.5 + luck
    names, scores, lucks = ("gambler", "cheater"), (float(won), float(not won)), (luck, -luck)
    step = 1 if turn == 0 else -1
    return AdjustedMatch(
        2 * deal + turn,
        deal,
        names[::step],
        scores[::step],
        tuple((each,) for each in lucks[::step]),
    )


def mirrored(deals, reach):
    """Matches of two seats that are won as often as luck has it, with luck of up to ``reach``."""
    chance = Random(1)
    return [
        [adjusted(deal, turn, chance.uniform(-reach, reach), chance) for turn in range(2)]
        for deal in range(deals)
    ]


def test_without_luck_the_mean_stays_and_the_interval_is_smaller():
    contest = WithoutLuck("pazaak", "gambler", ["cheater"], 400, 50)
    deals = mirrored(300, 0.5)
    plain, without = contest.plain(deals), contest.interval(deals)
    assert without.high - without.low < 0.9 * (plain.high - plain.low)
    assert plain.low < without.value < plain.high


def test_luck_explains_nothing_where_all_matches_end_alike():
    contest = WithoutLuck("pazaak", "gambler", ["cheater"], 400, 50)
    deals = [[replace(match, scores=(0.5, 0.5)) for match in deal] for deal in mirrored(30, 0.4)]
    assert contest.interval(deals) == contest.plain(deals)
    assert contest.interval(deals).low < 0.5


def test_a_contest_without_luck_plays_the_matches_of_the_plain_one():
    chosen = ("pazaak", "rookie", ["random"], 4)
    deals, (own, others) = WithoutLuck(*chosen).play(range(2))
    shares, _ = Contest(*chosen).play(range(2))
    assert WithoutLuck(*chosen).plain(deals).value == sum(shares) / 2
    assert own.moves
    assert others.moves


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
