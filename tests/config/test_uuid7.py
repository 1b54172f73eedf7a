"""Identifiers sort by the time they were made."""

import time

from config.uuid7 import uuid7


def test_it_is_a_uuid_of_version_7():
    made = uuid7()
    assert (made.version, made.variant) == (7, "specified in RFC 4122")


def test_it_holds_the_time():
    assert abs((uuid7().int >> 80) - time.time_ns() // 1_000_000) < 1000


def test_later_ones_sort_later():
    made = []
    for _ in range(200):
        made.append(uuid7())
        time.sleep(0.00002)
    assert made == sorted(made)


def test_no_two_are_alike():
    assert len({uuid7() for _ in range(20_000)}) == 20_000
