"""A start takes as long as it takes, says what it waits for, and follows one that ends."""

import http.server
import io
import socket
import subprocess
import sys
import threading
from itertools import count

import pytest

from config.host import serve, state_folder
from config.host.serve import Service, _port_number
from config.host.state_folder import CannotServe, Lock, listen
from config.host.supervisor import ChildProcess


@pytest.fixture
def service(tmp_path):
    return Service(tmp_path, "127.0.0.1", "8000", io.StringIO())


@pytest.fixture
def clock(monkeypatch):
    """Each look at it is ten seconds later."""
    times = count(0, 10)
    monkeypatch.setattr(serve.time, "monotonic", lambda: next(times))
    monkeypatch.setattr(serve.time, "sleep", lambda _: None)


def said(service):
    return service._output.getvalue()


class Watched:
    """A watch of these children, in which nothing happens."""

    stopping = False

    def __init__(self, *children):
        self.children = children

    def look(self):
        for child in self.children:
            child.failed_starts += 1

    def sleep(self):
        """No time passes but by the clock."""


def test_a_slow_start_is_no_failure_and_says_once_a_minute_what_is_missing(service, clock):
    looks = iter(["no answer (TimeoutError)"] * 60 + [""])  # of ten minutes and more
    service._until(Watched(), "Web", lambda: next(looks))
    lines = said(service).splitlines()
    assert set(lines) == {"  Web: still waiting (no answer (TimeoutError))"}
    assert 8 <= len(lines) <= 12


def test_what_ends_each_time_that_it_starts_ends_the_service(service, clock):
    watched = Watched(ChildProcess("A web process", []))
    with pytest.raises(CannotServe, match="ends each time that it starts: nobody answers"):
        service._until(watched, "Web", lambda: "nobody answers")
    assert watched.children[0].failed_starts == serve.MOST_FAILED_STARTS


def test_the_parents_need_the_standard_library_only():
    """They live for as long as the service and outlive every version of the application."""
    code = (
        "import sys; import config.host.serve, config.host.container;"
        "print(*{name.partition('.')[0] for name in sys.modules} - sys.stdlib_module_names)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {name for name in done.stdout.split() if not name.startswith(("_", "sitecust"))} == {
        "config"
    }


@pytest.mark.parametrize("named", [None, "/srv/kernels"])
def test_a_service_keeps_compiled_kernels_in_its_state(tmp_path, monkeypatch, named):
    monkeypatch.setattr(serve.Service, "run", lambda _: None)
    monkeypatch.setattr(serve.os, "environ", {"CARDROOM_STATE": str(tmp_path)})
    if named:
        serve.os.environ["CARDROOM_KERNEL_CACHE"] = named
    serve.main([])
    assert serve.os.environ["CARDROOM_KERNEL_CACHE"] == (named or str(tmp_path / "kernels"))


def no_wait(_):
    raise AssertionError("It waited.")


def test_a_second_start_waits_for_one_that_stops(tmp_path):
    first, second, sentences = Lock(tmp_path), Lock(tmp_path), []
    first.take(no_wait, sentences.append)
    with pytest.raises(CannotServe, match="already runs on"):
        second.take(no_wait, sentences.append)
    first.note_stop()
    waits = count()

    def wait(_):
        if next(waits) == 3:
            first.release()

    second.take(wait, sentences.append)
    assert len(sentences) == 1
    assert "which still stops" in sentences[0]
    assert not second.was_killed
    second.release()


def test_the_port_of_a_killed_service_may_be_free_a_moment_later(tmp_path, monkeypatch):
    killed = Lock(tmp_path)
    killed.take(no_wait, print)
    killed._file.close()  # as the kernel does
    after = Lock(tmp_path)
    after.take(no_wait, print)
    assert after.was_killed
    held = listen("127.0.0.1", 0)
    port = held.getsockname()[1]
    with pytest.raises(CannotServe, match="is taken"):
        listen("127.0.0.1", port)
    monkeypatch.setattr(state_folder.time, "sleep", lambda _: held.close())
    with listen("127.0.0.1", port, seconds=5) as again:
        assert isinstance(again, socket.socket)
    after.release()


# `serve` calls itself ready when the parts and a page say so.


@pytest.fixture
def serving():
    """A web process that answers with these statuses and bodies by path."""
    servers = []

    def start(answers):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                status, body = answers[self.path]
                self.send_response(status)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args):
                """Nothing."""

        server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return server.server_address

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


PARTS = b'{"status": "not ready", "database": "up", "bots": "a turn is due for 30 s"}'


@pytest.mark.parametrize(
    ("ready", "missing"),
    [
        ((200, b"{}"), ""),
        ((503, PARTS), "bots: a turn is due for 30 s"),
        ((500, b"oh"), "/readyz answers 500"),
    ],
)
def test_which_parts_are_missing(serving, ready, missing):
    host, port = serving({"/readyz": ready})
    assert serve.missing_parts(host, port) == missing


@pytest.mark.parametrize(
    ("page", "missing"),
    [(200, ""), (301, ""), (500, "/accounts/login/ answers 500")],  # to HTTPS
)
def test_whether_a_page_is_shown(serving, page, missing):
    host, port = serving({serve.PAGE: (page, b"")})
    assert serve.missing_page(host, port) == missing


def test_nobody_answers_yet(serving):
    assert serve.missing_page("127.0.0.1", 1) == "no answer (ConnectionRefusedError)"


@pytest.mark.parametrize("text", ["99999", "0", "-1", "http", "٣"])
def test_a_port_that_is_none_is_named(text):
    with pytest.raises(CannotServe, match="from 1 to 65535"):
        _port_number(text)
