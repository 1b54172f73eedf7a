"""How answers travel: compressed where it is worth it, to pages of other sites where it is set."""

import gzip
import http.client
import json
import re
import socket

import pytest
from django.db import OperationalError
from django.test import Client

from accounts import services
from config.api.scopes import SCOPES
from config.server.protocol import PunctualProtocol
from games.api.docs import document
from games.matches.selectors.access import get_match
from tests.api.calls import API, get, move, new_match, post, refused
from tests.api.roads import Roads
from tests.clients.conftest import served
from tests.matches.scenes import opened
from tests.patience import PATIENCE

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


# Headers of every answer: its id, and how many calls its caller may still make.

ID = re.compile(r"[0-9a-f]{16}")
UNKNOWN = "/api/v1/matches/00000000-0000-7000-8000-000000000000"


@pytest.fixture
def port(transactional_db, settings):
    """Where the service is, served as ``config.processes.web`` serves it."""
    with served(settings, 2, http=PunctualProtocol) as port:
        yield port


class TestRequestIds:
    @pytest.fixture
    def key(self, ada):
        from accounts import services

        return services.issue_key(user=ada, scopes=SCOPES).secret

    @pytest.fixture
    def ask(self, port, key):
        """The answer with its only id."""

        def call(method, path, body=None, **headers):
            caller = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
            sent = None if body is None else body if isinstance(body, bytes) else json.dumps(body)
            known = {"Authorization": f"Token {key}", "Content-Type": "application/json"}
            caller.request(method, path, sent, known | headers)
            answer = caller.getresponse()
            (id_,) = answer.headers.get_all("X-Request-Id")
            assert ID.fullmatch(id_)
            streamed = answer.headers.get("Content-Type", "").endswith("ndjson")
            text = answer.readline() if streamed else answer.read()
            caller.close()
            if answer.headers.get("Content-Type") == "application/problem+json":
                assert json.loads(text)["request_id"] == id_
            return answer, id_

        return call

    def test_by_every_road(self, ask, ada):
        match = opened(ada)
        here, legal = f"/api/v1/matches/{match.id}", match.rules.legal_moves(match.state, 0)
        lines, ids = {"Accept": "application/x-ndjson"}, set()
        for status, *said in [
            (200, "GET", here),
            (201, "POST", f"{here}/moves", {"move": legal[0], "version": 0}),
            (409, "POST", f"{here}/moves", {"move": legal[0], "version": 0}),
            (400, "POST", f"{here}/moves", {}),
            (404, "GET", UNKNOWN),
            (404, "GET", "/api/v1/nothing"),
            (404, "GET", "/nothing"),
            (405, "PUT", here),
            (413, "POST", f"{here}/moves", b" " * 70_000),
            (413, "POST", "/api/v1/matches", b" " * (4 * 1024 * 1024 + 1)),
            (200, "GET", "/api/v1/schema"),
            (200, "GET", "/healthz"),
            (200, "GET", "/"),
        ]:
            answer, id_ = ask(*said)
            assert answer.status == status, said
            ids.add(id_)
        for path in (f"{here}/stream", "/api/v1/stream"):
            answer, id_ = ask("GET", path, **lines)
            assert answer.status == 200
            ids.add(id_)
        assert len(ids) == 15
        assert get_match(match.id).version == 1

    def test_also_of_what_is_no_http(self, port):
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as caller:
            caller.sendall(b"HELLO\r\n\r\n")
            answer = b"".join(iter(lambda: caller.recv(4096), b""))
        assert answer.startswith(b"HTTP/1.1 400")
        assert len(re.findall(rb"\r\nx-request-id: [0-9a-f]{16}\r\n", answer)) == 1

    def test_under_a_server_that_speaks_wsgi(self, first):
        answers = [get(first, "games"), get(first, "nothing")]
        ids = [answer["X-Request-Id"] for answer in answers]
        assert len(set(ids)) == 2
        assert refused(answers[1], "not_found")["request_id"] == ids[1]


def limits(answer):
    names = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
    return [int(answer[name]) for name in names]


class TestRateLimits:
    def test_are_told_until_nothing_is_left(self, first, rates):
        rates(user="3/hour")
        answers = [get(first, "games") for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert [limits(answer)[:2] for answer in answers] == [[3, 2], [3, 1], [3, 0], [3, 0]]
        assert all(0 < limits(answer)[2] <= 3600 for answer in answers)
        assert limits(answers[3])[2] == int(answers[3]["Retry-After"])

    def test_moves_have_their_own(self, first, rates):
        match = new_match(first)
        rates(moves="7/min", user="5/min")
        assert limits(move(first, match))[:2] == [7, 6]

    def test_of_two_the_one_that_ends_first(self, api, db, rates):
        rates(guests="2/hour", anon="600/min")
        assert limits(post(api, "accounts/guest"))[:2] == [2, 1]

    def test_none_where_nothing_is_counted(self, api, db):
        assert "RateLimit-Limit" not in get(api, "schema")
