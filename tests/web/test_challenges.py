"""A challenge on the pages: from a profile, in the lobby, on a page of its own."""

import pytest

from accounts.social.models import Privacy
from games.lobby import challenges
from games.lobby.challenges import NewChallenge, challenge_of
from games.matches.models import Match
from tests.web.browsing import signed_in


@pytest.fixture
def waiting(ada, ben):
    terms = NewChallenge(game="pisti", username="ben", pace="slow_3", rated=True, seat=0)
    return challenges.send_challenge(account=ada, terms=terms)


def test_from_a_profile_to_the_table(ada, ben):
    browser = signed_in(ada).open("/people/Ben")
    assert 'href="/people/Ben/challenge"' in browser.page
    browser.open("/people/Ben/challenge").press("Challenge", rules="pazaak:classic", pace="slow_1")
    assert "You challenge Ben" in browser.text
    match = Match.objects.get()
    assert (match.game, match.turn_seconds, match.status) == ("pazaak", 86400, "open")
    other = signed_in(ben).open(f"/challenges/{match.id}")
    assert "Ada challenges you" in other.text
    assert other.press("Accept").match_id == str(match.id)
    assert Match.objects.get().status == "active"
    assert signed_in(ada).open(f"/challenges/{match.id}").match_id == str(match.id)


def test_the_lobby_shows_terms_and_both_answers(ada, ben, waiting):
    browser = signed_in(ben).open("/lobby")
    assert "Ada challenges you" in browser.text
    assert "3 days a move" in browser.text
    assert "Ada invites you." not in browser.text
    assert "You challenge Ben" in signed_in(ada).open("/lobby").text
    browser.press("Accept")
    assert Match.objects.get().status == "active"


def test_declined_with_a_reason_that_the_other_reads(ada, ben, waiting):
    page = f"/challenges/{waiting}"
    signed_in(ben).open(page).press("Decline", reason="busy")
    assert challenge_of(ada.pk, waiting).reason == "busy"
    told = signed_in(ada).open(page).text
    assert "Ben has declined." in told
    assert "I have no time now" in told
    assert "Ada challenges you" not in signed_in(ben).open("/lobby").text


def test_withdrawn_and_answered_too_late(ada, ben, waiting):
    late = signed_in(ben).open(f"/challenges/{waiting}")
    signed_in(ada).open(f"/challenges/{waiting}").press("Withdraw")
    late.press("Accept")
    assert "The challenge was withdrawn." in late.text
    assert Match.objects.get().status == "aborted"


def test_the_table_of_a_challenge_is_its_page(ada, ben, waiting):
    for person in (ada, ben):
        assert "challenge" in signed_in(person).open(f"/matches/{waiting}").text.lower()


def test_nobody_else_learns_of_it(cleo, stranger, waiting):
    assert signed_in(cleo).open(f"/challenges/{waiting}").status == 404
    assert "Ada" not in stranger.open(f"/challenges/{waiting}").text


def test_who_hides_is_nobody(ada, ben):
    Privacy.objects.create(account=ben, hides_profile=True)
    assert signed_in(ada).open("/people/Ben/challenge").status == 404


@pytest.mark.parametrize("sent", [{}, {"rules": "chess:odd", "pace": "x", "seat": "9"}])
def test_odd_fields_are_as_usual(ada, ben, sent):
    browser = signed_in(ada).open("/people/Ben/challenge").press("Challenge", **sent)
    assert "You challenge Ben" in browser.text
    assert Match.objects.get().turn_seconds is None
