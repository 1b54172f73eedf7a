"""A program of somebody else's from its registration to the end, by a client library (authlib)."""

import re
from datetime import timedelta

import httpx
import pytest
from allauth.idp.oidc.models import Client as Program
from authlib.integrations.httpx_client import OAuth2Client
from django.test import Client
from django.utils import timezone

from accounts import services
from accounts.audit.log import Actor
from accounts.models import Key
from accounts.programs.models import Connection
from games.operations import people
from games.operations.own_data import data_of
from tests.api.calls import get, move, read
from tests.conftest import PASSWORD, client_of
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
    page = client_of(ben)
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


# Who loses tokens, and when: with the page, the account, the program, the suspension.


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


# Answers to a program whose token does not suffice: RFC 6750, and RFC 9728 for where to go.

ME = "/api/v1/accounts/me"

WHERE = f'resource_metadata="{SITE}/.well-known/oauth-protected-resource/api/v1"'
MATCH = "/api/v1/matches/01890000-0000-7000-8000-000000000000"


@pytest.mark.parametrize(
    ("path", "method"), [(ME, "get"), (MATCH, "get"), (f"{MATCH}/moves", "post")]
)
def test_an_expired_token_is_invalid_and_to_be_refreshed(flow, path, method):
    token = flow.tokens()["access_token"]
    Key.objects.update(expires_at=timezone.now())
    for bad in (token, "nobodys", "a b"):
        answer = getattr(bearing(bad), method)(path, {"move": "x", "version": 0})
        assert (answer.status_code, answer.json()["code"]) == (401, "bad_key")
        challenge = answer["WWW-Authenticate"]
        assert challenge.startswith(f'Bearer {WHERE}, error="invalid_token", error_description="')
        assert challenge.isascii()
        assert "Refresh it" in answer.json()["detail"]
        assert "Get a new one" not in answer.json()["detail"]


def test_a_key_is_told_to_get_a_new_one_however_it_is_sent(ada, holding):
    key, secret = services.issue_key(user=ada)
    Key.objects.filter(pk=key.pk).update(expires_at=timezone.now())
    assert "Get a new one" in bearing(secret).get(ME).json()["detail"]
    answer = holding(secret).get(ME)
    assert "Get a new one" in answer.json()["detail"]
    assert answer["WWW-Authenticate"] == "Token"


def test_a_token_without_the_scope_reads_which_it_needs(flow, ada, holding):
    token = flow.tokens(scopes=["read"])["access_token"]
    for path in ("/api/v1/matches", f"{MATCH}/moves"):
        answer = bearing(token).post(path, {"move": "x", "version": 0})
        assert answer.status_code == 403
        assert answer["WWW-Authenticate"] == 'Bearer error="insufficient_scope", scope="play"'
    secret = services.issue_key(user=ada, scopes=["read"]).secret
    assert "WWW-Authenticate" not in holding(secret).post("/api/v1/matches", {})


def test_without_a_token_a_program_finds_its_way(db):
    """From the 401 to the document of the API, and from there to that of the server."""
    answer = Client().get(ME)
    challenge = answer["WWW-Authenticate"]
    assert challenge == f"Bearer {WHERE}, Token"
    (address,) = re.findall(r'resource_metadata="([^"]+)"', challenge)
    facts = Client().get(address.removeprefix(SITE)).json()
    assert facts["resource"] == f"{SITE}/api/v1"
    assert facts["bearer_methods_supported"] == ["header"]
    (server,) = facts["authorization_servers"]
    metadata = Client().get("/.well-known/oauth-authorization-server").json()
    assert metadata["issuer"] == server == SITE
    assert facts["resource"] in metadata["protected_resources"]
    assert set(facts["scopes_supported"]) == set(metadata["scopes_supported"])
    root = Client().get("/.well-known/oauth-protected-resource").json()
    assert root == {**facts, "resource": SITE}
