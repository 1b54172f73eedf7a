"""Clocks at the seats, rounds taken back, players who do not come: by forms alone."""

from datetime import timedelta

import pytest
import time_machine

from games.lobby.finding import TableFilter
from games.matches import joining
from games.matches.models import Match
from games.matches.time_bank import Clock
from tests.matches.scenes import move, now, opened, played
from tests.web.browsing import Browser, signed_in


def table(match):
    return f"/matches/{match.id}"


@pytest.fixture
def match(ada, ben):
    match = joining.join(match_id=opened(ada, "me, open", rated=False).id, user=ben)
    return played(match, 2)


class TestClocks:
    @pytest.mark.parametrize("game", ["pisti", "pazaak", "shithead", "pyanitsa"])
    def test_each_seat_shows_its_bank_and_the_running_one_when_it_is_empty(
        self, at_home, ada, ben, game
    ):
        match = opened(ada, "me, open", game, clock=Clock(600, 5))
        match = joining.join(match_id=match.id, user=ben)
        page = at_home.open(table(match)).page
        assert page.count("seat-bank") == 2
        assert page.count('class="seat-bank runs"') == len(match.people_to_act)
        assert "10:00" in page or "9:5" in page

    def test_a_match_without_one_shows_none(self, at_home, match):
        assert "seat-bank" not in at_home.open(table(match)).page

    def test_the_form_of_a_new_match_has_them(self, at_home):
        at_home.open("/new?game=pisti")
        assert 'value="600+5"' in at_home.page
        at_home.press("Start", turn_seconds="600+5")
        assert "seat-bank" in at_home.page
        assert at_home.status == 200

    def test_nobody_types_a_clock_of_their_own(self, at_home):
        at_home.open("/new?game=pisti").press("Start", turn_seconds="1+0")
        assert "seat-bank" not in at_home.page

    def test_the_lobby_counts_it_as_played_at_once(self, ada):
        match = opened(ada, "me, open", clock=Clock(600, 5), visibility="public")
        for pace, is_there in (("live", True), ("slow", False), ("none", False)):
            shown = TableFilter(pace=pace).applied(Match.objects.filter(id=match.id))
            assert shown.exists() is is_there

    def test_an_invitation_says_what_it_is(self, ada):
        match = opened(ada, "me, open", clock=Clock(600, 5))
        assert "Clock: 10:00 and 5 s a move" in Browser().open(table(match)).text

    def test_somebody_to_play_with_by_the_clock(self, at_home):
        at_home.open("/lobby").press("Pişti", pace="600+5")
        assert "Clock: 10:00 and 5 s a move" in at_home.text


class TestTakingBack:
    def test_asked_and_agreed(self, match, ada, ben):
        here, there = signed_in(ada), signed_in(ben)
        here.open(table(match)).press("Ask the others")
        assert "You have asked to take back: deal 1" in here.text
        assert "Ada asks to take back: deal 1" in there.open(table(match)).text
        there.press("Agree")
        assert "All have agreed. Dealt again: deal 1" in there.text
        assert now(match).version == 3

    def test_declined(self, match, ada, ben):
        signed_in(ada).open(table(match)).press("Ask the others")
        signed_in(ben).open(table(match)).press("Decline")
        page = signed_in(ada).open(table(match))
        assert "Ben does not want to take back: deal 1" in page.text
        assert "Ask the others" not in page.text
        assert "Ask the others" in signed_in(ben).open(table(match)).text

    def test_withdrawn(self, match, ada, ben):
        signed_in(ada).open(table(match)).press("Ask the others").press("Withdraw the request")
        assert "asks to take back" not in signed_in(ben).open(table(match)).text

    def test_too_late_is_said(self, match, ada, ben):
        signed_in(ada).open(table(match)).press("Ask the others")
        page = signed_in(ben).open(table(match))
        move(now(match))
        page.press("Agree")
        assert "Nobody asks for that any more." in page.text
        assert page.status == 200

    def test_spectators_and_rated_tables_are_not_asked(self, match, ada, ben, cleo):
        signed_in(ada).open(table(match)).press("Ask the others")
        assert "asks to take back" not in signed_in(cleo).open(table(match)).text
        rated = joining.join(match_id=opened(ada, "me, open").id, user=ben)
        assert "Take back" not in signed_in(ada).open(table(played(rated, 2))).text

    def test_alone_it_opens_the_match_before_the_last_move(self, at_home, ada):
        match = played(opened(ada, "me, bot greedy"), 4)
        at_home.open(table(match)).press("Take my last move back")
        assert at_home.address != table(match)
        loaded = now(match)
        assert not loaded.rated
        assert "not rated" in at_home.text

    def test_alone_there_is_nothing_before_the_first_move(self, at_home, ada):
        page = at_home.open(table(opened(ada, "me, bot greedy")))
        assert "Take my last move back" not in page.text


class TestAbsence:
    def test_the_one_who_is_awaited_reads_it(self, match, ada, ben):
        with time_machine.travel(timedelta(days=1, hours=1)):
            assert "The others wait for you" in signed_in(ada).open(table(match)).text
            assert "The others wait for you" not in signed_in(ben).open(table(match)).text

    @pytest.mark.parametrize(("says", "status"), [("Claim", "finished"), ("Call it", "aborted")])
    def test_the_other_ends_it(self, match, ada, ben, says, status):
        assert says not in signed_in(ben).open(table(match)).text
        with time_machine.travel(timedelta(days=3, hours=1)):
            assert says not in signed_in(ada).open(table(match)).text
            page = signed_in(ben).open(table(match))
            assert "You have waited for Ada" in page.text
            page.press(says)
        assert (page.status, now(match).status) == (200, status)
