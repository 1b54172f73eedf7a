"""Friends: asked, accepted, declined, ended; what is hidden from whom."""

import pytest
from django.test import Client

from accounts import services as accounts_services
from accounts import services as people
from accounts.social import selectors, services
from accounts.social.models import Friendship
from accounts.social.selectors import are_friends, friends_of
from tests.conftest import BACKEND, client_of

pytestmark = pytest.mark.django_db


ME = "/api/v1/accounts/me"


def answer(response):
    """All of an answer but the name of its request."""
    return response.status_code, response.json() | {"request_id": ""}


def states(program):
    return {row["username"]: row["state"] for row in program.get(f"{ME}/friends").json()["results"]}


def test_a_friendship_is_requested_and_accepted(first, second, ada, ben):
    request = first.put(f"{ME}/friends/BEN")
    assert (request.status_code, request.json()["state"]) == (200, "you_asked")
    assert first.put(f"{ME}/friends/ben").json()["state"] == "you_asked"  # again changes nothing
    assert (states(first), states(second)) == ({"Ben": "you_asked"}, {"Ada": "asks_you"})
    assert friends_of(ada.pk) == []
    assert second.put(f"{ME}/friends/ada").json()["state"] == "friend"
    assert second.put(f"{ME}/friends/ada").json()["state"] == "friend"
    assert (states(first), states(second)) == ({"Ben": "friend"}, {"Ada": "friend"})
    assert (friends_of(ada.pk), friends_of(ben.pk)) == ([ben.pk], [ada.pk])


def test_both_may_end_it_and_again_is_no_error(first, second, ada, ben):
    for program, other in ((first, "ben"), (second, "ada")):
        services.befriend(user=ada, other=ben.pk)
        services.befriend(user=ben, other=ada.pk)
        assert program.delete(f"{ME}/friends/{other}").status_code == 204
        assert program.delete(f"{ME}/friends/{other}").status_code == 204
        assert (states(first), states(second)) == ({}, {})


def test_ones_own_name_ends_nothing(first, ada, ben):
    services.befriend(user=ada, other=ben.pk)
    assert first.delete(f"{ME}/friends/ada").status_code == 204
    assert states(first) == {"Ben": "you_asked"}
    assert first.put(f"{ME}/friends/ada").json()["code"] == "cannot_befriend_yourself"


def test_a_declined_request_looks_like_one_that_waits(first, second, ada, ben):
    first.put(f"{ME}/friends/ben")
    second.delete(f"{ME}/friends/ada")
    assert (states(first), states(second)) == ({"Ben": "you_asked"}, {})
    first.delete(f"{ME}/friends/ben")
    assert states(first) == {}
    assert first.put(f"{ME}/friends/ben").json()["state"] == "you_asked"
    assert states(second) == {}  # asking in a loop asks once
    assert second.put(f"{ME}/friends/ada").json()["state"] == "friend"  # a change of mind


def test_after_all_is_withdrawn_the_other_begins_anew(first, second):
    first.put(f"{ME}/friends/ben")
    second.delete(f"{ME}/friends/ada")
    first.delete(f"{ME}/friends/ben")
    assert second.put(f"{ME}/friends/ada").json()["state"] == "you_asked"
    assert states(first) == {"Ben": "asks_you"}


def test_a_block_ends_a_friendship_and_no_other_begins(first, second, ada, ben):
    services.befriend(user=ada, other=ben.pk)
    services.befriend(user=ben, other=ada.pk)
    first.put(f"{ME}/blocks/ben")
    assert not are_friends(ada.pk, ben.pk)
    blocked, nobody = (second.put(f"{ME}/friends/{name}") for name in ("ada", "nobody"))
    assert answer(blocked) == answer(nobody)
    assert first.put(f"{ME}/friends/ben").json()["code"] == "you_block_them"
    assert Friendship.objects.count() == 0


def test_a_hidden_person_and_nobody_are_one_answer(first, second, ada, ben):
    second.patch(f"{ME}/privacy", {"hides_profile": True})
    for path in ("friends", "blocks"):
        hidden, nobody = (first.put(f"{ME}/{path}/{name}") for name in ("ben", "nobody"))
        assert answer(hidden) == answer(nobody)
    assert first.delete(f"{ME}/friends/ben").status_code == 204
    assert second.put(f"{ME}/friends/ada").status_code == 200  # who hides may ask
    assert first.put(f"{ME}/friends/ben").json()["state"] == "friend"


def test_guests_have_no_friends(first, holding, ada):
    guest = people.open_guest()
    assert first.put(f"{ME}/friends/{guest.username}").json()["code"] == "not_found"
    with pytest.raises(selectors.GuestsHaveNoFriends):
        services.befriend(user=guest, other=ada.pk)


def test_online_is_shown_to_friends_and_may_be_hidden(first, second, ada, ben):
    selectors.note_presence([ben.pk])
    first.put(f"{ME}/friends/ben")

    def online():
        return first.get(f"{ME}/friends").json()["results"][0]["online"]

    assert online() is None
    second.put(f"{ME}/friends/ada")
    assert online() is True
    second.patch(f"{ME}/privacy", {"hides_presence": True})
    assert online() is False
    chosen = {"hides_profile": False, "hides_presence": True, "hides_titles": False}
    assert second.get(f"{ME}/privacy").json() == chosen


def test_there_is_a_most(first, ben, cleo, settings):
    settings.LIMITS = settings.LIMITS | {"friends": 1}
    first.put(f"{ME}/friends/ben")
    assert first.put(f"{ME}/friends/cleo").json()["code"] == "too_many_friends"
    assert first.put(f"{ME}/friends/ben").status_code == 200


def test_a_closed_account_is_no_friend(first, second, ada, ben):
    services.befriend(user=ada, other=ben.pk)
    services.befriend(user=ben, other=ada.pk)
    type(ben).objects.filter(pk=ben.pk).update(is_active=False)
    assert (friends_of(ada.pk), states(first)) == ([], {})
    services.block(owner=ada, blocked=ben.pk)
    assert Friendship.objects.count() == 0


# The block list: `accounts/me/blocks` and the account page.

HERE = "/api/v1/accounts/me/blocks"


def names(program):
    return [row["username"] for row in program.get(HERE).json()["results"]]


def test_an_account_is_blocked_and_unblocked(first, ben, cleo):
    assert first.put(f"{HERE}/BEN").json()["display_name"] == "Ben"
    assert first.put(f"{HERE}/ben").status_code == 200  # again is no error
    first.put(f"{HERE}/cleo")
    assert names(first) == ["Cleo", "Ben"]
    assert first.delete(f"{HERE}/ben").status_code == 204
    assert names(first) == ["Cleo"]
    assert first.delete(f"{HERE}/ben").json()["code"] == "not_found"


def test_the_list_has_pages(first, ben, cleo):
    first.put(f"{HERE}/ben")
    first.put(f"{HERE}/cleo")
    page = first.get(f"{HERE}?limit=1").json()
    assert [row["username"] for row in first.get(page["next"]).json()["results"]] == ["Ben"]


def test_nobody_blocks_themselves_or_an_unknown_account(first):
    assert first.put(f"{HERE}/ada").json()["code"] == "cannot_block_yourself"
    for name in ("nobody", "a%00b"):
        assert first.put(f"{HERE}/{name}").status_code == 404


def test_there_is_a_most_of_blocks(first, ben, cleo, settings):
    settings.LIMITS = settings.LIMITS | {"blocks": 1}
    first.put(f"{HERE}/ben")
    answer = first.put(f"{HERE}/cleo")
    assert (answer.status_code, answer.json()["code"]) == (409, "too_many_blocks")
    assert first.put(f"{HERE}/ben").status_code == 200


def test_a_key_needs_the_scope_of_the_account(ada, ben, holding):
    program = holding(accounts_services.issue_key(user=ada).secret)
    answers = program.get(HERE), program.put(f"{HERE}/ben"), program.delete(f"{HERE}/ben")
    assert {answer.status_code for answer in answers} == {403}


def test_the_account_page_lists_blocks_and_unblocks(ada, ben):
    browser = client_of(ada)
    browser.post("/accounts/blocks/", {"username": "ben"})
    page = browser.get("/accounts/").content.decode()
    assert "Unblock Ben" in page
    browser.post(f"/accounts/blocks/{ben.pk}/remove/")
    assert "Unblock Ben" not in browser.get("/accounts/").content.decode()
    refused = browser.post("/accounts/blocks/", {"username": "who?"}, follow=True)
    assert "no account of this name" in refused.content.decode()


def test_a_guest_blocks_too(ben):
    browser = Client()
    guest = accounts_services.open_guest()
    browser.force_login(guest, BACKEND)
    browser.post("/accounts/blocks/", {"username": "ben"})
    assert guest.blocks.get().blocked == ben
