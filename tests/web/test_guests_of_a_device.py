"""A person at somebody's device goes by any name; everybody else reads whose guest that is."""

import pytest
from django.urls import reverse

from games.matches import joining
from games.matches.models import Seat
from tests.admin.test_acts import staff
from tests.matches.scenes import now, opened
from tests.web.browsing import signed_in

TOLD = "Cleo (guest of Ada)"


@pytest.fixture
def match(ada, ben, cleo):
    waiting = opened(ada, "me, local Cleo, open", options={"players": 3}, visibility="public")
    return joining.join(match_id=waiting.id, user=ben)


def test_others_read_whose_guest_it_is(match, ada, ben, stranger):
    for browser in (signed_in(ben), stranger):
        assert TOLD in browser.open(f"/matches/{match.id}").text
    host = signed_in(ada).open(f"/matches/{match.id}").text
    assert "Cleo" in host
    assert "guest of" not in host


def test_in_the_readers_language(match, stranger):
    page = stranger.client.get(f"/matches/{match.id}", headers={"Accept-Language": "tr"})
    assert "Cleo (Ada kişisinin konuğu)" in page.content.decode()


def test_in_the_lobby(ada, cleo, stranger):
    opened(ada, "me, local Cleo, open", options={"players": 3}, visibility="public")
    assert TOLD in stranger.open("/lobby").text
    host = signed_in(ada).open("/lobby").text
    assert "Cleo" in host
    assert "guest of" not in host


def test_a_guest_is_not_the_host_of_the_table(ada, stranger):
    opened(ada, "local Cleo, me, open", options={"players": 3}, visibility="public")
    text = stranger.open("/lobby").text
    assert "with Ada" in text
    assert "with Cleo" not in text


def test_a_host_without_a_seat_is_not_named(ada, ben):
    match = opened(ada, "local Cleo, local Dora")
    assert "Cleo (guest)" in signed_in(ben).open(f"/matches/{match.id}").text


def test_operators_read_it(match, ada):
    browser = staff("referee")
    for page in (
        reverse("admin:games_match_changelist"),
        reverse("admin:games_match_change", args=[match.id]),
    ):
        assert TOLD in browser.get(page).content.decode()
    person = browser.get(reverse("admin:operations_person_change", args=[ada.pk]))
    assert "a guest of theirs" in person.content.decode()


def test_programs_and_records_read_the_name(match, second):
    seats = second.get(f"/api/v1/matches/{match.id}").json()["seats"]
    assert [(seat["kind"], seat["name"]) for seat in seats][1] == ("local", "Cleo")
    assert Seat.objects.get(match=match.id, index=1).name == now(match).seats[1].name == "Cleo"
