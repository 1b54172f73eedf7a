"""No index of seats stands twice: every read finds them by those that are left."""

import re
from copy import copy

from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from config.uuid7 import uuid7
from games.matches import opening
from games.matches.models import Match, Seat
from games.matches.selectors.access import Caller, find_match, matches_of, people_of
from games.matches.selectors.lists import NOT_OVER, Sought, newest_of
from tests.matches.scenes import opened

INDEX = re.compile(r"(?:Scan(?: Backward)? using|Bitmap Index Scan on) (\S+)")


def indexes_of(statements):
    """The indexes of seats that the plans of these statements use, with the seats there are."""
    used = set()
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE games_match, games_seat")
        cursor.execute("SET LOCAL enable_seqscan = off")
        for sql in statements:
            cursor.execute(f"EXPLAIN {sql}")
            used |= {name for (line,) in cursor.fetchall() for name in INDEX.findall(line)}
    return used


def many_seats_of_others(match):
    """Copies of the match, each with another's seat."""
    others = User.objects.bulk_create(
        User(username=f"other{number}", display_name="Other") for number in range(300)
    )
    copies = [copy(Match.objects.get(pk=match.id)) for _ in others]
    for one, who in zip(copies, others, strict=True):
        one.pk, one.creator = uuid7(), who
    Match.objects.bulk_create(copies)
    Seat.objects.bulk_create(
        Seat(match=one, index=0, kind="user", user=one.creator) for one in copies
    )


# The second is the foreign key's own. Nobody is invited here: the planner takes the smaller one.
INVITES = ("seat_invites", "games_seat_invited_id")
READS = [
    (lambda ada, match: find_match(match.id, Caller(user=ada.id)), "seat_is_there_once"),
    (lambda ada, match: list(newest_of(ada.id, Sought(), most=9)), "seat_of_user"),
    (lambda ada, match: list(newest_of(ada.id, Sought(), most=9)), INVITES),
    (
        lambda ada, match: list(newest_of(ada.id, Sought(statuses=NOT_OVER), most=9)),
        "seat_unfinished",
    ),
    (lambda ada, match: matches_of([ada.id]), "seat_of_user"),
    (lambda ada, match: people_of([match.id]), "seat_is_there_once"),
    (
        lambda ada, match: opening.check_limits(Match.objects.get(pk=match.id), [Seat(kind="bot")]),
        "seat_is_there_once",
    ),
]


def test_seats_are_found_by_an_index(ada):
    """Every read among the seats of the same three hundred."""
    match = opened(ada)
    many_seats_of_others(match)
    for number, (read, index) in enumerate(READS):
        with CaptureQueriesContext(connection) as seen:
            read(ada, match)
        used = indexes_of(query["sql"] for query in seen.captured_queries)
        assert any(name.startswith(index) for name in used), (number, used)


def test_no_index_of_seats_is_the_beginning_of_another(db):
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, Seat._meta.db_table)
    whole = [tuple(one["columns"]) for one in found.values() if one["index"] and not one["unique"]]
    assert ("user_id",) not in whole
