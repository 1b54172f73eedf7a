"""A duplicate: two teams at two tables, nobody plays a deal twice."""

import pytest

from games.matches import joining, records
from games.matches.models import Match
from games.matches.refusals import DealIsSealed
from games.matches.selectors.access import get_match
from games.mirrored import opening
from games.mirrored.results import standing_of
from tests.api.calls import get
from tests.matches.scenes import played
from tests.mirrored.sets import begin, legs

pytestmark = pytest.mark.django_db
TEAMS = "me, user ben, user cleo, user dan"  # ada and cleo against ben and dan


@pytest.fixture
def dan(db):
    from accounts.models import User

    return User.objects.create_user("dan", display_name="Dan")


@pytest.fixture
def tables(ada, ben, cleo, dan):
    """Both tables, everybody seated."""
    first = begin(ada, TEAMS, "pisti")
    other = get_match(legs(first)[1].match_id)
    joining.join(match_id=first.id, user=ben)
    for person in (cleo, dan):
        joining.join(match_id=other.id, user=person)
    return get_match(first.id), get_match(other.id)


def test_partners_hold_opposite_sides_of_the_same_deal(tables):
    first, other = tables
    assert [seat.name for seat in first.seats] == ["Ada", "Ben"]
    assert [seat.name for seat in other.seats] == ["Dan", "Cleo"]
    assert first.state == other.state
    assert first.commitment != other.commitment


def test_the_teams_are_named_and_the_result_is_of_both_tables(tables, ada, dan):
    for table in tables:
        played(table)
    opening.go_on_with_all()
    standing = standing_of(tables[0].id, ada.pk)
    assert standing.sides == (["Ada", "Cleo"], ["Ben", "Dan"])
    assert len(standing.result.pairs) == 1
    assert standing_of(tables[1].id, dan.pk).own_side == 1


def test_nobody_looks_at_the_other_table_not_even_its_host(tables, ada, first, second):
    one, other = tables
    assert get(first, f"matches/{one.id}").status_code == 200
    for path in (f"matches/{other.id}", f"matches/{other.id}/events", f"matches/{other.id}/shape"):
        assert get(first, path).status_code == 404
        assert get(second, path).status_code == 404
    for path in ("matches?mine=true", "matches"):
        assert str(other.id) not in get(first, path).content.decode()
    played(other)
    assert get(first, f"matches/{other.id}").status_code == 404
    with pytest.raises(DealIsSealed):
        records.of(get_match(other.id), None)
    played(one)
    opening.go_on_with_all()
    assert get(first, f"matches/{other.id}").json()["seed"]


def test_computers_may_fill_a_table(ada):
    first = begin(ada, "me, bot greedy, bot greedy, bot random", "pisti")
    other = get_match(legs(first)[1].match_id)
    assert [seat.bot for seat in other.seats] == ["random", "greedy"]
    for table in (first, other):
        played(table)
    opening.go_on_with_all()
    assert standing_of(first.id, ada.pk).result.pairs
    assert Match.objects.count() == 2


def test_a_duplicate_has_one_pair(ada, first):
    from tests.api.calls import post

    body = {"game": "pisti", "mirrored": True, "pairs": 3}
    seats = [{"kind": "me"}, *[{"kind": "bot", "bot": "greedy"}] * 3]
    answer = post(first, "matches", body | {"seats": seats})
    assert answer.status_code == 422
    assert answer.json()["code"] == "cannot_be_mirrored"
