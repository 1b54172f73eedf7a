"""Many accounts of one machine count as one where an account costs nothing."""

import time
from types import SimpleNamespace

import pytest
from rest_framework.test import APIClient

from accounts import services
from cardroom.rules.pazaak.side_cards import STARTER
from config.api.scopes import SCOPES
from games.matches import records
from tests.api.calls import new_match, post, refused, wishes

pytestmark = pytest.mark.django_db

HERE, THERE = "198.51.100.7", "203.0.113.9"
DECK = {"name": "Mine", "cards": list(STARTER)}


def program(user, address=HERE):
    client = APIClient(REMOTE_ADDR=address)
    secret = services.issue_key(user=user, scopes=SCOPES).secret
    client.credentials(HTTP_AUTHORIZATION=f"Token {secret}")
    return client


@pytest.fixture
def guests():
    """`guests(3)`: so many programs of guests who come from one address."""
    return lambda number, address=HERE: [
        program(services.open_guest(), address) for _ in range(number)
    ]


@pytest.fixture
def most(settings):
    def choose(**limits):
        settings.LIMITS = settings.LIMITS | limits

    return choose


def opening(client, seats="me, open", **more):
    return post(client, "matches", {"game": "pisti", "seats": wishes(seats)} | more)


@pytest.mark.parametrize(
    ("limit", "seats", "code"),
    [
        ("open_matches", "me, open", "too_many_open_matches"),
        ("active_matches", "me, local Twin", "too_many_active_matches"),
        ("bot_matches", "bot greedy, bot greedy", "too_many_bot_matches"),
    ],
)
def test_matches_of_guests_count_together(guests, most, limit, seats, code):
    most(**{limit: 3})
    for guest in guests(3):
        assert opening(guest, seats).status_code == 201
    (late,) = guests(1)
    assert refused(opening(late, seats), code)["limit"] == 3
    (elsewhere,) = guests(1, THERE)
    assert opening(elsewhere, seats).status_code == 201


def test_who_has_registered_counts_alone(guests, most, ada):
    most(open_matches=2)
    for guest in guests(2):
        opening(guest)
    mine = program(ada)
    assert [opening(mine).status_code for _ in range(3)] == [201, 201, 409]


def test_an_operator_lets_more_guests_share_an_address(guests, most):
    most(open_matches=2, guests=3)
    several = guests(6)
    assert [opening(guest).status_code for guest in several] == [201] * 6
    refused(opening(several[0]), "too_many_open_matches")


def test_loads_count_too(guests, most):
    first, second = guests(2)
    match = new_match(first)
    most(active_matches=2)
    load = f"matches/{match['id']}/load"
    assert post(first, load, {"version": 0, "cards": "same"}).status_code == 201
    refused(opening(second, "me, local Twin"), "too_many_active_matches")
    refused(post(first, load, {"version": 0, "cards": "same"}), "too_many_active_matches")


def test_simulations_of_guests_count_together(guests, most):
    most(simulations=2)
    asked = {"game": "pisti", "games": 10, "bots": ["greedy"]}
    answers = [post(guest, "simulations", asked) for guest in guests(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 409]


def test_decks_of_guests_count_together(guests, monkeypatch):
    monkeypatch.setattr("decks.services.MOST_DECKS", 2)
    answers = [post(guest, "decks", DECK) for guest in guests(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 409]


def test_exports_of_guests_count_together(guests, most):
    most(exports=2)
    answers = [post(guest, "exports") for guest in guests(3)]
    assert [answer.status_code for answer in answers] == [202, 202, 409]


@pytest.mark.parametrize("registered", [True, False])
def test_a_host_has_two_tables_in_the_lobby(guests, ada, registered):
    host = program(ada) if registered else guests(1)[0]
    answers = [opening(host, visibility="public") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 409]
    refused(answers[2], "too_many_lobby_tables")
    assert opening(host).status_code == 201  # who has the address finds it
    assert opening(host, "me, local Twin", visibility="public").status_code == 201


def test_so_has_an_address(ada, ben, cleo):
    assert opening(program(ada), visibility="public").status_code == 201
    assert opening(program(ben), visibility="public").status_code == 201
    refused(opening(program(cleo), visibility="public"), "too_many_lobby_tables")
    assert opening(program(cleo, THERE), visibility="public").status_code == 201


class TestCheckingRecords:
    @pytest.fixture(autouse=True)
    def rate(self, rates):
        rates(checks="1/hour")

    def check(self, client):
        return client.post("/api/v1/records/verify", {"x": 1}, format="json")

    def work(self, monkeypatch, seconds):
        """Each check takes so long by the clock of this thread's processor."""
        spent = [time.thread_time()]

        def verify(_):
            spent[0] += seconds

        clock = SimpleNamespace(thread_time=lambda: spent[0], monotonic=time.monotonic)
        monkeypatch.setattr(records, "time", clock)
        monkeypatch.setattr(records.record, "verify", verify)

    def test_an_address_has_so_many_seconds_of_a_processor(self, monkeypatch):
        self.work(monkeypatch, 0.4)
        here = APIClient(REMOTE_ADDR=HERE)
        assert [self.check(here).status_code for _ in range(4)] == [200, 200, 200, 429]
        told = self.check(here)
        refused(told, "throttled")
        assert 0 < int(told["Retry-After"]) <= 3600
        assert self.check(APIClient(REMOTE_ADDR=THERE)).status_code == 200

    def test_what_costs_little_is_checked_often(self):
        here = APIClient(REMOTE_ADDR=HERE)
        assert {self.check(here).status_code for _ in range(50)} == {200}

    def test_guests_share_it_and_who_has_registered_does_not(self, monkeypatch, guests, ada):
        self.work(monkeypatch, 0.6)
        answers = [self.check(guest).status_code for guest in guests(3)]
        assert answers == [200, 200, 429]
        assert self.check(program(ada)).status_code == 200

    def test_large_ones_sent_at_once_are_counted_before_they_are_checked(self, settings):
        """Of what waits for a worker nothing is known yet."""
        settings.RECORD_BYTES_IN_PLACE, settings.RECORD_SECONDS = 0, 1
        here = APIClient(REMOTE_ADDR=HERE)
        spent = []
        with pytest.raises(records.NoVerdict):
            records.check_uploaded({"x": 1}, spent.append)
        assert spent == [1.0, -1.0]  # no worker took it
        assert self.check(here).status_code == 503
