"""Too many requests: 429 with the time to wait; nobody else notices."""

import pytest

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
