"""Planning moves on the page of a table, by forms alone."""

import pytest

from games.matches import joining
from tests.matches.scenes import move, now, opened
from tests.web.browsing import signed_in


@pytest.fixture
def waiting(ada, ben):
    """Ada is to act; Ben waits."""
    match = joining.join(match_id=opened(ada, "me, open", "pisti").id, user=ben)
    return match if 0 in match.to_act else move(match)


def hand(match, seat):
    return match.rules.view(match.state, seat).hand


def test_when_they_play_this_i_play_that(ada, ben, waiting):
    mine, theirs = hand(waiting, 1), hand(waiting, 0)
    page = f"/matches/{waiting.id}"
    browser = signed_in(ben).open(page)
    typed = {"what-0": theirs[0].lower(), "play-0": mine[0], "else": mine[1], "then-0": mine[2]}
    browser.press("Plan this", **typed)
    assert f"When they play {theirs[0]}, I play {mine[0]}." in browser.text
    assert f"Otherwise I play {mine[1]}." in browser.text
    other = signed_in(ada).open(page)
    assert "I play " + mine[0] not in other.text
    assert "Plan this" not in other.text  # she is to move
    move(waiting, theirs[0])
    assert now(waiting).version == waiting.version + 2
    browser.open(page)
    assert f"I play {mine[2]}." in browser.text
    browser.press("Withdraw the plan")
    assert f"I play {mine[2]}." not in browser.text


def test_it_says_why_it_was_dropped(ben, waiting):
    browser = signed_in(ben).open(f"/matches/{waiting.id}")
    browser.press("Plan this", **{"what-0": "XX", "play-0": hand(waiting, 1)[0]})
    move(waiting)
    browser.open(f"/matches/{waiting.id}")
    assert "Your plan had no answer to the last move" in browser.text
    assert "no answer" not in browser.press("Understood").text


def test_odd_fields_plan_nothing(ben, waiting):
    browser = signed_in(ben).open(f"/matches/{waiting.id}").press("Plan this")
    assert "Nothing was planned" in browser.text
    browser.press("Plan this", **{"else": "a king"})
    assert browser.alerts
    assert now(waiting).plans == 0


def test_a_quick_match_has_no_such_form(ada, ben):
    match = opened(ada, "me, open", "pisti", turn_seconds=60)
    match = joining.join(match_id=match.id, user=ben)
    for person in (ada, ben):
        assert "Plan your moves" not in signed_in(person).open(f"/matches/{match.id}").text
