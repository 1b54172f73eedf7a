"""Reads for all listeners together: nobody waits for an answer that does not come."""

import asyncio
from collections.abc import Sequence
from random import Random
from types import SimpleNamespace

import msgspec
import pytest

from accounts import services
from cardroom.contract.playing import NAMES
from cardroom.rules import catalog
from cardroom.rules.witnesses import Witnesses
from games.api.streams import match_message
from games.live.listener import Feed
from games.live.match_stream import Query, read_deliveries
from games.matches import joining
from games.matches.selectors.access import get_match
from tests.fifth_game import GAME as HIGH_CARD
from tests.matches.scenes import move, short

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


# No line of a stream holds a card that its seat may not see: whole matches of every game.


@pytest.fixture
def match_of(monkeypatch, ada):
    """A short match with another person at every seat, who plays it, and a spectator."""
    monkeypatch.setattr(catalog, "GAMES", (*catalog.GAMES, HIGH_CARD))

    def opened(game):
        seats = game.seats(game.options())
        match = short(ada, game.slug, ", ".join(["me", *["open"] * (seats - 1)]))
        readers = {0: ada.pk}
        for seat in range(1, seats):
            user = services.register(
                username=f"{NAMES[seat]}-{seat}", password="so many words here"
            )
            match = joining.join(match_id=match.id, user=user)
            readers[seat] = user.pk
        return match, {**readers, None: services.open_guest().pk}

    return opened


def lines(match, readers, told):
    """The next message for every reader, from one reading as in the service; keeps ``told``."""
    queries = [Query(match.id, user, None, told, None, match_message) for user in readers.values()]
    return {
        reader: msgspec.json.decode(answer.messages[0].text)
        for reader, answer in zip(readers, read_deliveries(queries), strict=True)
    }


@pytest.mark.parametrize("game", [*catalog.GAMES, HIGH_CARD], ids=lambda game: game.slug)
def test_no_line_tells_a_seat_what_another_holds(game, match_of):
    match, readers = match_of(game)
    witnesses, rng, text, told, found = Witnesses(game, match.setups), Random(1), "", -1, []
    while match.status == "active":
        heard = lines(match, readers, told)
        events = {r: [{**e, "move": None} for e in one["events"]] for r, one in heard.items()}
        views = {reader: one["match"]["view"] for reader, one in heard.items()}
        assert [one["match"]["view"]["seat"] for one in heard.values()] == list(readers)
        assert {one["match"]["seed"] for one in heard.values()} == {None}
        found += witnesses.leaks(get_match(match.id).state, text, events, views)
        told, seat = match.version, rng.choice(match.to_act)
        text = rng.choice(match.rules.legal_moves(match.state, seat))
        match = move(match, text, seat)
    assert found == []
    assert told >= 4
