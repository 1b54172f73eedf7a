"""Reads for all listeners together: nobody waits for an answer that does not come."""

import asyncio
from collections.abc import Sequence
from types import SimpleNamespace

import pytest

from games.live.listener import Feed

SOON = 5.0


def doubled(queries: Sequence[int]) -> list[int]:
    return [2 * each for each in queries]


def test_queries_are_answered_in_order():
    async def both(feed):
        return await asyncio.gather(feed.read(doubled, 1), feed.read(doubled, 2))

    assert asyncio.run(both(Feed())) == [2, 4]


def test_a_reading_that_was_cancelled_before_it_began_stops_no_other():
    feed = Feed()

    async def given_up():
        waits = asyncio.create_task(feed.read(doubled, 1))
        await asyncio.sleep(0)
        feed._reading.cancel()
        waits.cancel()

    asyncio.run(given_up())
    assert asyncio.run(asyncio.wait_for(feed.read(doubled, 2), SOON)) == 4


def test_a_connection_that_cannot_be_given_back_is_an_error_for_all_who_wait(monkeypatch):
    def broken():
        raise RuntimeError("gone")

    monkeypatch.setattr("games.live.listener.connection", SimpleNamespace(close=broken))
    with pytest.raises(RuntimeError, match="gone"):
        asyncio.run(asyncio.wait_for(Feed().read(doubled, 1), SOON))
