"""No index of seats stands twice: every read finds them by those that are left."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.matches.models import Match, Seat
from games.matches.selectors.access import Caller, find_match
from games.matches.selectors.changes import matches_of, people_of
from games.matches.selectors.lists import find_matches
from games.matches.services import limits
from tests.matches.scenes import opened


def indexes_of(statements):
    """The indexes of seats that the plans of these statements use."""
    used = set()
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        for sql in statements:
            cursor.execute(f"EXPLAIN {sql}")
            used |= {
                line.split(" using ")[1].split(" ")[0]
                for (line,) in cursor.fetchall()
                if " using " in line and "games_seat" in line
            }
    return used


@pytest.mark.parametrize(
    ("read", "index"),
    [
        (lambda ada, match: find_match(match.id, Caller(user=ada.id)), "seat_is_there_once"),
        (lambda ada, match: list(find_matches(user=ada.id, mine=True)), "seat_of_user"),
        (lambda ada, match: matches_of([ada.id]), "seat_of_user"),
        (lambda ada, match: people_of([match.id]), "seat_is_there_once"),
        (lambda ada, match: list(Seat.objects.filter(user=ada)), "seat_of_user"),
        (
            lambda ada, match: limits.judge(Match.objects.get(), [Seat(kind="bot")]),
            "seat_is_there_once",
        ),
    ],
)
def test_seats_are_found_by_an_index(ada, read, index):
    match = opened(ada)
    with CaptureQueriesContext(connection) as seen:
        read(ada, match)
    assert index in indexes_of(query["sql"] for query in seen.captured_queries)


def test_no_index_of_seats_is_the_beginning_of_another(db):
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, Seat._meta.db_table)
    whole = [tuple(one["columns"]) for one in found.values() if one["index"] and not one["unique"]]
    assert ("user_id",) not in whole
