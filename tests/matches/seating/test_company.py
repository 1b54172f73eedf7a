"""Nobody sits down beside a person who has blocked them; neither finds the table of the other."""

import pytest

from accounts.social.services import block
from games.matches import joining
from games.matches.refusals import SeatTaken
from games.matches.selectors.lists import find_matches
from tests.matches.scenes import opened
from tests.web.browsing import signed_in


def table(host, seats="me, open, open, open"):
    return opened(host, seats, visibility="public", options={"players": 4})


def listed(user):
    return {match.id for match in find_matches(user=user.id, joinable=True)}


def test_the_hosts_table_is_none_for_a_person_they_blocked(ada, ben):
    match = table(ada)
    block(owner=ada, blocked=ben.pk)
    with pytest.raises(SeatTaken, match="taken or kept for somebody"):
        joining.join(match_id=match.id, user=ben)


def test_so_is_one_at_which_a_person_sits_who_blocked_them(ada, ben, cleo):
    match = table(ada)
    joining.join(match_id=match.id, user=cleo)
    block(owner=cleo, blocked=ben.pk)
    with pytest.raises(SeatTaken):
        joining.join(match_id=match.id, user=ben, seat=2)


def test_whoever_blocks_may_sit_down_all_the_same(ada, ben):
    match = table(ada)
    block(owner=ben, blocked=ada.pk)
    assert joining.join(match_id=match.id, user=ben).seats[1].user_id == ben.pk


def test_an_invitation_of_the_host_holds(ada, ben, cleo):
    match = table(ada)
    joining.join(match_id=match.id, user=cleo)
    block(owner=cleo, blocked=ben.pk)
    joining.invite(match_id=match.id, host=ada, seat=2, username=ben.username)
    assert joining.join(match_id=match.id, user=ben).seats[2].user_id == ben.pk


@pytest.mark.parametrize("by_host", [True, False])
def test_neither_finds_it(ada, ben, cleo, by_host):
    match = table(ada)
    joining.join(match_id=match.id, user=cleo)
    assert listed(ben) == {match.id}
    owner, blocked = (ada, ben) if by_host else (ben, cleo)
    block(owner=owner, blocked=blocked.pk)
    assert listed(ben) == set()


def test_the_page_offers_no_seat_and_says_no_more_than_of_a_kept_one(ada, ben):
    match = table(ada)
    assert "Sit down here" in signed_in(ben).open(f"/matches/{match.id}").text
    block(owner=ada, blocked=ben.pk)
    page = signed_in(ben).open(f"/matches/{match.id}").text
    assert "Sit down here" not in page
    assert "No seat is free for you." in page


def test_running_tables_of_either_are_not_offered_to_watch(ada, ben):
    match = opened(ada, "me, bot greedy", visibility="public")
    assert str(match.id) in signed_in(ben).open("/lobby").page
    block(owner=ada, blocked=ben.pk)
    assert str(match.id) not in signed_in(ben).open("/lobby").page
