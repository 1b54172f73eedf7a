"""The block list: `accounts/me/blocks` and the account page."""

import pytest
from django.test import Client

from accounts import services

HERE = "/api/v1/accounts/me/blocks"
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
pytestmark = pytest.mark.django_db


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
    assert first.put(f"{HERE}/nobody").status_code == 404
    assert first.put(f"{HERE}/a%00b").status_code == 400


def test_there_is_a_most(first, ben, cleo, settings):
    settings.LIMITS = settings.LIMITS | {"blocks": 1}
    first.put(f"{HERE}/ben")
    answer = first.put(f"{HERE}/cleo")
    assert (answer.status_code, answer.json()["code"]) == (409, "too_many_blocks")
    assert first.put(f"{HERE}/ben").status_code == 200


def test_a_key_needs_the_scope_of_the_account(ada, ben, holding):
    program = holding(services.issue_key(user=ada).secret)
    answers = program.get(HERE), program.put(f"{HERE}/ben"), program.delete(f"{HERE}/ben")
    assert {answer.status_code for answer in answers} == {403}


def test_the_account_page_lists_blocks_and_unblocks(ada, ben):
    browser = Client()
    browser.force_login(ada, backend=BACKEND)
    browser.post("/accounts/blocks/", {"username": "ben"})
    page = browser.get("/accounts/").content.decode()
    assert "Unblock Ben" in page
    browser.post(f"/accounts/blocks/{ben.pk}/remove/")
    assert "Unblock Ben" not in browser.get("/accounts/").content.decode()
    refused = browser.post("/accounts/blocks/", {"username": "who?"}, follow=True)
    assert "no account of this name" in refused.content.decode()


def test_a_guest_blocks_too(ben):
    browser = Client()
    guest = services.open_guest()
    browser.force_login(guest, backend=BACKEND)
    browser.post("/accounts/blocks/", {"username": "ben"})
    assert guest.blocks.get().blocked == ben
