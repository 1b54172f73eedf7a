"""Seats that act at once do not collide (shithead R5)."""

import pytest

from games.matches.models import Ply
from games.matches.refusals import StaleVersion
from games.matches.services import joining
from tests.matches.scenes import move, now, opened


@pytest.fixture
def match(ada, ben):
    """The exchange: both are to act."""
    return joining.join(match_id=opened(ada, "me, open", "shithead").id, user=ben)


def swap(match, seat):
    return match.rules.legal_moves(match.state, seat)[1]


def test_both_name_the_same_version_and_both_are_applied(match):
    assert list(match.to_act) == [0, 1]
    move(match, swap(match, 0), 0)
    move(match, swap(match, 1), 1)
    plies = Ply.objects.filter(match_id=match.id, version__gt=0).order_by("version")
    assert [(ply.version, ply.seat) for ply in plies] == [(1, 0), (2, 1)]


def test_a_seat_that_moved_itself_since_is_stale(match):
    after = move(match, swap(match, 0), 0)
    with pytest.raises(StaleVersion) as refused:
        move(match, "ready", 0, key="a")
    assert refused.value.match == after
    assert move(refused.value.match, "ready", 0, key="a").state.ready == (True, False)


def test_who_was_not_yet_to_act_then_is_stale(match):
    playing = move(move(match, "ready", 0), "ready", 1)
    first = playing.to_act[0]
    after = move(playing)
    with pytest.raises(StaleVersion):
        move(after, version=playing.version, seat=1 - first)
    assert now(match) == after


@pytest.mark.parametrize("version", [5, 2**31 - 1])
def test_a_version_to_come_is_stale(match, version):
    with pytest.raises(StaleVersion):
        move(match, "ready", 0, version=version)
