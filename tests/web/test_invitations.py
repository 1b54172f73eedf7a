"""Who wants to play with whom: rematches, invitations in the lobby, and how they are answered."""

import pytest

from games.matches import joining
from games.matches.joining import open_rematch
from tests.matches.scenes import now, opened, played, short
from tests.web.browsing import Browser, signed_in


@pytest.fixture
def over(ada, ben):
    """A match of Ada and Ben that was played to its end."""
    match = short(ada, "pisti", "me, user ben")
    signed_in(ben).open(f"/matches/{match.id}").press("Sit down here")
    return played(now(match))


class TestRematch:
    @pytest.fixture
    def wished(self, ada, over):
        return open_rematch(match_id=over.id, user=ada)

    def test_the_other_is_told_who_wants_it_and_accepts(self, ben, over, wished):
        browser = signed_in(ben).open(f"/matches/{over.id}")
        assert "Ada would like a rematch." in browser.text
        assert "Again" not in browser.text
        browser.press("Accept")
        assert browser.match_id == str(wished.id)
        assert now(wished).status == "active"

    def test_the_other_declines_and_stays_at_the_ending(self, ben, over, wished):
        browser = signed_in(ben).open(f"/matches/{over.id}").press("Decline")
        assert browser.match_id == str(over.id)
        assert "would like a rematch" not in browser.text
        assert "Again" in browser.text
        assert now(wished).status == "aborted"

    def test_after_no_it_can_be_asked_for_again(self, ada, ben, over, wished):
        signed_in(ben).open("/lobby").press("Decline")
        assert now(wished).status == "aborted"
        again = open_rematch(match_id=over.id, user=ada)
        assert again.id != wished.id
        assert "Ada would like a rematch." in signed_in(ben).open(f"/matches/{over.id}").text

    def test_an_open_page_learns_of_it(self, ben, over, ada):
        browser = signed_in(ben).open(f"/matches/{over.id}")
        shown = browser.page.split('data-tag="')[1].split('"')[0]
        news = f"/matches/{over.id}/news?shown={shown}"
        assert browser.open(news).status == 204
        open_rematch(match_id=over.id, user=ada)
        assert "Ada would like a rematch." in browser.open(news).text

    def test_nobody_else_is_told(self, ada, cleo, stranger, over, wished):
        for browser in (signed_in(ada), signed_in(cleo), stranger):
            assert "would like a rematch" not in browser.open(f"/matches/{over.id}").text

    def test_who_was_blocked_cannot_ask(self, ben, over, wished):
        """Neither on the ending nor in the lobby."""
        seat = next(seat.index for seat in over.seats if seat.user_id != ben.id)
        joining.block_player(match_id=over.id, user=ben, seat=seat)
        browser = signed_in(ben)
        assert "would like a rematch" not in browser.open(f"/matches/{over.id}").text
        assert "would like a rematch" not in browser.open("/lobby").text


class TestLobby:
    @pytest.mark.parametrize("visibility", ["public", "unlisted", "private"])
    def test_an_invitation_names_its_host_and_is_listed_once(self, ada, ben, visibility):
        match = opened(ada, "me, user ben", visibility=visibility)
        browser = signed_in(ben).open("/lobby")
        assert "Ada invites you." in browser.text
        assert browser.page.count(f'href="/matches/{match.id}"') == 1
        assert browser.press("Accept").match_id == str(match.id)
        assert now(match).status == "active"

    @pytest.mark.parametrize("visibility", ["public", "unlisted", "private"])
    def test_it_is_declined_there(self, ada, ben, visibility):
        match = opened(ada, "me, user ben", visibility=visibility)
        browser = signed_in(ben).open("/lobby").press("Decline")
        assert browser.address == "/lobby"
        assert "You have declined the invitation." in browser.text
        assert "invites you" not in browser.text
        assert now(match).seats[1].user_id is None

    def test_a_rematch_is_told_as_one(self, ada, ben, over):
        open_rematch(match_id=over.id, user=ada)
        assert "Ada would like a rematch." in signed_in(ben).open("/lobby").text

    def test_the_host_waits_for_somebody_and_not_for_no_seats(self, ada, ben, at_home):
        opened(ada, "me, user ben")
        text = at_home.open("/lobby").text
        assert "waiting for Ben" in text
        assert "0 seats" not in text

    def test_only_who_is_invited_declines(self, ada, ben, cleo, at_home):
        match = opened(ada, "me, user ben")
        for browser in (at_home, signed_in(cleo)):
            token = browser.open("/new").page.split('csrfmiddlewaretoken" value="')[1].split('"')[0]
            sent = {"csrfmiddlewaretoken": token}
            answer = browser.client.post(f"/matches/{match.id}/decline", sent)
            assert answer.status_code == 404
        assert now(match).status == "open"
        assert now(match).is_invited(ben.id)


def test_the_table_that_waits_names_host_and_guest(ada, ben, at_home):
    match = opened(ada, "me, user ben")
    assert "kept for Ben" in at_home.open(f"/matches/{match.id}").text
    browser = signed_in(ben).open(f"/matches/{match.id}")
    assert "Ada invites you to this match." in browser.text
    assert browser.press("Decline").address == "/lobby"


# A host is told on the page who declined and why, and has three ways to go on.

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
