"""A host is told on the page who declined and why, and has three ways to go on."""

import pytest

from games.matches import joining
from tests.matches.scenes import now, opened
from tests.web.browsing import Browser, signed_in

REASONS = {
    "game": "Ben declined: not this game.",
    "time": "Ben declined: no time for it.",
    "busy": "Ben declined: busy with other matches.",
    "generic": "Ben declined.",
}


def table(match):
    return f"/matches/{match.id}"


@pytest.mark.parametrize("reason", REASONS)
def test_who_declined_and_why(at_home, ada, ben, reason):
    match = opened(ada, "me, user ben", visibility="private")
    assert "kept for Ben" in at_home.open(table(match)).text
    joining.leave(match_id=match.id, user=ben, reason=reason)
    assert REASONS[reason] in at_home.open(table(match)).text
    assert "Open to anybody" not in at_home.text  # nobody could see it


def test_the_seat_is_free_for_nobody_else(ada, ben, cleo):
    match = joining.leave(match_id=opened(ada, "me, user ben").id, user=ben, reason="busy")
    for person in (ben, cleo):
        page = signed_in(person).open(table(match))
        assert "Ben declined." in page.text
        assert "Sit down here" not in page.text
        assert "Let it play" not in page.text
    assert "Sit down here" not in Browser().open(table(match)).text


class TestThreeWays:
    @pytest.fixture
    def match(self, ada, ben, at_home):
        match = joining.leave(match_id=opened(ada, "me, user ben").id, user=ben)
        at_home.open(table(match))
        return match

    def test_somebody_else(self, at_home, match, cleo):
        at_home.press("Invite", username="cleo")
        assert now(match).is_invited(cleo.id)
        assert "Sit down here" in signed_in(cleo).open(table(match)).text

    def test_anybody(self, at_home, match, cleo):
        at_home.press("Open to anybody")
        assert not now(match).seats[1].is_reserved
        assert "Sit down here" in signed_in(cleo).open(table(match)).text

    def test_a_computer(self, at_home, match):
        at_home.press("Let it play", bot="greedy")
        assert (now(match).status, now(match).seats[1].bot) == ("active", "greedy")

    def test_a_name_that_nobody_has(self, at_home, match):
        before = now(match)
        at_home.press("Invite", username="nobody")
        assert "There is no player called" in at_home.text
        assert now(match) == before
