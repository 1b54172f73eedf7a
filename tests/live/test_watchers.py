"""How many watch a match is counted: people, not their streams, and never the players."""

import pytest
from django.core.cache import cache
from django.test import Client

from games.lobby import finding
from tests.api.calls import move, new_match, post, read
from tests.live.conftest import LINES
from tests.patience import WAITING, on_a_busy_machine
from tests.web.browsing import signed_in

pytestmark = WAITING


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr("games.live.hub.SWEEP_SECONDS", 0.05)
    seconds = on_a_busy_machine(1.5)
    for module in ("games.live.hub", "games.lobby.finding"):
        monkeypatch.setattr(f"{module}.WATCHED", seconds)
    finding._client.cache_clear()


@pytest.fixture
def match(transactional_db, first):
    return new_match(first, "me, bot greedy", visibility="public")


def test_a_table_hears_how_many_watch(hear, listen, match, ada, cleo, api):
    query = f"match={match['id']}"
    player = hear(signed_in(ada).client, query)
    player.next("table")
    for _ in range(2):  # two tabs of one person
        hear(signed_in(cleo).client, query)
    assert player.next("watchers") == {"type": "watchers", "count": 1}
    listen(api, f"matches/{match['id']}/stream", Accept="application/x-ndjson").next()
    assert player.next("watchers")["count"] == 2
    (count,) = finding.watchers_of([match["id"]]).values()
    assert count == 2


def test_who_leaves_is_not_counted_for_long(hear, match, ada, cleo, monkeypatch):
    for module in ("games.live.hub", "games.lobby.finding"):
        monkeypatch.setattr(f"{module}.WATCHED", 0.4)
    query = f"match={match['id']}"
    player, watcher = hear(signed_in(ada).client, query), hear(signed_in(cleo).client, query)
    assert player.next("watchers")["count"] == 1
    watcher.close()
    assert player.next("watchers")["count"] == 0


def test_who_sat_down_before_it_began_is_no_watcher(hear, first, second, ada, ben, cleo):
    match = new_match(first, "me, open", visibility="public")
    query = f"match={match['id']}"
    host, guest = hear(signed_in(ada).client, query), hear(signed_in(ben).client, query)
    assert host.next("watchers")["count"] == 1  # Ben, who looks at the open table
    post(second, f"matches/{match['id']}/join")
    assert guest.next("watchers")["count"] in (0, 1)
    while host.next("watchers")["count"]:
        pass
    hear(signed_in(cleo).client, query)
    assert host.next("watchers")["count"] == 1


def test_who_was_here_lately_is_counted_once(hear, transactional_db, ada):
    before = finding.people_lately() or 0
    heard = [hear(signed_in(ada).client) for _ in range(2)]
    heard[0].next("waiting")
    hear(Client()).next("ping")
    heard[1].next("ping")
    assert (finding.people_lately() or 0) - before in (1, 2)
    assert not cache.get(finding.HERE)


def test_a_stream_of_a_watcher_stays_behind(listen, transactional_db, first, api):
    match = new_match(first, "me, local Twin", visibility="public", watch_delay=2)
    watcher = listen(api, f"matches/{match['id']}/stream", {"after": -1}, Accept=LINES)
    player = listen(first, f"matches/{match['id']}/stream", Accept=LINES)
    assert (watcher.next()["version"], player.next()["version"]) == (0, 0)
    for version in (1, 2, 3):
        match = read(first, match)
        move(first, match)
        assert player.until(version)[-1]["version"] == version
    told = watcher.until(1)
    assert told[-1]["match"]["version"] == 1
    assert max(event["version"] for each in told for event in each["events"]) <= 1
