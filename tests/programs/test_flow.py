"""A program of somebody else's from its registration to the end, by a client library (authlib)."""

import re

import httpx
import pytest
from authlib.integrations.httpx_client import OAuth2Client
from django.test import Client

from accounts import services
from accounts.models import Key
from accounts.programs.models import Connection
from tests.api.calls import get, move, read
from tests.conftest import PASSWORD
from tests.matches.scenes import opened
from tests.programs.conftest import BACK, VERIFIER, bearing, works

SITE = "http://testserver"


class ThroughDjango(httpx.BaseTransport):
    """The requests of the library reach the service in this transaction."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        sent = {name: value for name, value in request.headers.items() if name != "content-type"}
        kind = request.headers.get("content-type", "")
        path = request.url.raw_path.decode()
        answer = Client().generic(request.method, path, request.read(), kind, headers=sent)
        return httpx.Response(
            answer.status_code, headers=dict(answer.items()), content=answer.content
        )


def registered_by(ben, kind):
    page = Client()
    page.force_login(ben)
    form = {"name": "Night bot", "redirect_uris": BACK, "kind": kind}
    answer = page.post("/accounts/programs/new/", form)
    assert answer.status_code == 201
    words = re.findall(r"<code>([\w-]+)</code>", answer.content.decode())
    return words[0], words[1] if kind == "confidential" else None


@pytest.mark.parametrize("kind", ["public", "confidential"])
def test_a_client_library_goes_all_the_way(ada, ben, kind):
    client_id, secret = registered_by(ben, kind)
    program = OAuth2Client(
        client_id,
        secret,
        token_endpoint_auth_method="client_secret_basic" if secret else "none",
        redirect_uri=BACK,
        scope="read play",
        code_challenge_method="S256",
        transport=ThroughDjango(),
    )
    facts = Client().get("/.well-known/oauth-authorization-server").json()
    assert facts["code_challenge_methods_supported"] == ["S256"]
    url, state = program.create_authorization_url(
        facts["authorization_endpoint"], code_verifier=VERIFIER
    )

    browser = Client()
    path = url.removeprefix(SITE)
    to_sign_in = browser.get(path)
    assert to_sign_in.status_code == 302
    form = {"login": "ada", "password": PASSWORD}
    back = browser.post(to_sign_in["Location"], form)
    assert back["Location"] == path
    page = browser.get(path)
    assert "Night bot" in page.content.decode()
    assert "Play as you" in page.content.decode()
    assert "form-action 'self' https://program.example" in page["Content-Security-Policy"]
    to_program = browser.post(path, {"scopes": ["read", "play"], "answer": "allow"})
    assert to_program.status_code == 302

    token = program.fetch_token(
        facts["token_endpoint"],
        authorization_response=to_program["Location"],
        state=state,
        code_verifier=VERIFIER,
    )
    assert (token["token_type"], token["scope"]) == ("Bearer", "play read")
    me = program.get(f"{SITE}/api/v1/accounts/me")
    assert me.json()["username"] == "Ada"
    newer = program.refresh_token(facts["token_endpoint"], token["refresh_token"])
    assert newer["access_token"] != token["access_token"]
    ended = program.revoke_token(facts["revocation_endpoint"], newer["refresh_token"])
    assert ended.status_code == 200
    assert program.get(f"{SITE}/api/v1/accounts/me").status_code == 401
    assert not Key.objects.filter(user=ada, connection__isnull=False).exists()


def test_a_token_plays_a_match_and_costs_no_more_than_a_key(flow, ada, django_assert_num_queries):
    token = bearing(flow.tokens()["access_token"])
    match = opened(ada)
    with django_assert_num_queries(1):
        assert get(token, f"matches/{match.id}").status_code == 200
    assert move(token, read(token, {"id": str(match.id)})).status_code == 201


def test_either_word_introduces_either_credential(flow, keyed, ada, holding):
    assert holding(flow.tokens()["access_token"]).get("/api/v1/accounts/me").status_code == 200
    assert works(services.issue_key(user=ada).secret)


def test_only_digests_are_stored(on_a_server):
    tokens = on_a_server.tokens()
    rows = [*Connection.objects.values(), *Key.objects.values()]
    rows.append(type(on_a_server.program.client).objects.values().get())
    stored = str(rows)
    for secret in (tokens["access_token"], on_a_server.program.secret):
        assert str(secret) not in stored
    for part in str(tokens["refresh_token"]).split("."):
        assert part not in stored


def test_fewer_scopes_than_asked_for_may_be_allowed(flow):
    token = flow.redeem(flow.code(scopes=["read"], scope="read play decks account")).json()
    assert token["scope"] == "read"
    refused = bearing(token["access_token"]).post("/api/v1/matches", {})
    assert (refused.status_code, refused.json()["scope"]) == (403, "play")


def test_no_scope_asks_for_reading_only(flow):
    page = flow.ask(scope=None).content.decode()
    assert 'value="read"' in page
    assert 'value="play"' not in page


def test_a_refresh_may_narrow_and_never_widen(flow):
    first = flow.tokens()
    narrow = flow.refresh(first["refresh_token"], scope="read").json()
    assert narrow["scope"] == "read"
    wider = flow.refresh(narrow["refresh_token"], scope="read play account")
    assert wider.json()["error"] == "invalid_scope"
    again = flow.refresh(narrow["refresh_token"]).json()
    assert sorted(again["scope"].split()) == ["play", "read"]


def test_the_consent_is_in_the_language_of_the_person(flow):
    for language, word in (("tr", "İzin ver"), ("ru", "Разрешить"), ("cs", "Povolit")):
        page = flow.browser.get(
            "/oauth/authorize", flow.request(), headers={"accept-language": language}
        ).content.decode()
        assert word in page
        assert "Play as you" not in page


def test_a_page_of_another_site_may_get_tokens_where_the_operator_names_it(flow, settings):
    settings.CORS_ALLOW_ALL_ORIGINS = False
    settings.CORS_ALLOWED_ORIGINS = ["https://program.example"]
    for origin, allowed in (("https://program.example", True), ("https://evil.example", False)):
        for path in ("/oauth/token", "/.well-known/oauth-authorization-server"):
            answer = Client().get(path, headers={"origin": origin})
            assert ("Access-Control-Allow-Origin" in answer) == allowed
            assert "Access-Control-Allow-Credentials" not in answer
        page = Client().get("/oauth/authorize", headers={"origin": origin})
        assert "Access-Control-Allow-Origin" not in page
