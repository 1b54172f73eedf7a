"""Somebody wants a name that hides, breaks a page or is taken for somebody else's."""

from importlib import import_module

import pytest
from django.apps import apps

from accounts import services
from accounts.models import User
from accounts.names import is_reserved
from accounts.refusals import BadAccount
from accounts.skeleton import _table, letters_read_twice, skeleton
from cardroom.rules import catalog
from tests.api.calls import post, refused
from tests.conftest import PASSWORD
from tests.security.test_races import at_once

ME = "/api/v1/accounts/me"
# Drawn as nothing, or round other letters: variation selectors, joiners, fillers, enclosing marks.
UNSEEN = [
    "A\ufe00da",
    "A\u0489da",
    "A\u20ddda",
    "A\u034fda",
    "\u115f",
    "A\u180bda",
    "A\U000e0100da",
]
UNSEEN += ["A\u2800da", "A\u17b4da"]
UNSEEN += ["A\u202eda", "A\u200bda", "\u3164", "\u2066x", "A\x07", "x" * 41]


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
    assert (answer.status_code, list(answer.json()["fields"])) == (422, ["display_name"])


HOUSE = [
    "greedy",
    "Gr33dy",
    "Gгееdу",
    "bot",
    "B0T",
    "You",
    "Sen",
    "Ты",
    "ty",
    "Computer",
    "компьютер",
]
HOUSE += ["Strong searcher", "strong-searcher", "Dеleted player", "Professor"]


@pytest.mark.parametrize("name", HOUSE)
def test_is_taken_for_the_house(ada, keyed, name):
    """Bots by slug and name, and what pages call their reader and the computer."""
    program = keyed(ada)
    answer = renamed(program, name)
    assert (answer.status_code, list(answer.json()["fields"])) == (422, ["display_name"])
    seats = [{"kind": "me"}, {"kind": "local", "name": name}]
    assert refused(post(program, "matches", {"game": "pisti", "seats": seats}), "bad_seats")


def test_every_bot_is_of_the_house(db):
    bots = [bot for game in catalog.GAMES for bot in game.bots]
    assert all(is_reserved(bot.slug) and is_reserved(bot.name) for bot in bots)
    assert not any(is_reserved(name) for name in ("Ada", "Botticelli", "Randomir", "★", "Youssef"))


@pytest.mark.parametrize("name", ["greedy", "random", "Computer", "bot"])
def test_registers_as_the_house(api, db, name):
    answer = api.post("/api/v1/accounts/register", {"username": name, "password": PASSWORD})
    assert (answer.status_code, list(answer.json()["fields"])) == (422, ["username"])


def test_who_has_a_name_of_the_house_already_keeps_it(ada, keyed):
    User.objects.filter(pk=ada.pk).update(username="greedy", display_name="Greedy")
    answer = keyed(ada).patch(ME, {"display_name": "Greedy", "language": "tr"})
    assert (answer.status_code, answer.json()["display_name"]) == (200, "Greedy")


def test_a_sign_in_colours_is_the_sign(ada, keyed):
    assert renamed(keyed(ada), "Ada \u2764\ufe0f").json()["display_name"] == "Ada \u2764"


@pytest.mark.parametrize("name", ["ben", "BEN", " Ben "])
def test_is_taken_for_another_player(ada, ben, keyed, name):
    assert renamed(keyed(ada), name).status_code == 422


@pytest.mark.parametrize(
    "name",
    [
        "Вen",
        "Βen",
        "B.en",
        "Bén",
        "ｂｅｎ",
        "B e n",
        "Bеn",
        "ᏴEN",
        "𝐁𝐞𝐧",
        "Ben\ufe0f",
        "ʙᴇɴ",
        "B\u05b7en",
    ],
)
def test_looks_like_another_player(ada, ben, keyed, name):
    answer = renamed(keyed(ada), name)
    assert (answer.status_code, list(answer.json()["fields"])) == (422, ["display_name"])


@pytest.mark.parametrize(
    ("name", "other"), [("Barnie1", "bamiel"), ("B0b", "Вօb"), ("Ivan", "lvan"), ("★", " ★ ")]
)
def test_some_letters_are_one_to_the_eye(name, other):
    assert skeleton(name) == skeleton(other)


@pytest.mark.parametrize(("name", "other"), [("ガ", "カ"), ("Ada", "Adam"), ("★", "☆"), ("7", "L")])
def test_and_others_are_not(name, other):
    assert skeleton(name) != skeleton(other)


def test_the_table_is_read_in_both_directions():
    """What looks like one of our letters is that letter, or is in no name."""
    missed = {
        (one, other)
        for one, like in _table().items()
        for other in like
        if one.isalnum() and other.isalnum() and not letters_read_twice() & {one, other}
        if skeleton(one) != skeleton(other)
        if any(each.isascii() and each.isalnum() for each in (skeleton(one), skeleton(other)))
    }
    assert {other for _, other in missed} == {"l\u0674"}  # a mark of Arabic, which does not count


@pytest.mark.parametrize("name", ["ſreddy", "ſReddy", "Ϲleo", "ϲleo", "roſe"])
def test_a_letter_that_is_read_as_two_is_in_no_new_name(ada, guest, keyed, name):
    for user in (ada, guest):
        answer = renamed(keyed(user), name)
        assert (answer.status_code, list(answer.json()["fields"])) == (422, ["display_name"])


@pytest.mark.parametrize(
    ("name", "other"), [("\u0138ate", "Kate"), ("Mi\u028di", "Mimi"), ("\u0627da", "Ida")]
)
def test_letters_that_others_look_like_are_drawn_as_ours(name, other):
    assert skeleton(name) == skeleton(other)


def test_registers_as_somebody_else(api, ben):
    services.change_profile(user=ben, display_name="Lady Luck")
    answer = api.post("/api/v1/accounts/register", {"username": "1ady-luck", "password": PASSWORD})
    assert (answer.status_code, answer.json()["code"]) == (409, "username_taken")


def test_a_guest_registers_under_the_name_of_somebody_else(ben):
    guest = services.open_guest()
    services.change_profile(user=guest, display_name="Dora")
    services.change_profile(user=ben, display_name="D0ra")
    claimed = services.register(username="Emil", password=PASSWORD, guest=guest)
    assert claimed.display_name == "Emil"


@pytest.mark.django_db(transaction=True)
def test_two_take_one_name_at_the_same_moment(ada, ben):
    found = at_once(
        lambda: services.change_profile(user=ada, display_name="Nora"),
        lambda: services.change_profile(user=ben, display_name="Νora"),
    )
    assert [type(each) for each in found].count(BadAccount) == 1


def test_accounts_from_before_keep_their_names(ada, ben):
    User.objects.update(name_skeleton=None, display_name="Twin")
    import_module("accounts.migrations.0006_fill_name_skeletons").fill(apps, None)
    kept = dict(User.objects.values_list("username", "name_skeleton"))
    assert kept == {"Ada": "twln", "Ben": None}
    services.change_profile(user=User.objects.get(pk=ben.pk), display_name="Twin", language="en")


def test_skeletons_are_drawn_again(ada, ben, cleo, guest):
    """Of those that look alike by now the oldest keeps it; one may get what another one had."""
    drawn = {"Ada": ("Twin", "old"), "Ben": ("Tw\u0489in", "tw\u0489in"), "Cleo": ("Old", "twln")}
    for username, (shown, kept) in drawn.items():
        User.objects.filter(username=username).update(display_name=shown, name_skeleton=kept)
    draw_again = import_module("accounts.migrations.0011_skeletons_by_the_table").draw_again
    for _ in range(2):
        draw_again(apps, None)
        kept = dict(User.objects.values_list("username", "name_skeleton"))
        assert kept == {"Ada": "twln", "Ben": None, "Cleo": "old", guest.username: None}
    assert User.objects.get(username="Ben").display_name == "Tw\u0489in"


def test_a_display_name_is_somebodys_too(ada, ben, keyed):
    assert renamed(keyed(ben), "Lady Ada").status_code == 200
    assert renamed(keyed(ada), "lady ada").status_code == 422
    assert renamed(keyed(ben), "Lady Ada").status_code == 200  # one's own stays


@pytest.mark.parametrize("name", ["admin", "Adm1n", "cardroom"])
def test_registers_as_the_staff(api, db, name):
    answer = api.post("/api/v1/accounts/register", {"username": name, "password": PASSWORD})
    assert (answer.status_code, list(answer.json()["fields"])) == (422, ["username"])


def test_the_page_says_so_too(client, ada, ben):
    client.force_login(ada)
    answer = client.post("/accounts/profile/", {"display_name": "Ben", "language": "en"})
    assert answer.status_code == 422
    assert "Another player has this name" in answer.content.decode()


def test_guests_keep_the_names_that_were_drawn(db, keyed):
    first, second = services.open_guest(), services.open_guest()
    services.change_profile(user=second, display_name=first.display_name)
    assert second.display_name == first.display_name
