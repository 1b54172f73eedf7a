"""Options and presets of Pişti (rules §2)."""

import pytest

from cardroom.rules.pisti import GAME as PISTI
from cardroom.rules.pisti.events import Captured, DealStarted, Pisti
from cardroom.rules.values import BadOptions
from tests.rules.pisti.scene import deck, last_play, options, play, scene, scores, stacked, told


def test_defaults_are_the_classic_match():
    assert options() == options("classic")
    assert options().target_score == 151
    assert PISTI.seats(options()) == 2


@pytest.mark.parametrize(
    ("preset", "facts"),
    [
        ("single", {"players": 2, "target_score": None, "starter_rule": "fixed"}),
        ("four", {"players": 4, "teams": False, "target_score": 151}),
        (
            "partnership",
            {"players": 4, "teams": True, "bottom_card": "exposed", "show_counts": False},
        ),
    ],
)
def test_presets(preset, facts):
    chosen = options(preset)
    assert {name: getattr(chosen, name) for name in facts} == facts


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"teams": True}, "needs four players, not 2"),
        ({"players": 3, "teams": True}, "needs four players, not 3"),
        ({"fixed_starter_seat": 2}, "one of the 2 at the table"),
        ({"players": 5}, "<= 4"),
        ({"players": 1}, ">= 2"),
        ({"target_score": 0}, ">= 1"),
        ({"pisti_points": -1}, ">= 0"),
        ({"starter_rule": "loser"}, "loser"),
        ({"bottom_card": "open"}, "open"),
        ({"jokers": 2}, "jokers"),
        ({"teams": "yes"}, "bool"),
    ],
)
def test_bad_options_say_what_is_wrong(values, said):
    with pytest.raises(BadOptions) as refused:
        options(**values)
    assert said in str(refused.value)


def test_every_fault_is_named():
    with pytest.raises(BadOptions) as refused:
        options(teams=True, fixed_starter_seat=3)
    assert len(refused.value.faults) == 2
    assert tuple(refused.value.fields) == ("teams", "fixed_starter_seat")


def test_sides_are_partners_opposite_each_other():  # R2
    assert PISTI.sides_of(options("partnership")) == ((0, 2), (1, 3))
    assert PISTI.sides_of(options("four")) == ((0,), (1,), (2,), (3,))


@pytest.mark.parametrize("starter", [0, 1, 2])
def test_a_fixed_starter_starts_every_deal(starter):
    values = {"starter_rule": "fixed", "fixed_starter_seat": starter}
    state = last_play("", "3C", players=3, last_capturer=0, **values)
    step = play(state, "2 3C", shuffle=stacked(deck("")))
    dealer = (starter - 1) % 3
    assert told(step, DealStarted) == [DealStarted(2, dealer, starter)]
    assert PISTI.to_act(step.state) == (starter,)


def test_house_values_of_a_pisti():
    values = {"pisti_points": 5, "double_pisti_points": 10}
    single = play(scene("TC", ("TD 2C", "3C"), **values), "0 TD")
    double = play(scene("JC", ("JD 2C", "3C"), **values), "0 JD")
    assert told(single, Pisti) == [Pisti(0, 0, "single", 5)]
    assert told(double, Pisti) == [Pisti(0, 0, "double", 10)]


def test_pistis_count_at_the_end_of_the_deal():  # R21, R23
    state = last_play("", "3C", pistis=(2, 1), doubles=(0, 1), majority_points=0)
    assert play(state, "1 3C").scores == (20, 30)


@pytest.mark.parametrize(("points", "won"), [(0, 0), (3, 3), (7, 7)])
def test_the_majority_is_worth_its_points(points, won):
    state = last_play("", "3C", ["4C 5C", ""], last_capturer=0, majority_points=points)
    assert play(state, "1 3C").scores == (won, 0)


@pytest.mark.parametrize(
    ("pile", "card", "kind", "points"), [("6H", "6D", "single", 10), ("JC", "JH", "double", 20)]
)
def test_the_last_card_may_score_too(pile, card, kind, points):  # R19 switched off
    step = play(last_play(pile, card, last_card_pisti=True), f"1 {card}")
    assert told(step, Captured) == [Captured(1, 2)]
    assert told(step, Pisti) == [Pisti(1, 1, kind, points)]
    assert scores(step).sides[1].deal_points >= points


def test_without_a_target_the_match_is_one_deal():  # R28
    step = play(last_play("", "3C", ["TD", ""], last_capturer=0, target_score=None), "1 3C")
    outcome = PISTI.outcome(step.state)
    assert (outcome.winners, outcome.reason, outcome.points) == ((0,), "deal", (6, 0))


def test_without_a_target_equal_scores_are_a_draw():  # R28
    state = last_play("", "3C", ["AC", "AD"], target_score=None, majority_points=0)
    outcome = PISTI.outcome(play(state, "1 3C").state)
    assert (outcome.winners, outcome.places) == ((0, 1), (1, 1))
