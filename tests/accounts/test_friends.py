"""Friends: asked, accepted, declined, ended; what is hidden from whom."""

import pytest

from accounts import services as people
from accounts.social import selectors, services
from accounts.social.models import Friendship
from accounts.social.selectors import are_friends, friends_of

ME = "/api/v1/accounts/me"
pytestmark = pytest.mark.django_db


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
    with pytest.raises(services.GuestsHaveNoFriends):
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
