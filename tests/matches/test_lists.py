"""The lobby reads the matches that wait for players; `/readyz` reads the turns that are late."""

import json
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from games.matches.models import Match
from games.matches.selectors.lists import find_matches
from games.operations.figures import LATE_MOVE, OF_ONE_MATCH, bots_move
from tests.matches.scenes import opened

pytestmark = pytest.mark.django_db
OVER = 3000


def copies_that_are_over(match, count):
    columns = [field.column for field in Match._meta.concrete_fields]
    other = {"id": "gen_random_uuid()", "status": "'aborted'", "outcome": "'{}'"}
    values = [other.get(column, column) for column in columns]
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO games_match ({', '.join(columns)}) SELECT {', '.join(values)} "
            "FROM games_match, generate_series(1, %s) WHERE id = %s",
            [count, match.id],
        )
        cursor.execute("ANALYZE games_match")


def rows_read(plan):
    """Rows of matches that a plan looked at, also those that it threw away."""
    below = sum(rows_read(each) for each in plan.get("Plans", ()))
    if plan.get("Relation Name") != "games_match":
        return below
    each = plan["Actual Rows"] + plan.get("Rows Removed by Filter", 0)
    return below + each * plan["Actual Loops"]


def test_the_lobby_reads_no_match_that_is_over(ada, ben):
    waiting = opened(ada, "me, open", visibility="public")
    copies_that_are_over(waiting, OVER)
    lobby = find_matches(user=ben.id, joinable=True)[:50]
    assert [match.id for match in lobby] == [waiting.id]
    plan = json.loads(lobby.explain(analyze=True, format="json"))[0]["Plan"]
    assert rows_read(plan) < 10


@pytest.mark.parametrize(
    ("due_for", "told"),
    [
        (timedelta(seconds=1), "up"),
        (LATE_MOVE + timedelta(seconds=5), "a turn is due for 25 s"),
        (OF_ONE_MATCH + timedelta(minutes=1), "up"),  # one stuck match closes no service
    ],
)
def test_bots_that_do_not_move_are_told(ada, due_for, told):
    match = opened(ada, "me, bot greedy")
    row = Match.objects.filter(id=match.id)
    row.update(to_act=[1], bot_due_at=timezone.now() - due_for)
    assert bots_move() == told


def test_bots_that_play_alone_keep_nobody_waiting(ada):
    match = opened(ada, "bot greedy, bot greedy")
    due = timezone.now() - 2 * LATE_MOVE
    Match.objects.filter(id=match.id).update(bot_due_at=due)
    assert bots_move() == "up"
