"""The newest matches of a person and of everybody: each way to a match, its own newest few."""

import json

import pytest

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
from tests.matches.scenes import opened, resigned
from tests.matches.test_lists import OVER, copies_that_are_over, rows_read


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
