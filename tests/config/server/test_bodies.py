"""A body that never ends costs a web process little memory, and nobody else notices.

Against one web process as it runs in production, over sockets.
"""

import json
import os
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from config.server import bodies
from config.server.bodies import largest
from tests.patience import PATIENCE, WAITING, wait_until
from tests.served import Caller, free_port

# The process ends with a test run that is killed.
OURS = [sys.executable, "-m", "config.host.supervisor", str(os.getpid())]
ROOT = Path(__file__).resolve().parents[3]
VERIFY = "/api/v1/records/verify"
MEBIBYTE = 2**20
CONNECTIONS = 100

pytestmark = [pytest.mark.slow, WAITING]  # two servers for all


class Web:
    def __init__(self, folder, **environment):
        self.port = free_port()
        self._log = (folder / "web.log").open("ab")
        self.process = subprocess.Popen(
            [*OURS, "config.processes.web", "--port", str(self.port)],
            cwd=ROOT,
            env=os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings"} | environment,
            stdout=self._log,
            stderr=subprocess.STDOUT,
        )
        end = time.monotonic() + PATIENCE
        while not self.answers():
            assert time.monotonic() < end, (folder / "web.log").read_text()
            time.sleep(0.1)

    def close(self):
        self.process.kill()
        self.process.wait()
        self._log.close()

    def answers(self):
        try:
            return Caller(self.port, patience=5).get("/healthz").status == 200
        except OSError:
            return False

    def memory(self):
        """Resident, in MB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)


def head(path, *more):
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", "Content-Type: application/json", *more]
    return "\r\n".join([*lines, "", ""]).encode()


def send(connection, data):
    """As much as the server takes."""
    with suppress(OSError):
        connection.sendall(data)


def answer(connection):
    """All that is answered until the server closes the connection."""
    data = b""
    with suppress(ConnectionError):
        while part := connection.recv(65536):
            data += part
    return data


def is_closed(connection):
    """By the server, which has answered nothing."""
    connection.setblocking(False)
    try:
        return connection.recv(1, socket.MSG_PEEK) == b""
    except OSError as error:
        return not isinstance(error, BlockingIOError)


def status(data):
    return int(data.split(b" ", 2)[1]) if data else None


@pytest.fixture(scope="module")
def patient(tmp_path_factory):
    """A server with the usual limits."""
    web = Web(tmp_path_factory.mktemp("patient"))
    yield web
    web.close()


@pytest.fixture(scope="module")
def strict(tmp_path_factory):
    """One that waits a second for a body, and holds little."""
    little = {"UNFINISHED_PER_ADDRESS": "5", "CONNECTIONS_PER_ADDRESS": "20"}
    web = Web(tmp_path_factory.mktemp("strict"), BODY_SECONDS="1", **little)
    yield web
    web.close()


# Each path, and both ways in which a body says how long it is; the others are for `make sweeps`.
@pytest.mark.parametrize(
    ("path", "chunked"),
    [
        (VERIFY, True),
        ("/api/v1/matches", False),
        ("/accounts/login/", True),
        *(
            pytest.param(*other, marks=pytest.mark.sweep)
            for other in ((VERIFY, False), ("/api/v1/matches", True), ("/accounts/login/", False))
        ),
    ],
)
def test_a_hundred_unfinished_bodies_of_four_mebibytes(patient, path, chunked):
    """They held 425 MB for ever."""
    length = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {4 * MEBIBYTE}"
    size = 2 * MEBIBYTE - 1 if path == VERIFY else 4 * MEBIBYTE - 1
    body = b"%x\r\n" % (4 * MEBIBYTE) + b" " * size if chunked else b" " * size
    before = patient.memory()
    with ExitStack() as stack:
        for _ in range(CONNECTIONS):
            connection = stack.enter_context(patient.connect())
            send(connection, head(path, length))
            send(connection, body)
        time.sleep(1)
        held = patient.memory() - before
        assert patient.answers()
    assert held < 40, held


def test_a_body_is_judged_by_its_length_before_it_is_sent(patient):
    with patient.connect() as connection:
        send(connection, head("/api/v1/matches", "Content-Length: 65537"))
        said = answer(connection)
    assert status(said) == 413
    told = json.loads(said.partition(b"\r\n\r\n")[2])
    assert (told["code"], told["limit"]) == ("body_too_large", 65536)


def test_nobody_is_told_to_go_on_with_what_is_too_large(patient):
    asked = head("/api/v1/matches", "Content-Length: 65537", "Expect: 100-continue")
    with patient.connect() as connection:
        send(connection, asked)
        assert status(answer(connection)) == 413


def test_who_sends_all_of_what_is_too_large_still_reads_why(patient):
    """Closing at once would lose the answer."""
    told = Caller(patient.port).post("/api/v1/matches", {"x": "y" * 3 * MEBIBYTE})
    assert told.status == 413


def test_who_sends_slowly_what_is_too_large_reads_why_too(patient):
    with patient.connect() as connection:
        send(connection, head("/api/v1/matches", "Content-Length: 4000000"))
        for _ in range(8):
            time.sleep(0.1)
            connection.sendall(b" " * 100_000)
        assert status(answer(connection)) == 413


def test_chunks_are_counted_while_they_arrive(patient):
    with patient.connect() as connection:
        send(connection, head("/api/v1/matches", "Transfer-Encoding: chunked"))
        send(connection, (b"8000\r\n" + b" " * 0x8000 + b"\r\n") * 3)
        assert status(answer(connection)) == 413


def test_records_may_be_larger(patient):
    told = Caller(patient.port).post(VERIFY, {"x": "y" * MEBIBYTE})
    assert told.status == 200
    assert told.json()["valid"] is False


def test_a_page_says_it_in_words(patient):
    with patient.connect() as connection:
        send(connection, head("/accounts/login/", "Content-Length: 4000000"))
        said = answer(connection)
    assert status(said) == 413
    assert b"text/plain" in said


@pytest.mark.parametrize("length", ["Content-Length: 100", "Transfer-Encoding: chunked"])
def test_a_slow_body_ends(strict, length):
    begun = time.monotonic()
    with strict.connect() as connection:
        send(connection, head("/api/v1/matches", length) + b"5\r\n")
        said = answer(connection)
    assert status(said) == 408
    assert json.loads(said.partition(b"\r\n\r\n")[2])["code"] == "body_too_slow"
    assert 0.8 < time.monotonic() - begun < 8


def test_a_slow_move_ends_too(strict):
    """It comes in by the express door."""
    move = "/api/v1/matches/0193d9a8-1111-7000-8000-000000000000/moves"
    key = "Authorization: Token " + "k" * 64
    with strict.connect() as connection:
        send(connection, head(move, "Content-Length: 100", key) + b"{")
        assert status(answer(connection)) == 408


def test_an_answer_before_the_end_of_the_body_ends_the_connection(strict):
    with strict.connect() as connection:
        send(connection, head("/healthz", "Content-Length: 100"))
        assert status(answer(connection)) == 200
        assert answer(connection) == b""


def test_an_address_has_few_unfinished_requests(strict):
    with ExitStack() as stack:
        connections = [stack.enter_context(strict.connect()) for _ in range(8)]
        for connection in connections:
            send(connection, head("/api/v1/matches", "Content-Length: 100"))
        said = [answer(connection) for connection in connections]
    assert sorted(map(status, said)) == [408] * 5 + [429] * 3
    assert all(b"retry-after: " in told for told in said if status(told) == 429)


def test_an_address_has_so_many_connections(strict):
    with ExitStack() as stack:
        connections = [stack.enter_context(strict.connect()) for _ in range(25)]
        wait_until(lambda: is_closed(connections[-1]))  # they are judged in their order
        assert sum(map(is_closed, connections)) == 5
    assert strict.answers()


def test_headers_without_end_are_refused(patient):
    before = patient.memory()
    with patient.connect() as connection:
        send(connection, b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        send(connection, b"X-Many: " + b"a" * 60_000 + b"\r\n")
        send(connection, b"X-Many: " + b"a" * 10 * MEBIBYTE)
        assert status(answer(connection)) == 431
    assert patient.memory() - before < 10


def test_what_a_view_reads_follows_from_its_parser():
    assert largest(VERIFY) == 2 * MEBIBYTE
    assert largest("/api/v1/matches") == 65536
    assert largest("/no/such/page") == 65536


def test_the_proxy_lets_through_what_the_largest_view_reads():
    proxy = (ROOT / "docker/Caddyfile").read_text()
    assert f"max_size {largest(VERIFY) // MEBIBYTE}MiB" in proxy
    assert f"max_header_size {bodies.LARGEST_HEAD // 1024}KiB" in proxy
    assert f"read_header {bodies.SECONDS_FOR_HEADERS:.0f}s" in proxy
