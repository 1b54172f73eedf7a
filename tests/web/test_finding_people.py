"""Inviting: the page that a stranger gets, the code for a phone, names of people one knows."""

import re
from xml.etree import ElementTree

import pytest

from accounts import services
from accounts.apps import SocialConfig
from accounts.models import User
from accounts.social.models import Privacy
from accounts.social.services import block
from games.lobby import challenges
from games.lobby.challenges import NewChallenge, challenge_of
from games.matches import joining
from games.matches.models import Match
from games.matches.refusals import UnknownUser
from tests.conftest import PASSWORD
from tests.matches.scenes import now, opened
from tests.web.browsing import signed_in

HIDDEN: set = set()
FRIENDS: dict = {}


def friends_of(account):
    return FRIENDS.get(account, [])


def hidden_from(_account, among):
    return HIDDEN & among


@pytest.fixture
def offers(monkeypatch):
    """The declarations of an app that knows friends."""
    for name in ("friends_of", "hidden_from"):
        monkeypatch.setattr(SocialConfig, name, f"{__name__}.{name}", raising=False)
    yield
    HIDDEN.clear()
    FRIENDS.clear()


class TestPageOfAnInvitation:
    @pytest.fixture
    def table(self, ada):
        return opened(ada, "me, open", options={"target_score": 51}, turn_seconds=20)

    def test_a_stranger_reads_what_it_is_and_presses_one_button(self, table, stranger):
        stranger.open(f"/matches/{table.id}")
        words = ("Ada wants to play Pişti.", "Blitz", ": 51", "rated", "You need no account")
        for word in words:
            assert word in stranger.text
        assert "Decline" not in stranger.text  # nobody asked them
        stranger.press("Play along")
        assert now(table).status == "active"
        assert User.objects.get(pk=now(table).seats[1].user_id).is_guest

    def test_an_invited_person_sits_on_the_kept_seat(self, ada, ben):
        table = opened(ada, "me, open, user ben", options={"players": 3})
        signed_in(ben).open(f"/matches/{table.id}").press("Play along")
        assert now(table).seats[2].user_id == ben.pk

    def test_who_cannot_sit_is_told(self, ada, ben, cleo):
        table = opened(ada, "me, user ben")
        page = signed_in(cleo).open(f"/matches/{table.id}")
        assert "No seat is free for you." in page.text
        assert "Play along" not in page.text

    def test_the_host_is_not_invited(self, table, at_home):
        assert "Play along" not in at_home.open(f"/matches/{table.id}").text


class TestCode:
    def test_it_is_a_picture_of_ours(self, ada, stranger):
        table = opened(ada, "me, open")
        page = signed_in(ada).open(f"/matches/{table.id}").page
        (source,) = re.findall(r'<img src="([^"]+code\.svg)"', page)
        answer = stranger.client.get(source)
        assert answer["Content-Type"] == "image/svg+xml"
        assert ElementTree.fromstring(answer.content).tag.endswith("svg")
        assert answer.content != stranger.client.get(f"/matches/{opened(ada).id}/code.svg").content

    def test_of_a_private_match_there_is_none(self, ada, stranger, at_home):
        match = opened(ada, "me, open", visibility="private")
        assert stranger.client.get(f"/matches/{match.id}/code.svg").status_code == 404
        assert at_home.client.get(f"/matches/{match.id}/code.svg").status_code == 200


def known(user, begins=""):
    page = signed_in(user).client.get("/known", {"begins": begins}).content.decode()
    return re.findall(r'value="([^"]+)"', page)


class TestNames:
    @pytest.fixture
    def played(self, ada, ben):
        joining.join(match_id=opened(ada, "me, open").id, user=ben)

    def test_strangers_are_never_named(self, ada, ben, cleo):
        assert known(ada, "B") == known(ada) == []

    def test_those_one_has_played_with(self, ada, ben, cleo, played):
        assert known(ada, "b") == known(ada) == ["Ben"]
        assert known(ada, "c") == []
        assert known(ben) == ["Ada"]

    def test_friends_come_first(self, ada, ben, played, offers):
        zoe = services.register(username="Zoe", password=PASSWORD)
        FRIENDS[ada.pk] = [zoe.pk]
        assert known(ada) == ["Zoe", "Ben"]

    @pytest.mark.parametrize("by", ["ada", "ben"])
    def test_not_over_a_block(self, ada, ben, played, by):
        owner, blocked = (ada, ben) if by == "ada" else (ben, ada)
        block(owner=owner, blocked=blocked.pk)
        assert known(ada) == []

    def test_not_those_who_hide(self, ada, ben, played, offers):
        HIDDEN.add(ben.pk)
        assert known(ada) == []
        FRIENDS[ada.pk] = [ben.pk]
        assert known(ada) == ["Ben"]

    def test_a_visitor_knows_nobody(self, stranger, ada, ben, played):
        assert stranger.client.get("/known", {"begins": "B"}).content.strip() == b""

    def test_odd_beginnings(self, ada, ben, played):
        for begins in ("%", "_", "b%", "\\", "x" * 500, "<b>"):
            assert known(ada, begins) == []

    def test_a_hidden_account_is_as_one_that_does_not_exist(self, ada, ben, offers):
        HIDDEN.add(ben.pk)
        with pytest.raises(UnknownUser) as hidden:
            opened(ada, "me, user Ben")
        with pytest.raises(UnknownUser) as missing:
            opened(ada, "me, user Bem")
        assert str(hidden.value).replace("Ben", "Bem") == str(missing.value)
        FRIENDS[ada.pk] = [ben.pk]
        assert opened(ada, "me, user Ben").seats[1].invited_id == ben.pk


def test_whoever_hides_the_profile_is_hidden_here_too(ada, ben):
    joining.join(match_id=opened(ada, "me, open").id, user=ben)
    Privacy.objects.create(account=ben, hides_profile=True)
    assert known(ada) == []
    with pytest.raises(UnknownUser):
        opened(ada, "me, user Ben")


# A challenge on the pages: from a profile, in the lobby, on a page of its own.


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
