"""How answers travel: compressed where it is worth it, to pages of other sites where it is set."""

import gzip
import re

import pytest
from django.db import OperationalError
from django.test import Client

from accounts import services
from config.api.scopes import SCOPES
from games.api.docs import document
from games.matches.selectors.access import get_match
from tests.api.calls import API, get, new_match, post
from tests.api.roads import Roads
from tests.matches.scenes import opened

ORIGIN = "https://bots.example.org"
JSON = "application/json"


class TestDocument:
    def test_is_made_once_and_sent_compressed(self, api):
        document()
        answer = get(api, "schema", Accept_Encoding="gzip")
        assert answer["Content-Encoding"] == "gzip"
        assert gzip.decompress(answer.content) == get(api, "schema").content == document().plain
        assert len(answer.content) * 8 < len(document().plain)

    def test_is_not_sent_to_who_has_it(self, api):
        tag = get(api, "schema")["ETag"]
        assert get(api, "schema", If_None_Match=tag).status_code == 304


class TestCompression:
    def test_of_long_answers_to_programs(self, first):
        match = new_match(first)
        answer = get(first, f"matches/{match['id']}", Accept_Encoding="gzip")
        assert answer["Content-Encoding"] == "gzip"
        assert "Accept-Encoding" in answer["Vary"]
        plain = get(first, f"matches/{match['id']}")
        assert gzip.decompress(answer.content) == plain.content
        weak = answer["ETag"]
        assert weak == f"W/{plain['ETag']}"
        assert get(first, f"matches/{match['id']}", If_None_Match=weak).status_code == 304

    def test_not_where_a_browser_sends_its_cookie(self, client, ada):
        client.force_login(ada)
        answer = client.get(API + "games", headers={"Accept-Encoding": "gzip"})
        assert "Content-Encoding" not in answer

    def test_not_of_short_answers_and_keys(self, api, db):
        answer = post(api, "accounts/guest", Accept_Encoding="gzip")
        assert "Content-Encoding" not in answer


class TestOtherSites:
    @pytest.fixture
    def set_to(self, settings):
        def choose(*origins):
            settings.CORS_ALLOW_ALL_ORIGINS = "*" in origins
            settings.CORS_ALLOWED_ORIGINS = [origin for origin in origins if origin != "*"]

        return choose

    def test_everybody_by_default_and_nobody_where_it_is_empty(self, first, set_to):
        assert get(first, "games", Origin=ORIGIN)["Access-Control-Allow-Origin"] == "*"
        set_to()
        assert "Access-Control-Allow-Origin" not in get(first, "games", Origin=ORIGIN)

    @pytest.mark.parametrize("named", ["*", ORIGIN])
    def test_by_setting_with_keys_and_without_cookies(self, first, set_to, named):
        set_to(named)
        answer = get(first, "games", Origin=ORIGIN)
        assert answer["Access-Control-Allow-Origin"] == named
        assert "ETag" in answer["Access-Control-Expose-Headers"]
        assert "Access-Control-Allow-Credentials" not in answer
        assert "Access-Control-Allow-Origin" not in first.get("/", headers={"Origin": ORIGIN})

    def test_they_may_send_a_key_and_a_move(self, api, set_to, db):
        set_to(ORIGIN)
        asked = {"Origin": ORIGIN, "Access-Control-Request-Method": "POST"}
        answer = api.options(API + "matches", headers=asked)
        allowed = set(re.split(", *", answer["Access-Control-Allow-Headers"]))
        assert {"authorization", "content-type", "idempotency-key"} <= allowed

    def test_a_browser_asks_once_a_day(self, api, db):
        asked = {"Origin": ORIGIN, "Access-Control-Request-Method": "POST"}
        for path in (API + "matches", "/oauth/token", "/oauth/revoke"):
            answer = api.options(path, headers=asked)
            assert answer["Access-Control-Max-Age"] == "86400", path
            assert answer["Access-Control-Allow-Origin"] == "*", path

    def test_what_is_for_programs_alone(self, client, db):
        """Also the client that is shipped, which a page may import; no page, no admin."""
        reached = ("oauth-authorization-server", "oauth-protected-resource")
        for path in (*(f"/.well-known/{one}" for one in reached), "/clients/cardroom.js"):
            answer = client.get(path, headers={"Origin": ORIGIN})
            assert answer["Access-Control-Allow-Origin"] == "*", path
            assert "origin" in client.get(path)["Vary"].lower(), path
        for path in ("/", "/accounts/login/", "/oauth/authorize", "/admin/login/", "/docs/"):
            answer = client.get(path, headers={"Origin": ORIGIN})
            assert "Access-Control-Allow-Origin" not in answer, path

    def test_streams_are_read_too(self, first):
        answer = get(first, "stream", Origin=ORIGIN)
        assert (answer.status_code, answer["Content-Type"]) == (200, "text/event-stream")
        assert answer["Access-Control-Allow-Origin"] == "*"

    @pytest.mark.parametrize("raised", [RuntimeError, OperationalError])
    def test_errors_are_read_too(self, api, first, monkeypatch, raised):
        told = [
            get(api, "accounts/me", Origin=ORIGIN),
            get(api, "nowhere", Origin=ORIGIN),
            post(first, "matches", {"game": 7}, Origin=ORIGIN),
            api.put(API + "games", {}, headers={"Origin": ORIGIN}),
            api.post("/oauth/token", {}, headers={"Origin": ORIGIN}),
        ]

        def broken(*_args, **_more):
            raise raised

        first.raise_request_exception = False
        monkeypatch.setattr("accounts.api.Person.of", broken)
        told.append(get(first, "accounts/me", Origin=ORIGIN))
        assert [answer.status_code for answer in told[:5]] == [401, 404, 400, 405, 400]
        assert told[5].status_code in (500, 503)
        for answer in told:
            assert answer["Access-Control-Allow-Origin"] == "*"
            assert "WWW-Authenticate" in answer["Access-Control-Expose-Headers"]

    @pytest.mark.parametrize("origin", [ORIGIN, "null", "http://testserver.evil.example", "//["])
    def test_a_cookie_never_works_from_another_site(self, client, ada, origin):
        """Not even where a browser sends one, and not even to read."""
        client.force_login(ada)
        assert client.get(API + "accounts/me").status_code == 200
        for answer in (
            client.get(API + "accounts/me", headers={"Origin": origin}),
            client.patch(API + "accounts/me", "{}", JSON, headers={"Origin": origin}),
        ):
            assert answer.status_code == 401
            assert "Access-Control-Allow-Credentials" not in answer
            assert not answer.cookies

    def test_pages_of_this_service_keep_theirs(self, ada, settings):
        own = Client(enforce_csrf_checks=True)
        own.force_login(ada)
        own.get("/accounts/")
        settings.CSRF_TRUSTED_ORIGINS = ["https://cards.example.org", "https://*.example.net"]
        for origin in ("http://testserver", "https://cards.example.org", "https://a.example.net"):
            sent = {"Origin": origin, "X-CSRFToken": own.cookies["csrftoken"].value}
            answer = own.patch(API + "accounts/me", "{}", JSON, headers=sent)
            assert answer.status_code == 200, answer.content

    @pytest.mark.django_db(transaction=True)
    def test_through_every_door(self, ada):
        """Moves and reads have a door in front of Django; what it refuses can be read as well."""
        key = services.issue_key(user=ada, scopes=SCOPES).secret
        match, roads = opened(ada), Roads()
        state = get_match(match.id)
        move = {"move": state.rules.legal_moves(state.state, 0)[0], "version": state.version}
        far = {"origin": ORIGIN}
        large = {"move": "x" * 2**17, "version": 0}
        try:
            answers = [
                roads.express(key, "GET", f"matches/{match.id}", headers=far),
                roads.express(key, "POST", f"matches/{match.id}/moves", move, far),
                roads.express("nobodys", "GET", f"matches/{match.id}", headers=far),
                roads.express(key, "POST", f"matches/{match.id}/moves", large, far),
                roads.express(key, "POST", "matches", large, far),
            ]
        finally:
            roads.close()
        assert [answer.status for answer in answers] == [200, 201, 401, 413, 413]
        for answer in answers:
            assert dict(answer.headers)[b"access-control-allow-origin"] == b"*"
            assert b"retry-after" in dict(answer.headers)[b"access-control-expose-headers"].lower()
