"""Streams go on until their client leaves or the server has to go, and end properly."""

import asyncio

from config.server import streams as streams_module
from config.server.streams import LiveResponse, Streams
from tests.patience import PATIENCE

HEAD = {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]}


class Talk:
    """Says one word, then waits to be told to end."""

    def __init__(self):
        self._ended = asyncio.Event()

    async def run(self, write):
        await write(b"event")
        await self._ended.wait()

    def end(self):
        self._ended.set()


async def hear(*, stop=False, leave=False, stuck=False):
    streams, heard, begun = Streams(), [], asyncio.Event()

    async def receive():
        await (begun.wait() if leave else asyncio.sleep(60))
        return {"type": "http.disconnect"}

    async def send(message):
        heard.append(message)
        if message.get("body"):
            begun.set()
            if stuck:
                await asyncio.sleep(60)

    task = asyncio.ensure_future(streams.serve(Talk(), HEAD, receive, send))
    await asyncio.wait_for(begun.wait(), PATIENCE)
    if stop:
        streams.end()
    await asyncio.wait_for(task, PATIENCE)
    return heard


def test_open_stream_ends_when_told_to():
    heard = asyncio.run(hear(stop=True))
    assert heard[-1] == {"type": "http.response.body", "body": b"", "more_body": False}
    assert [message.get("body") for message in heard] == [None, b"event", b""]


def test_length_of_a_stream_is_not_said():
    assert asyncio.run(hear(stop=True))[0]["headers"] == []


def test_stream_ends_with_its_client():
    assert asyncio.run(hear(leave=True))[-1]["more_body"] is False


def test_client_that_reads_nothing_is_left(monkeypatch):
    monkeypatch.setattr(streams_module, "SECONDS_TO_READ", 0.05)
    assert asyncio.run(hear(stuck=True))[-1]["more_body"] is False


def test_server_that_stops_begins_no_stream():
    async def begin():
        streams, heard = Streams(), []
        streams.end()

        async def receive():
            await asyncio.sleep(60)

        async def send(message):
            heard.append(message)

        await asyncio.wait_for(streams.serve(Talk(), HEAD, receive, send), PATIENCE)
        return heard

    assert [message.get("body") for message in asyncio.run(begin())] == [None, b""]


def test_nothing_on_the_way_keeps_or_gathers_a_stream():
    response = LiveResponse(Talk(), "text/event-stream")
    assert response["Cache-Control"] == "no-store, no-transform"
    assert response["X-Accel-Buffering"] == "no"
