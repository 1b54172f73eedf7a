"""Requests and responses pass between the event loop and Django's threads unchanged and whole."""

import asyncio
from functools import partial
from threading import Event
from time import sleep

import pytest

from config.server import bodies as limits
from config.server import threaded_wsgi
from config.server.streams import Streams
from config.server.threaded_wsgi import ThreadedWSGI, environ
from tests.patience import PATIENCE

SCOPE = {
    "type": "http",
    "http_version": "1.1",
    "method": "POST",
    "scheme": "http",
    "path": "/api/v1/mäßig",
    "query_string": b"seat=1&x=%C3%A4",
    "root_path": "",
    "headers": [(b"host", b"cards.example"), (b"content-type", b"application/json")],
    "client": ("192.0.2.7", 5000),
    "server": ("127.0.0.1", 8000),
}


def ask(application, *bodies, scope=SCOPE, ends_with=None):
    """Every message that the application answers with."""
    pieces = list(bodies) or [b""]
    messages = [
        {"type": "http.request", "body": body, "more_body": place < len(pieces) - 1}
        for place, body in enumerate(pieces)
    ]
    if ends_with:
        messages = [{**message, "more_body": True} for message in messages] + [ends_with]
    answered = []

    async def receive():
        return messages.pop(0) if messages else await asyncio.sleep(60)

    async def send(message):
        answered.append(dict(message))

    async def whole():
        threaded = ThreadedWSGI(application, threads=2, streams=Streams())
        try:
            await threaded(scope, receive, send)
        finally:
            threaded.close()

    asyncio.run(whole())
    return answered


def echo(request, start_response):
    body = request["wsgi.input"].read()
    start_response("201 Created", [("Content-Type", "text/plain"), ("X-Seen", "yes")])
    return [b"got ", body]


def test_request_is_spelled_as_wsgi_has_it():
    request = environ(SCOPE, b"{}")
    assert request["REQUEST_METHOD"] == "POST"
    assert request["PATH_INFO"].encode("latin-1").decode() == "/api/v1/mäßig"
    assert request["QUERY_STRING"] == "seat=1&x=%C3%A4"
    assert request["HTTP_HOST"] == "cards.example"
    assert request["CONTENT_TYPE"] == "application/json"
    assert request["CONTENT_LENGTH"] == "2"
    assert request["REMOTE_ADDR"] == "192.0.2.7"
    assert request["wsgi.input"].read() == b"{}"


def test_repeated_headers_are_joined():
    headers = [(b"accept", b"text/html"), (b"accept", b"application/json")]
    assert environ({**SCOPE, "headers": headers}, b"")["HTTP_ACCEPT"] == (
        "text/html,application/json"
    )


def test_cookies_are_joined_as_cookies_are():
    headers = [(b"cookie", b"a=1"), (b"cookie", b"b=2")]
    assert environ({**SCOPE, "headers": headers}, b"")["HTTP_COOKIE"] == "a=1; b=2"


def test_header_with_underscore_cannot_pose_as_the_proxys():
    headers = [(b"x_forwarded_for", b"6.6.6.6")]
    assert "HTTP_X_FORWARDED_FOR" not in environ({**SCOPE, "headers": headers}, b"")


def test_body_in_pieces_arrives_whole_and_the_answer_goes_out_in_one():
    head, body = ask(echo, b"one ", b"two ", b"three")
    assert head["status"] == 201
    assert (b"x-seen", b"yes") in head["headers"]
    assert (b"content-length", b"17") in head["headers"]
    assert body == {"type": "http.response.body", "body": b"got one two three", "more_body": False}


def test_streaming_answer_goes_out_piece_by_piece():
    class Pieces:
        streaming = True
        closed = False

        def __iter__(self):
            yield from (b"a", b"b", b"c")

        def close(self):
            self.closed = True

    pieces = Pieces()

    def application(request, start_response):
        start_response("200 OK", [])
        return pieces

    _, *bodies = ask(application)
    assert [message["body"] for message in bodies] == [b"a", b"b", b"c", b""]
    assert [message["more_body"] for message in bodies] == [True, True, True, False]
    assert pieces.closed


def test_what_is_live_goes_on_after_its_thread():
    class Live:
        closed = False

        def __iter__(self):
            return iter([b""])

        def close(self):
            self.closed = True

        @property
        def live(self):
            return self

        async def run(self, write):
            assert self.closed  # no connection is held while it goes on
            await write(b"event")

    def application(request, start_response):
        start_response("200 OK", [("Content-Length", "0")])
        return Live()

    head, *bodies = ask(application)
    assert head["headers"] == []
    assert [message["body"] for message in bodies] == [b"event", b""]


def test_body_larger_than_its_view_reads_is_refused_without_a_thread(monkeypatch):
    monkeypatch.setattr(limits, "SMALL_BODY", 10)
    monkeypatch.setattr(limits, "largest", lambda path: 10)

    def never(request, start_response):
        pytest.fail("was called")

    head, body = ask(never, b"123456", b"789012")
    assert head["status"] == 413
    assert b'"code":"body_too_large"' in body["body"]


def test_caller_who_leaves_in_the_middle_is_not_served():
    def never(request, start_response):
        pytest.fail("was called")

    assert ask(never, b"half", ends_with={"type": "http.disconnect"}) == []


def test_head_begins_no_stream_and_reads_no_file():
    class Endless:
        streaming = True
        closed = False

        def __iter__(self):
            while True:
                yield b"more"

        def close(self):
            self.closed = True

    class Live(Endless):
        streaming = False

        def __iter__(self):
            return iter([b""])

        @property
        def live(self):
            return self

    for content, length in ((Endless(), "8000"), (Live(), "0")):

        def application(request, start_response, content=content, length=length):
            start_response("200 OK", [("Content-Length", length)])
            return content

        head, *bodies = ask(application, scope=SCOPE | {"method": "HEAD"})
        assert head["status"] == 200
        assert head["headers"] == ([] if length == "0" else [(b"content-length", b"8000")])
        assert bodies == [{"type": "http.response.body", "body": b"", "more_body": False}]
        assert content.closed


@pytest.mark.parametrize(("method", "answers"), [("GET", 3), ("POST", 11)])
def test_who_left_while_all_threads_were_busy_gets_no_answer_made(method, answers, monkeypatch):
    """A probe that asks again and again of a slow machine; what is sent to be done is done."""
    busy, made = Event(), []

    def application(request, start_response):
        made.append(request["PATH_INFO"])
        busy.wait(60)
        return echo(request, start_response)

    class Cycle:
        disconnected = False

    async def send(message):
        """Nobody hears it."""

    async def asked():
        threaded, cycles = ThreadedWSGI(application, threads=2, streams=Streams()), []
        calls = []
        for n in range(11):
            cycles.append(cycle := Cycle())
            receive = partial(arrived, cycle)
            calls.append(asyncio.create_task(threaded({**SCOPE, "method": method}, receive, send)))
            if n == 1:
                while len(made) < 2:  # noqa: ASYNC110 - threads know of no event of a loop
                    await asyncio.sleep(0.001)
        await asyncio.sleep(0.01)
        for cycle in cycles[2:-1]:
            cycle.disconnected = True
        busy.set()
        await asyncio.gather(*calls)
        threaded.close()

    async def arrived(_cycle):
        return {"type": "http.request", "body": b""}

    monkeypatch.setattr(threaded_wsgi, "cycle_of", lambda receive: receive.args[0])
    asyncio.run(asked())
    assert len(made) == answers


def test_a_burst_waits_and_who_waits_for_too_long_reads_why(settings):
    """Sixty people at once are no attack; what has stood for too long is refused in time."""

    def application(request, start_response):
        sleep(float(request["PATH_INFO"].removeprefix("/api/v1/")))
        return echo(request, start_response)

    async def asked(*seconds):
        threaded, answered = ThreadedWSGI(application, threads=2, streams=Streams()), []

        async def receive():
            return {"type": "http.request", "body": b""}

        async def send(message):
            answered.append(message)

        scopes = [{**SCOPE, "method": "GET", "path": f"/api/v1/{each}"} for each in seconds]
        await asyncio.gather(*(threaded(scope, receive, send) for scope in scopes))
        threaded.close()
        statuses = [each["status"] for each in answered if "status" in each]
        return statuses, b"".join(each.get("body", b"") for each in answered)

    settings.WAIT_SECONDS = 2 * PATIENCE
    assert asyncio.run(asked(*60 * [0.002]))[0] == 60 * [201]
    settings.WAIT_SECONDS = 0.1
    statuses, text = asyncio.run(asked(0.3, 0.3, 0))
    assert sorted(statuses) == [201, 201, 503]
    assert b"There is more to do here than can be done." in text
