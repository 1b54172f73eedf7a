"""A caller that never finishes its headers is cut off."""

import asyncio
import socket

import pytest
import uvicorn

from config.server import bodies, protocol
from config.server.protocol import AT_ONCE, JoinedWrites
from tests.patience import WAITING

pytestmark = WAITING


async def ok(scope, receive, send):
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


@pytest.fixture
def said(monkeypatch):
    """The answer of a server to pieces sent with pauses, until it closes the connection."""
    monkeypatch.setattr(bodies, "SECONDS_FOR_HEADERS", 0.3)

    async def ask(pieces, pause, kept):
        listener = socket.create_server(("127.0.0.1", 0))
        config = uvicorn.Config(ok, http=protocol.PunctualProtocol, lifespan="off", log_config=None)
        config.timeout_keep_alive = kept
        server = uvicorn.Server(config)
        running = asyncio.create_task(server.serve(sockets=[listener]))
        reader, writer = await asyncio.open_connection(*listener.getsockname())
        try:
            for piece in pieces:
                writer.write(piece)
                await asyncio.sleep(pause)
            return await asyncio.wait_for(reader.read(), 3)
        except ConnectionError:
            return b""
        finally:
            writer.close()
            server.should_exit = True
            await running

    return lambda pieces, pause, kept=5: asyncio.run(ask(pieces, pause, kept))


def test_slow_headers_are_cut(said):
    assert said([b"GET / HTTP/1.1\r\n", b"Host: x\r\n", b"A: b\r\n", b"C: d\r\n"], 0.2) == b""


def test_a_connection_that_says_nothing_is_cut(said):
    assert said([], 0) == b""


def test_quick_ones_are_answered(said):
    request = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    assert said([request], 0).startswith(b"HTTP/1.1 204")


class Noting(asyncio.Transport):
    def __init__(self):
        self.written = []

    def write(self, data):
        self.written.append(data)


def test_a_head_and_its_body_are_one_write():
    transport = Noting()

    async def write_twice():
        joined = JoinedWrites(transport, asyncio.get_running_loop())
        for number in range(2):
            joined.write(b"head%d " % number)
            joined.write(b"body")
            await asyncio.sleep(0)
        joined.write(b"x" * 10)
        joined.write(b"y" * AT_ONCE)
        assert len(transport.written) == 3  # what is large does not wait

    asyncio.run(write_twice())
    assert transport.written[:2] == [b"head0 body", b"head1 body"]


def test_a_kept_connection_has_the_same_time_for_each_request(said):
    request = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
    answers = said([request, request, b"GET / HTTP/1.1\r\n", b"A: b\r\n", b"C: d\r\n"], 0.2)
    assert answers.count(b"204") == 2


def test_a_kept_connection_that_is_idle_is_closed_and_one_in_use_is_not(said):
    """One timer looks again and again; each answer begins the time anew."""
    request = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
    assert said([request] * 4, 0.2, kept=0.3).count(b"204") == 4
