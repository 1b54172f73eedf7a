"""What every answer says of itself: its id, and how much its caller may still ask for."""

import http.client
import json
import re
import socket

import pytest

from config.api.scopes import SCOPES
from config.server.protocol import PunctualProtocol
from games.matches.selectors.access import get_match
from tests.api.calls import get, move, new_match, post, refused
from tests.clients.conftest import served
from tests.matches.scenes import opened
from tests.patience import PATIENCE

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
