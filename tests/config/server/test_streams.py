"""Streams end when the server has to go, properly, and only then."""

import asyncio

from config.server.streams import Streams

SCOPE = {"type": "http", "path": "/api/v1/matches/1/stream"}


async def live_table(scope, receive, send):
    """Speaks once, then waits for its listener to leave, as Django's handler does."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"event", "more_body": True})
    while (await receive())["type"] != "http.disconnect":
        pass


async def short_answer(scope, receive, send):
    await send({"type": "http.response.start", "status": 404, "headers": []})
    await send({"type": "http.response.body", "body": b"gone", "more_body": False})


async def hear(handler, *, stop):
    streams, heard, begun = Streams(handler), [], asyncio.Event()

    async def receive():
        await asyncio.sleep(60)

    async def send(message):
        heard.append(message)
        begun.set()

    task = asyncio.ensure_future(streams(SCOPE, receive, send))
    await asyncio.wait_for(begun.wait(), 5)
    if stop:
        streams.end()
    await asyncio.wait_for(task, 5)
    return heard


def test_open_stream_ends_when_told_to():
    heard = asyncio.run(hear(live_table, stop=True))
    assert heard[-1] == {"type": "http.response.body", "body": b"", "more_body": False}
    assert [message.get("body") for message in heard] == [None, b"event", b""]


def test_answer_that_is_whole_gets_no_second_end():
    assert len(asyncio.run(hear(short_answer, stop=False))) == 2
