"""Reading a match is what programs do most: the key is looked up in the SELECT that reads."""

import pytest

from accounts.models import Key
from tests.api.calls import get, new_match, read, refused


@pytest.fixture
def match(first):
    return new_match(first)


def test_it_takes_one_statement(first, match, django_assert_num_queries):
    with django_assert_num_queries(1):
        assert read(first, match)["your_seats"] == match["your_seats"]


def test_an_unknown_key_is_refused(holding, match):
    refused(get(holding("0" * 64), f"matches/{match['id']}"), "bad_key")


def test_a_revoked_key_is_refused(first, match):
    Key.objects.all().delete()
    refused(get(first, f"matches/{match['id']}"), "bad_key")


def test_without_a_key_one_watches(api, match, django_assert_num_queries):
    with django_assert_num_queries(2):  # the match, and whose names are withheld from strangers
        assert read(api, match)["your_seats"] == []


def test_a_flood_is_stopped_by_key(first, second, match, rates):
    rates(user="2/hour", anon="1/hour")
    path = f"matches/{match['id']}"
    assert [get(first, path).status_code for _ in range(3)] == [200, 200, 429]
    assert get(second, path).status_code == 200
