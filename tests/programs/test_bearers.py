"""What a program reads when its token does not do: RFC 6750, and RFC 9728 for where to go."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from accounts import services
from accounts.models import Key
from tests.programs.conftest import bearing

ME = "/api/v1/accounts/me"
SITE = "http://testserver"
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
