"""A program is changed and given another secret; nobody is disconnected (issue 61, 3)."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from structlog.testing import capture_logs

from accounts.programs.models import FormerSecret
from tests.api.calls import API, get, post, refused
from tests.conftest import key_of
from tests.programs.conftest import BACK, Flow, bearing, works

PROGRAMS = "accounts/me/programs"
OTHER = "https://program.example/other"


@pytest.fixture
def owner(ben, holding):
    return holding(key_of(ben))


def change(owner, client_id, **body):
    return owner.patch(f"{API}{PROGRAMS}/{client_id}", body, format="json")


def test_over_the_api_from_its_registration_to_its_end(owner, ada, browser, time_machine):
    with capture_logs() as lines:
        body = {"name": "Night bot", "redirect_uris": [BACK], "kind": "confidential"}
        made = post(owner, PROGRAMS, body)
        assert made.status_code == 201
        client_id, first = made.json()["program"]["client_id"], made.json()["secret"]
        flow = Flow(_Made(client_id, first), browser)
        tokens = flow.tokens()

        changed = change(owner, client_id, name="Day bot", redirect_uris=[OTHER]).json()
        assert (changed["name"], changed["redirect_uris"]) == ("Day bot", [OTHER])
        assert flow.ask().status_code == 400  # the former address gets no code any more
        assert flow.ask(redirect_uri=OTHER).status_code == 200
        assert works(tokens["access_token"])
        tokens = flow.refresh(tokens["refresh_token"]).json()

        rotated = post(owner, f"{PROGRAMS}/{client_id}/secret").json()
        assert rotated["secret"] not in (first, None)
        assert rotated["program"]["both_secrets_until"] is not None
        assert works(tokens["access_token"])
        tokens = flow.refresh(tokens["refresh_token"]).json()  # by the former secret
        newer = Flow(_Made(client_id, rotated["secret"]), browser)
        tokens = newer.refresh(tokens["refresh_token"]).json()
        (listed,) = get(owner, PROGRAMS).json()["results"]
        assert (listed["people"], listed["name"]) == (1, "Day bot")

        time_machine.move_to(timezone.now() + timedelta(hours=25))
        assert flow.refresh(tokens["refresh_token"]).json()["error"] == "invalid_client"
        assert newer.refresh(tokens["refresh_token"]).status_code == 200
        assert owner.delete(f"{API}{PROGRAMS}/{client_id}").status_code == 204
        assert get(owner, PROGRAMS).json()["results"] == []
    events = [line["event"] for line in lines if line["event"].startswith("program_")]
    names = ("registered", "changed", "secret_made", "deleted")
    assert events == [f"program_{name}" for name in names]
    assert rotated["secret"] not in str(lines)


class _Made:
    """A program that was registered over the API, as scenes want it."""

    def __init__(self, client_id: str, secret: str) -> None:
        self.client = type("Known", (), {"pk": client_id})
        self.secret = secret


def test_by_its_page(flow, on_a_server, ben):
    tokens, page = on_a_server.tokens(), Client()
    page.force_login(ben)
    base = f"/accounts/programs/{on_a_server.client_id}"
    answer = page.post(f"{base}/change/", {"name": "Day bot", "redirect_uris": OTHER})
    assert answer["Location"] == "/accounts/programs/"
    shown = page.get("/accounts/programs/").content.decode()
    assert "Day bot" in shown
    assert OTHER in shown
    bad = page.post(f"{base}/change/", {"name": "Day bot", "redirect_uris": "ftp://x"})
    assert bad.status_code == 422
    assert "must begin with https://" in bad.content.decode()
    made = page.post(f"{base}/secret/")
    assert made.status_code == 201
    assert "The former one holds for another day" in made.content.decode()
    former = FormerSecret.objects.get()
    assert on_a_server.program.secret not in former.secret
    assert works(tokens["access_token"])
    refresh = on_a_server.refresh(tokens["refresh_token"])
    assert bearing(refresh.json()["access_token"]).get(f"{API}accounts/me").status_code == 200
    assert page.post(f"/accounts/programs/{flow.client_id}/secret/").status_code == 409


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"name": "\u202eevil"}, "bad_program_name"),
        ({"redirect_uris": ["ftp://x"]}, "bad_redirect"),
        ({"redirect_uris": []}, "malformed"),
        ({"kind": "public"}, "malformed"),
    ],
)
def test_what_cannot_be_is_refused(owner, program, body, code):
    refused(change(owner, program.client.pk, **body), code)


def test_it_is_its_owners_alone(owner, ada, guest, holding, program):
    other = holding(key_of(ada))
    path = f"{PROGRAMS}/{program.client.pk}"
    refused(change(other, program.client.pk, name="Mine"), "not_found")
    refused(post(other, f"{path}/secret"), "not_found")
    refused(post(owner, f"{path}/secret"), "has_no_secret")
    refused(post(owner, f"{PROGRAMS}/nothing/secret"), "not_found")
    page = Client()
    page.force_login(ada)
    for act in ("change", "secret"):
        assert page.post(f"/accounts/programs/{program.client.pk}/{act}/").status_code == 404
    body = {"name": "Bot", "redirect_uris": [BACK]}
    refused(post(holding(key_of(guest)), PROGRAMS, body), "not_allowed")
    assert get(other, PROGRAMS).json()["results"] == []


def test_several_programs_are_read_by_as_many_queries_as_one(owner):
    costs = set()
    for count in range(3):
        body = {"name": f"Bot {count}", "redirect_uris": [BACK], "kind": "confidential"}
        made = post(owner, PROGRAMS, body).json()["program"]["client_id"]
        post(owner, f"{PROGRAMS}/{made}/secret")
        with CaptureQueriesContext(connection) as seen:
            rows = get(owner, PROGRAMS).json()["results"]
        assert [row["both_secrets_until"] is not None for row in rows] == [True] * (1 + count)
        costs.add(len(seen))
    assert len(costs) == 1
