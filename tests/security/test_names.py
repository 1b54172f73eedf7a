"""Somebody wants a name that hides, breaks a page or is taken for somebody else's."""

from datetime import timedelta
from importlib import import_module

import pytest
from axes.models import AccessLog
from django.apps import apps
from django.db import IntegrityError
from django.utils import timezone

from accounts import services
from accounts.audit.log import Actor
from accounts.models import User
from accounts.names import is_reserved, standing_of
from accounts.refusals import BadAccount
from accounts.skeleton import _table, letters_read_twice, skeleton
from cardroom.rules import catalog
from config.refusals import Refusal
from games.competitions.boards import USERNAME, house
from games.matches.models import Match
from games.operations import people as operators
from games.operations.own_data import data_of
from games.people.counting import count_finished
from games.people.models import Result
from tests.api.calls import get, post, refused
from tests.competitions.held import begun, held, matches_of
from tests.conftest import PASSWORD, registered
from tests.people.ended import between
from tests.security.test_presses import at_once

ME = "/api/v1/accounts/me"
# Drawn as nothing, or round other letters: variation selectors, joiners, fillers, enclosing marks.
UNSEEN = [
    *("A\ufe00da", "A\u0489da", "A\u20ddda", "A\u034fda", "\u115f", "A\u180bda", "A\U000e0100da"),
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
        *("admin", "ADMIN", "Adm1n", "аdmin", "Ad min", "ａｄｍｉｎ", "ádmin", "a.d.m.i.n"),
        *("Support", "r00t"),
    ],
)
def test_is_taken_for_the_staff(ada, keyed, name):
    answer = renamed(keyed(ada), name)
    assert (answer.status_code, list(answer.json()["fields"])) == (422, ["display_name"])


HOUSE = [
    *("greedy", "Gr33dy", "Gгееdу", "bot", "B0T", "You", "Sen", "Ты", "ty"),
    *("Computer", "компьютер"),
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
        *("Вen", "Βen", "B.en", "Bén", "ｂｅｎ", "B e n", "Bеn", "ᏴEN", "𝐁𝐞𝐧", "Ben\ufe0f"),
        *("ʙᴇɴ", "B\u05b7en"),
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
    """A character that looks like one of our letters is that letter, or is in no name."""
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


# Somebody wants the account that opens the matches of tournaments, or a name like it.

flag = import_module("accounts.migrations.0017_house_account").flag
hand_over = import_module("games.competitions.migrations.0003_matches_of_the_house").hand_over

LOOK_ALIKES = ["cardroom-tournaments", "Cardroom_Tournaments", "c4rdroom-tournaments"]
LOOK_ALIKES += ["cardroorn-tournaments", "CardroomSupport", "the.cardroom", "imported-0123"]
LOOK_ALIKES += ["deleted-me", "de1eted-me"]
SHOWN = ["Cardroom tournaments", "Саrdrооm-tоurnаments", "CARDR00M", "Cardroom · team"]


@pytest.fixture
def squatter(db):
    """Who had the name before it was reserved."""
    return registered(USERNAME)


class TestTheNameTaken:
    def test_whoever_has_the_name_opens_no_board_and_sees_none(self, squatter, ada, ben, keyed):
        (match,) = matches_of(begun(held(ada, visibility="link"), ada, ben), "active")
        assert match.creator == house() != squatter
        assert match.creator.username.startswith(USERNAME)
        program = keyed(squatter)
        assert get(program, "matches", {"mine": "true"}).json()["results"] == []
        assert post(program, f"matches/{match.id}/abort").status_code == 409

    def test_matches_that_were_opened_for_the_name_are_given_to_the_house(self, squatter, ada, ben):
        (match,) = matches_of(begun(held(ada), ada, ben), "active")
        User.objects.filter(is_house=True).update(is_house=False, username="gone")
        Match.objects.update(creator=squatter)
        flag(apps, None)
        hand_over(apps, None)
        match.refresh_from_db()
        assert match.creator == house() != squatter
        assert Match.objects.filter(creator=squatter).count() == 0

    def test_what_the_release_before_made_is_flagged(self, db):
        made = User(username=USERNAME, display_name="Cardroom")
        made.set_unusable_password()
        User.objects.bulk_create([made])
        flag(apps, None)
        assert house() == made


def test_a_house_that_was_closed_opens_boards_all_the_same(ada, ben):
    User.objects.filter(pk=house().pk).update(is_active=False)
    assert len(matches_of(begun(held(ada), ada, ben), "active")) == 1


def test_operators_neither_suspend_nor_erase_the_house(db):
    by = Actor(None, "eve", "why not")
    for act in (lambda one: operators.suspend(user_id=one, by=by, until=None, resigns=True),
                lambda one: operators.erase(user_id=one, by=by)):  # fmt: skip
        with pytest.raises(Refusal):
            act(house().pk)


def test_the_house_has_no_password(db):
    one = house()
    one.set_password(PASSWORD)
    with pytest.raises(IntegrityError):
        one.save()


@pytest.mark.parametrize("name", LOOK_ALIKES)
def test_nobody_registers_a_name_of_the_house(db, client, guest, keyed, name):
    body = {"username": name, "password": PASSWORD}
    assert client.post("/api/v1/accounts/register", body, "application/json").status_code == 422
    assert refused(post(keyed(guest), "accounts/register", body), "bad_account")
    form = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
    assert client.post("/accounts/signup/", form).status_code == 200  # the form again
    assert not User.objects.filter(username__iexact=name).exists()


@pytest.mark.parametrize("name", SHOWN)
def test_nobody_is_shown_as_the_house(ada, guest, keyed, name):
    for program in (keyed(ada), keyed(guest)):
        assert program.patch("/api/v1/accounts/me", {"display_name": name}).status_code == 422
    seats = [{"kind": "me"}, {"kind": "local", "name": name}]
    assert refused(post(keyed(ada), "matches", {"game": "pisti", "seats": seats}), "bad_seats")


class TestNamesOfClosedAccounts:
    """The form of a name has a meaning only where the account is closed."""

    def test_a_person_who_took_such_a_name_in_time_is_no_erased_one(self, db, ben):
        early = registered("deleted-me")
        between(early, ben)
        count_finished()
        assert Result.objects.filter(account=early).count() == 1
        assert standing_of(early) == "active"

    def test_sign_ins_of_who_had_the_name_before_are_not_handed_out(self, ada):
        before = AccessLog.objects.create(username="Ada", ip_address="192.0.2.1", user_agent="x")
        joined = ada.date_joined
        AccessLog.objects.filter(pk=before.pk).update(attempt_time=joined - timedelta(days=9))
        AccessLog.objects.create(username="ada", ip_address="192.0.2.2", user_agent="x")
        assert [one["ip_address"] for one in data_of(ada)["sign_ins"]] == ["192.0.2.2"]
        assert timezone.now() >= joined


def test_a_pseudonym_is_found_though_its_name_is_kept(db):
    assert services.pseudonym("Ada") == services.pseudonym("Ada")
