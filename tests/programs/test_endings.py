"""Who loses tokens, and when: with the page, the account, the program, the suspension."""

from datetime import timedelta

import pytest
from allauth.idp.oidc.models import Client as Program
from django.utils import timezone

from accounts import services
from accounts.audit.log import Actor
from accounts.programs.models import Connection
from games.operations import people
from games.operations.own_data import data_of
from tests.conftest import PASSWORD
from tests.programs.conftest import bearing, works


@pytest.fixture
def operator(db):
    return Actor(None, "operator", "A reason.")


def test_the_account_page_shows_what_is_connected_and_ends_it(flow):
    tokens = flow.tokens()
    page = flow.browser.get("/accounts/").content.decode()
    assert "Card tracker" in page
    assert "Play as you" in page
    path = f"/accounts/programs/{Connection.objects.get().pk}/disconnect/"
    flow.browser.post(path)
    assert not works(tokens["access_token"])
    assert flow.refresh(tokens["refresh_token"]).json()["error"] == "invalid_grant"
    assert "No program is connected." in flow.browser.get("/accounts/").content.decode()


def test_nobody_ends_the_connection_of_another(flow, client, ben):
    tokens = flow.tokens()
    client.force_login(ben)
    client.post(f"/accounts/programs/{Connection.objects.get().pk}/disconnect/")
    assert works(tokens["access_token"])


@pytest.mark.django_db(transaction=True)
def test_a_suspension_ends_tokens_at_once_and_for_good(flow, ada, operator):
    tokens, code = flow.tokens(), flow.code()
    until = timezone.now() + timedelta(days=1)
    people.suspend(user_id=ada.pk, by=operator, until=until, resigns=True)
    assert not works(tokens["access_token"])
    assert flow.refresh(tokens["refresh_token"]).json()["error"] == "invalid_grant"
    assert flow.redeem(code).json()["error"] == "invalid_grant"
    people.lift(user_id=ada.pk, by=operator)
    assert not works(tokens["access_token"])


def test_an_account_that_is_not_active_gets_no_token(flow, ada):
    tokens, code = flow.tokens(), flow.code()
    type(ada).objects.filter(pk=ada.pk).update(is_active=False)
    assert not works(tokens["access_token"])
    assert flow.refresh(tokens["refresh_token"]).json()["error"] == "invalid_grant"
    assert flow.redeem(code).json()["error"] == "invalid_grant"


@pytest.mark.django_db(transaction=True)
def test_an_erased_account_leaves_no_program_and_no_token(flow, ada, ben, operator):
    tokens = flow.tokens()
    people.erase(user_id=ada.pk, by=operator)
    assert not works(tokens["access_token"])
    assert not Connection.objects.exists()
    people.erase(user_id=ben.pk, by=operator)
    assert not Program.objects.exists()


def test_the_program_of_a_closed_account_gets_nothing_new(flow, ben):
    tokens = flow.tokens()
    type(ben).objects.filter(pk=ben.pk).update(is_active=False)
    assert flow.ask().status_code == 400
    assert flow.refresh(tokens["refresh_token"]).json()["error"] == "invalid_client"


def test_a_deleted_program_is_gone_for_everybody(flow, client, ben):
    tokens = flow.tokens()
    client.force_login(ben)
    client.post(f"/accounts/programs/{flow.client_id}/delete/")
    assert not works(tokens["access_token"])
    assert flow.ask().status_code == 400


def test_revoking_all_keys_of_programs_means_these_too(flow, ada):
    tokens = flow.tokens()
    services.revoke_keys(user=ada)
    assert not works(tokens["access_token"])
    assert flow.refresh(tokens["refresh_token"]).json()["error"] == "invalid_grant"


def test_nothing_is_set_up_that_would_outlive_the_connection(flow):
    """A webhook, a browser, a bot account: only with a key of one's own."""
    tokens = flow.tokens(scope="read account", scopes=("read", "account"))
    program = bearing(tokens["access_token"])
    hook = {"url": "https://example.org/", "kinds": ["friend"]}
    answer = program.post("/api/v1/accounts/me/webhooks", hook, format="json")
    assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")
    answer = program.post("/api/v1/accounts/me/bot", {"owner": "ben"}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")
    answer = program.post("/api/v1/accounts/me/delete", {"username": "Ada", "password": PASSWORD})
    assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")
    assert program.get("/api/v1/accounts/me/webhooks").json() == []


def test_the_data_of_an_account_name_its_programs(flow, ada, ben):
    flow.tokens()
    (connected,) = data_of(ada)["connected_programs"]
    assert (connected["name"], connected["scopes"]) == ("Card tracker", ["play", "read"])
    (registered,) = data_of(ben)["programs"]
    assert registered["client_id"] == flow.client_id
    assert [key["name"] for key in data_of(ada)["keys"]] == []
