"""Somebody wants a name that hides, breaks a page or is taken for somebody else's."""

import pytest

from accounts.services import people
from tests.api.calls import post
from tests.conftest import PASSWORD

ME = "/api/v1/accounts/me"
UNSEEN = ["A\u202eda", "A\u200bda", "\u3164", "\u2066x", "A\x00B"[:1] + "\x07", "x" * 41]


def renamed(program, name):
    return program.patch(ME, {"display_name": name})


@pytest.mark.parametrize("name", UNSEEN)
def test_a_local_player_has_no_unseen_name(ada, keyed, name):
    seats = [{"kind": "me"}, {"kind": "local", "name": name}]
    answer = post(keyed(ada), "matches", {"game": "pisti", "seats": seats})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_seats")


def test_a_local_name_is_one_line(ada, keyed):
    seats = [{"kind": "me"}, {"kind": "local", "name": " Ben \n the  second "}]
    answer = post(keyed(ada), "matches", {"game": "pisti", "seats": seats})
    assert answer.json()["seats"][1]["name"] == "Ben the second"


@pytest.mark.parametrize(
    "name",
    [
        "admin",
        "ADMIN",
        "Adm1n",
        "аdmin",
        "Ad min",
        "ａｄｍｉｎ",
        "ádmin",
        "a.d.m.i.n",
        "Support",
        "r00t",
    ],
)
def test_is_taken_for_the_staff(ada, keyed, name):
    answer = renamed(keyed(ada), name)
    assert (answer.status_code, list(answer.json()["faults"])) == (422, ["display_name"])


@pytest.mark.parametrize("name", ["ben", "BEN", " Ben "])
def test_is_taken_for_another_player(ada, ben, keyed, name):
    assert renamed(keyed(ada), name).status_code == 422


def test_a_display_name_is_somebodys_too(ada, ben, keyed):
    assert renamed(keyed(ben), "Lady Ada").status_code == 200
    assert renamed(keyed(ada), "lady ada").status_code == 422
    assert renamed(keyed(ben), "Lady Ada").status_code == 200  # one's own stays


@pytest.mark.parametrize("name", ["admin", "Adm1n", "cardroom"])
def test_registers_as_the_staff(api, db, name):
    answer = api.post("/api/v1/accounts/register", {"username": name, "password": PASSWORD})
    assert (answer.status_code, list(answer.json()["faults"])) == (422, ["username"])


def test_the_page_says_so_too(client, ada, ben):
    client.force_login(ada)
    answer = client.post("/accounts/profile/", {"display_name": "Ben", "language": "en"})
    assert answer.status_code == 422
    assert "Another player has this name" in answer.content.decode()


def test_guests_keep_the_names_that_were_drawn(db, keyed):
    first, second = people.open_guest(), people.open_guest()
    people.change_profile(user=second, display_name=first.display_name)
    assert second.display_name == first.display_name
