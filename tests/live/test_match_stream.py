"""The stream of a match: everything once, in order, as the listener's seat may know it."""

import time

import pytest
from django.db import connection
from django.test import Client

from accounts import services as accounts_services
from accounts.models import Key, User
from accounts.social import selectors, services
from games.live import hub, match_stream
from games.phrases import speaking
from tests.api.calls import get, move, new_match, post, read, refused
from tests.conftest import PASSWORD
from tests.live.conftest import LINES
from tests.live.listening import Heard
from tests.patience import WAITING, on_a_busy_machine, wait_until
from tests.web.browsing import signed_in

pytestmark = WAITING


@pytest.fixture
def duel(transactional_db, first, second):
    """A match of Pişti between Ada and Ben."""
    match = new_match(first, "me, open")
    post(second, f"matches/{match['id']}/join")
    return read(first, match)


def play(match, *clients, plies):
    """So many moves, each by the client whose turn it is; the match after them."""
    for _ in range(plies):
        mine = next(m for m in (read(c, match) | {"c": c} for c in clients) if m["legal_moves"])
        match = move(mine.pop("c"), mine).json()
    return match


def versions(messages):
    return [event["version"] for message in messages for event in message["events"]]


def test_a_move_is_heard_with_its_events_and_the_match(duel, listen, first, second):
    heard = listen(second, f"matches/{duel['id']}/stream")
    begins = heard.next()
    assert (begins["type"], begins["version"], begins["events"]) == ("match", 0, [])
    assert begins["match"] == read(second, duel)
    after = move(first, duel).json()
    told = heard.next()
    assert told["version"] == after["version"] == 1
    assert told["events"][0]["move"] == duel["legal_moves"][0]["move"]
    assert told["match"] == read(second, duel)
    assert heard.names == ["0", "1"]


def test_lines_say_the_same(duel, listen, first, second):
    path = f"matches/{duel['id']}/stream"
    lines, events = listen(second, path, Accept=LINES), listen(second, path)
    assert lines.next() == events.next()
    move(first, duel)
    assert lines.next() == events.next()


def test_each_listener_hears_as_its_own_seat(duel, listen, first, second, keyed, cleo):
    """Ada, Ben and a spectator: the same versions, each with a view of its own."""
    path = f"matches/{duel['id']}/stream"
    heard = [listen(client, path) for client in (first, second, keyed(cleo))]
    for one in heard:
        one.next()
    move(first, duel)
    seats = [one.next()["match"]["view"]["seat"] for one in heard]
    assert seats == [0, 1, None]


def test_resumed_everything_is_told_once(duel, listen, first, second):
    path, told = f"matches/{duel['id']}/stream", []
    heard = listen(first, path, {"after": -1})
    told += heard.until(0)
    match = play(duel, first, second, plies=3)
    told += heard.until(3)
    heard.close()
    match = play(match, first, second, plies=4)
    again = listen(first, path, Last_Event_ID=heard.names[-1])
    told += again.until(7)
    play(match, first, second, plies=2)
    told += again.until(9)
    events = get(first, f"matches/{duel['id']}/events", {"limit": 100}).json()["events"]
    assert [event for message in told for event in message["events"]] == events
    assert versions(told) == sorted(versions(told))


def test_who_is_far_behind_gets_it_in_parts(duel, listen, first, second, monkeypatch):
    monkeypatch.setattr(match_stream, "MOST_VERSIONS", 2)
    play(duel, first, second, plies=5)
    heard = listen(first, f"matches/{duel['id']}/stream", {"after": -1}, Accept=LINES)
    told = heard.until(5)
    assert [message["version"] for message in told] == [1, 3, 5]
    assert [message["match"] is None for message in told] == [True, True, False]
    assert sorted(set(versions(told))) == list(range(6))


def test_a_match_that_starts_tells_its_deal(listen, transactional_db, first, second):
    match = new_match(first, "me, open")
    heard = listen(first, f"matches/{match['id']}/stream")
    assert heard.next()["match"]["status"] == "open"
    assert heard.names == ["-1"]  # nothing is told yet: the deal will be version 0
    post(second, f"matches/{match['id']}/join")
    started = heard.next()
    assert started["match"]["status"] == "active"
    assert {event["version"] for event in started["events"]} == {0}


def test_a_match_that_is_over_ends_its_stream(duel, listen, first, second):
    heard = listen(second, f"matches/{duel['id']}/stream")
    heard.next()
    post(first, f"matches/{duel['id']}/resign")
    told = list(heard)
    assert [message["type"] for message in told] == ["match", "end"]
    assert told[-1]["match"]["status"] == "finished"
    assert list(listen(second, f"matches/{duel['id']}/stream", {"after": 1}))[-1]["type"] == "end"


def test_without_valkey_the_database_is_asked(duel, listen, first, second, settings):
    settings.VALKEY_URL = "redis://127.0.0.1:1/0"
    heard = listen(second, f"matches/{duel['id']}/stream")
    heard.next()
    begun = time.monotonic()
    move(first, duel)
    assert heard.next()["version"] == 1
    assert time.monotonic() - begun < on_a_busy_machine(5)


@pytest.mark.parametrize("cause", ["revoked", "expired", "suspended", "scope"])
def test_a_stream_ends_with_what_it_was_opened_by(duel, listen, keyed, ben, cause, monkeypatch):
    monkeypatch.setattr(hub, "CHECK_SECONDS", 0.0)
    monkeypatch.setattr(hub, "SWEEP_SECONDS", 0.05)
    heard = listen(keyed(ben), f"matches/{duel['id']}/stream")
    heard.next()
    keys = Key.objects.filter(user=ben)
    match cause:
        case "revoked":
            keys.delete()
        case "expired":
            keys.update(expires_at="2001-01-01T00:00Z")
        case "suspended":
            User.objects.filter(pk=ben.pk).update(is_active=False)
        case "scope":
            keys.update(scopes=["play"])
    assert list(heard) == []


def test_who_leaves_a_private_match_hears_no_more(listen, transactional_db, first, second, ben):
    match = new_match(first, "me, user Ben, open", options={"players": 3}, visibility="private")
    heard = listen(second, f"matches/{match['id']}/stream")
    heard.next()
    post(second, f"matches/{match['id']}/leave")
    assert [message["type"] for message in heard] in ([], ["match", "end"])


def test_an_account_has_so_many_streams(duel, listen, first, settings):
    settings.LIMITS = settings.LIMITS | {"streams": 2}
    path = f"matches/{duel['id']}/stream"
    held = [listen(first, path) for _ in range(2)]
    for one in held:
        one.next()
    answer = get(first, path)
    assert refused(answer, "too_many_streams")["limit"] == 2
    assert int(answer["Retry-After"]) > 0
    held[0].close()
    listen(first, path).next()


def test_who_waits_holds_no_connection(duel, listen, first):
    def taken():
        stats = connection.pool.get_stats()
        return stats["pool_size"] - stats["pool_available"]

    before = taken()  # this test's own, and those that threads of earlier scenes took with them
    held = [listen(first, f"matches/{duel['id']}/stream") for _ in range(10)]
    for one in held:
        one.next()
    wait_until(lambda: taken() <= before)


def test_what_cannot_be_listened_to(duel, first, second, keyed, cleo):
    private = new_match(first, "me, open", visibility="private")
    refused(get(second, f"matches/{private['id']}/stream"), "not_found")
    refused(get(keyed(cleo), f"matches/{duel['id']}/stream", {"seat": 0}), "not_your_seat")
    for wrong in ({"after": "x"}, {"after": -2}, {"seat": "a"}):
        refused(get(first, f"matches/{duel['id']}/stream", wrong), "malformed")
    refused(get(first, f"matches/{duel['id']}/stream", Last_Event_ID="new"), "malformed")


def test_its_head_is_answered_at_once(duel, first):
    answer = first.head(f"/api/v1/matches/{duel['id']}/stream")
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/event-stream")


def test_proxies_pass_it_on_at_once(duel, first):
    answer = get(first, f"matches/{duel['id']}/stream")
    assert answer["X-Accel-Buffering"] == "no"
    assert answer["Cache-Control"] == "no-store, no-transform"
    assert answer["Content-Type"] == "text/event-stream"


# Phrases and news of friends in the streams: what a reader gets, and what nobody does.


@pytest.fixture
def match(transactional_db, first, second):
    match = new_match(first, "me, open", visibility="public")
    post(second, f"matches/{match['id']}/join")
    return match["id"]


@pytest.fixture
def follow(listen, match):
    def begin(program, query="?phrases=true"):
        heard = listen(program, f"matches/{match}/stream{query}", Accept=LINES)
        heard.next("match")
        return heard

    return begin


def test_what_is_said_is_streamed_to_those_who_want_it(follow, match, second, ada):
    heard, quiet = follow(second), follow(second, "")
    speaking.speak(match_id=match, user=ada, phrase="what_a_pile")
    said = heard.next()
    assert said | {"at": ""} == {
        "type": "said",
        "seat": 0,
        "phrase": "what_a_pile",
        "text": "What a pile!",
        "picture": "",
        "at": "",
    }
    speaking.speak(match_id=match, user=ada, phrase="coffee")
    assert heard.next()["picture"] == "☕"
    post(second, f"matches/{match}/resign")
    assert [message["type"] for message in quiet] == ["match", "end"]


def test_a_page_shows_it_and_who_muted_does_not(match, ada, ben, cleo):
    at_ben, at_cleo, at_anybody = (
        Heard(client.get(f"/stream?match={match}"))
        for client in (signed_in(ben).client, signed_in(cleo).client, Client())
    )
    for heard in (at_ben, at_cleo, at_anybody):
        heard.next("table")
    speaking.mute(match_id=match, user=ben, seat=0)
    services.block(owner=cleo, blocked=ada.pk)
    speaking.speak(match_id=match, user=ada, phrase="hello")
    speaking.speak(match_id=match, user=ben, phrase="oops")
    assert at_anybody.next("said")["phrase"] == "hello"
    for heard in (at_ben, at_cleo, at_anybody):
        assert heard.next("said")["phrase"] == "oops"
        heard.close()


def test_without_an_announcement_it_is_found(follow, match, second, ada, monkeypatch):
    monkeypatch.setattr("games.live.hub.SWEEP_SECONDS", 0.05)
    monkeypatch.setattr("games.live.hub.SWEEP_SECONDS_WITHOUT_VALKEY", 0.05)
    heard = follow(second)
    monkeypatch.setattr(speaking, "announce_saying", lambda _: None)
    speaking.speak(match_id=match, user=ada, phrase="hello")
    assert heard.next("said")["phrase"] == "hello"


def test_the_stream_of_an_account_says_who_asks_and_who_accepted(
    listen, transactional_db, first, second, ada, ben
):
    at_ada, at_ben = (listen(each, "stream", Accept=LINES) for each in (first, second))
    at_ada.next("hello"), at_ben.next("hello")
    services.befriend(user=ada, other=ben.pk)
    news = at_ben.next("friend_request")
    assert (news["username"], news["display_name"]) == ("Ada", "Ada")
    services.befriend(user=ben, other=ada.pk)
    accepted = at_ada.next("friend_accepted")
    assert accepted["username"] == "Ben"
    resumed = listen(first, f"stream?after={accepted['id']}", Accept=LINES)
    resumed.next("hello")
    services.end_friendship(user=ben.pk, other=ada.pk)
    services.befriend(user=ben, other=ada.pk)
    asked = resumed.next()
    assert asked["type"] == "friend_request"  # what was sent is not sent again
    for heard in (at_ada, at_ben, resumed):
        heard.close()


def test_who_resumes_gets_what_was_missed(listen, transactional_db, second, ada, ben):
    people = [User.objects.create_user(name, password=PASSWORD) for name in ("cleo", "dan")]
    heard = listen(second, "stream", Accept=LINES)
    name = heard.next("hello")["id"]
    heard.close()
    services.befriend(user=ada, other=ben.pk)
    again = listen(second, f"stream?after={name}", Accept=LINES)
    again.next("hello")
    news = again.next()
    assert news["type"] == "friend_request"
    for person in people:
        again = listen(second, f"stream?after={news['id']}", Accept=LINES)
        again.next("hello")
        services.befriend(user=person, other=ben.pk)
        news = again.next()  # once, however often the connection is lost
        assert news["username"] == person.username


def test_who_listens_is_online(listen, transactional_db, second, ben, monkeypatch):
    monkeypatch.setattr("games.live.hub.CHECK_SECONDS", 0.0)
    monkeypatch.setattr("games.live.hub.SWEEP_SECONDS", 0.05)
    assert selectors.online([ben.pk]) == set()
    heard = listen(second, "stream", Accept=LINES)
    heard.next("hello")
    assert wait_until(lambda: selectors.online([ben.pk])) == {ben.pk}


def test_a_page_hears_of_a_request(transactional_db, ada, ben):
    heard = Heard(signed_in(ben).client.get("/stream"))
    heard.next("waiting")
    services.befriend(user=ada, other=ben.pk)
    assert heard.next("friends") == {"type": "friends", "news": "friend_request"}
    heard.close()


# An address takes no more than its share of streams, and who watches none of a player's places.


@pytest.fixture
def limits(settings):
    def choose(address=8, process=2000, account=20):
        settings.LIMITS |= {"streams_of_address": address, "streams": account}
        settings.STREAMS_PER_PROCESS = process

    settings.LIMITS = dict(settings.LIMITS)
    return choose


@pytest.fixture
def table(transactional_db, first):
    """A public match that Ada plays against Ben."""
    return new_match(first, "me, bot greedy", visibility="public")


@pytest.fixture
def watchers(keyed):
    """So many guests, each a program of its own."""
    return lambda number: [keyed(accounts_services.open_guest()) for _ in range(number)]


def test_all_guests_of_an_address_together_take_so_many(listen, table, watchers, limits):
    """One address with 101 guests took all 2,000 of a process."""
    limits(address=8)
    path, guests = f"matches/{table['id']}/stream", watchers(7)
    for guest in guests[:6]:
        listen(guest, path).next()
    answer = get(guests[6], path)
    assert refused(answer, "too_many_streams")["limit"] == 8
    assert int(answer["Retry-After"]) > 0


def test_another_address_does_not_notice(listen, table, watchers, limits, settings):
    limits(address=4)
    settings.PROXIES = 1
    path, guests = f"matches/{table['id']}/stream", watchers(5)
    for guest in guests[:3]:
        listen(guest, path, X_Forwarded_For="198.51.100.7").next()
    refused(get(guests[3], path, X_Forwarded_For="198.51.100.7"), "too_many_streams")
    listen(guests[4], path, X_Forwarded_For="198.51.100.8").next()


def test_an_ipv6_customer_counts_by_its_network(listen, table, watchers, limits, settings):
    limits(address=4)
    settings.PROXIES = 1
    path, guests = f"matches/{table['id']}/stream", watchers(5)
    for number, guest in enumerate(guests[:3]):
        listen(guest, path, X_Forwarded_For=f"2001:db8:1:2::{number + 1}").next()
    refused(get(guests[3], path, X_Forwarded_For="2001:db8:1:2:ffff::1"), "too_many_streams")
    listen(guests[4], path, X_Forwarded_For="2001:db8:1:3::1").next()


@pytest.mark.parametrize("full", ["address", "process"])
def test_who_plays_is_let_in_when_watchers_have_filled_it(
    listen, table, watchers, limits, first, full
):
    limits(**{full: 8})
    path, guests = f"matches/{table['id']}/stream", watchers(7)
    for guest in guests[:6]:
        listen(guest, path).next()
    assert get(guests[6], path).status_code in (429, 503)
    assert listen(first, path).next()["type"] == "match"


def test_so_is_a_players_page(listen, table, watchers, limits, ada, client):
    limits(process=4)
    for guest in watchers(3):
        listen(guest, f"matches/{table['id']}/stream").next()
    client.force_login(ada)
    assert client.get("/stream").status_code == 503
    assert client.get(f"/stream?match={table['id']}").status_code == 200


def test_what_is_closed_counts_no_more(listen, table, watchers, limits):
    limits(address=4)
    path, guests = f"matches/{table['id']}/stream", watchers(4)
    held = [listen(guest, path) for guest in guests[:3]]
    for one in held:
        one.next()
    held[0].close()
    listen(guests[3], path).next()
