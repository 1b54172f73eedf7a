"""Inviting: the page that a stranger gets, the code for a phone, names of people one knows."""

import re
from xml.etree import ElementTree

import pytest

from accounts import services
from accounts.apps import SocialConfig
from accounts.models import User
from accounts.social.models import Privacy
from accounts.social.services import block
from games.matches import joining
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
    """What an app that knows friends would declare."""
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
