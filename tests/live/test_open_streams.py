"""An address takes no more than its share of streams, and who watches none of a player's places."""

import pytest

from accounts import services
from tests.api.calls import get, new_match, refused
from tests.patience import WAITING

pytestmark = WAITING


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
    return lambda number: [keyed(services.open_guest()) for _ in range(number)]


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
