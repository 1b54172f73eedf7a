"""The newest matches of a person and of everybody: each way to a match, its own newest few."""

import json
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from games.matches import joining
from games.matches.models import Match
from games.matches.selectors.lists import (
    NOT_OVER,
    Sought,
    find_matches,
    newest_for,
    newest_of,
    newest_seated,
)
from games.operations.figures import LATE_MOVE, OF_ONE_MATCH, bots_move
from tests.matches.scenes import opened, resigned

# The lobby reads the matches that wait for players; `/readyz` reads the turns that are late.

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
def test_bots_that_do_not_move_are_told(ada, due_for, told, time_machine):
    time_machine.move_to(timezone.now(), tick=False)
    match = opened(ada, "me, bot greedy")
    row = Match.objects.filter(id=match.id)
    row.update(to_act=[1], bot_due_at=timezone.now() - due_for)
    assert bots_move() == told


def test_bots_that_play_alone_keep_nobody_waiting(ada):
    match = opened(ada, "bot greedy, bot greedy")
    due = timezone.now() - 2 * LATE_MOVE
    Match.objects.filter(id=match.id).update(bot_due_at=due)
    assert bots_move() == "up"


@pytest.fixture
def several(ada, ben):
    """Ada's in every way, and some of which she knows nothing."""
    return {
        "seated": opened(ada, "me, bot greedy"),
        "device": opened(ada, "me, local Twin"),
        "over": resigned(opened(ada, "me, bot greedy"), 0),
        "open": opened(ada, "me, open"),
        "hosted": opened(ada, "bot greedy, bot greedy"),
        "invited": opened(ben, f"me, user {ada.username}"),
        "public": opened(ben, "me, bot greedy", visibility="public"),
        "waiting": opened(ben, "me, open", visibility="public"),
        "secret": opened(ben, "me, bot greedy"),
    }


def names(several, matches):
    by_id = {match.id: name for name, match in several.items()}
    return [by_id[match.id] for match in matches]


OWN = ["invited", "hosted", "open", "over", "device", "seated"]


def test_the_ways_to_the_own_ones(ada, several):
    assert names(several, newest_of(ada.id, Sought(), most=99)) == OWN
    seated = newest_seated(ada.id, Sought(), most=99)
    assert names(several, seated) == ["open", "over", "device", "seated"]


def test_everybody_finds_the_public_ones(ada, several):
    public = ["waiting", "public"]
    assert names(several, newest_for(None, Sought(), most=99)) == public
    assert names(several, newest_for(ada.id, Sought(), most=99)) == public + OWN


def test_the_newest_of_all_ways_together(ada, several):
    assert names(several, newest_for(ada.id, Sought(), most=3)) == ["waiting", "public", "invited"]
    before = Sought(before=several["invited"].id)
    assert names(several, newest_for(ada.id, before, most=3)) == ["hosted", "open", "over"]


def test_a_match_with_several_own_seats_counts_once(ada, several):
    mine = Sought(statuses=["active"])
    assert names(several, newest_seated(ada.id, mine, most=2)) == ["device", "seated"]


def test_what_is_sought(ada, several):
    running = newest_of(ada.id, Sought(statuses=NOT_OVER), most=99)
    assert names(several, running) == ["invited", "hosted", "open", "device", "seated"]
    seated = newest_seated(ada.id, Sought(statuses=NOT_OVER), most=99)
    assert names(several, seated) == ["open", "device", "seated"]
    assert not newest_of(ada.id, Sought(game="pazaak"), most=99)


def test_a_declined_invitation_is_none(ada, several):
    joining.leave(match_id=several["invited"].id, user=ada)
    assert names(several, newest_of(ada.id, Sought(), most=99)) == OWN[1:]


@pytest.mark.parametrize("who", ["ada", "ben", "cleo"])
def test_they_are_what_may_be_found(who, several, request):
    user = request.getfixturevalue(who).id
    for matches, found in (
        (newest_of(user, Sought(), most=99), find_matches(user=user, mine=True)),
        (newest_for(user, Sought(), most=99), find_matches(user=user)),
    ):
        assert names(several, matches) == names(several, found)


def test_they_read_no_match_that_is_over(ada, ben):
    running = opened(ada)
    copies_that_are_over(opened(ada, "me, open"), OVER)
    matches = newest_of(ada.id, Sought(statuses=NOT_OVER), most=30)
    assert running.id in {match.id for match in matches}
    plan = json.loads(matches.explain(analyze=True, format="json"))[0]["Plan"]
    assert rows_read(plan) < 20
    assert Match.objects.count() > OVER
