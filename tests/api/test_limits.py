"""Too many requests: 429 with the time to wait; nobody else notices."""

import pytest

from accounts import services
from games.matches.models import Match
from tests.api.calls import get, move, new_match, post, read, refused


def waits(answer):
    refused(answer, "throttled")
    assert 0 < int(answer["Retry-After"]) <= 3600


def test_moves_have_an_allowance_of_their_own(first, second, rates):
    match = new_match(first)
    other = new_match(second)
    rates(moves="3/hour")
    for _ in range(3):
        assert move(first, match).status_code == 201
        match = read(first, match)
    waits(move(first, match))
    assert read(first, match)["version"] == 3
    assert move(second, other).status_code == 201


def test_refused_moves_count_too(first, rates):
    match = new_match(first)
    rates(moves="2/hour")
    for _ in range(2):
        refused(move(first, match, "nonsense"), "malformed_move")
    waits(move(first, match))


@pytest.mark.parametrize("call", ["matches", "games"])
def test_a_flood_of_reading(first, second, rates, call):
    rates(user="2/hour")
    assert [get(first, call).status_code for _ in range(3)] == [200, 200, 429]
    waits(get(first, call))
    assert get(second, call).status_code == 200


def test_a_flood_of_new_matches(first, rates):
    rates(user="1/hour")
    body = {"game": "pisti", "seats": [{"kind": "me"}, {"kind": "local"}]}
    assert post(first, "matches", body).status_code == 201
    waits(post(first, "matches", body))


@pytest.fixture
def machine(db, keyed):
    """Programs of two guests on one machine, each with a match."""
    programs = [keyed(services.open_guest()) for _ in range(2)]
    return [(program, new_match(program)["id"]) for program in programs]


def load(program, match, version=0):
    return post(program, f"matches/{match}/load", {"cards": "same", "version": version})


def test_loads_are_counted_by_account_and_for_guests_by_address(first, second, machine, rates):
    rates(loads="2/hour")
    matches = {program: new_match(program)["id"] for program in (first, second)}
    for program, match in matches.items():
        assert [load(program, match).status_code for _ in range(3)] == [201, 201, 429]
        waits(load(program, match))
    (one, match), (other, others) = machine
    assert [load(one, match).status_code for _ in range(2)] == [201, 201]
    waits(load(other, others))
    assert Match.objects.filter(parent__isnull=False).count() == 6
