"""Seats that a host keeps for friends: nobody else takes them or finds them in a list."""

import pytest

from accounts.social import services as social
from games.matches import joining, opening
from games.matches.models import Seat
from games.matches.refusals import BadSeats, SeatTaken
from games.matches.seats import SeatRequest
from games.matches.selectors.lists import find_matches
from tests.api.calls import get, new_match, post, refused
from tests.matches.scenes import now
from tests.web.browsing import signed_in


@pytest.fixture(autouse=True)
def befriended(ada, ben):
    """Ada and Ben are friends."""
    social.befriend(user=ada, other=ben.pk)
    social.befriend(user=ben, other=ada.pk)


@pytest.fixture
def table(ada):
    seats = [SeatRequest("me"), SeatRequest("open", friends=True)]
    return opening.open_match(creator=ada, game="pisti", seats=seats, visibility="public")


def join(match, user):
    return joining.join(match_id=match.id, user=user)


def listed(user):
    return list(find_matches(user=user and user.pk, joinable=True))


def test_a_friend_sits_down(table, ben):
    assert [one.id for one in listed(ben)] == [table.id]
    assert join(table, ben).status == "active"


def test_nobody_else_does(table, cleo, guest):
    for user in (cleo, guest):
        assert listed(user) == []
        with pytest.raises(SeatTaken):
            join(table, user)
    assert listed(None) == []
    assert now(table).status == "open"


def test_a_friend_who_leaves_leaves_it_to_friends(ada, ben, cleo):
    seats = [SeatRequest("me"), SeatRequest("open", friends=True), SeatRequest("open")]
    options = {"players": 3}
    match = opening.open_match(creator=ada, game="pisti", seats=seats, options=options)
    joining.join(match_id=match.id, user=ben, seat=1)
    joining.leave(match_id=match.id, user=ben)
    with pytest.raises(SeatTaken):
        joining.join(match_id=match.id, user=cleo, seat=1)


def test_the_host_changes_it(table, ada, cleo):
    joining.open_seat(match_id=table.id, host=ada, seat=1)
    joining.open_seat(match_id=table.id, host=ada, seat=1, friends=True)
    joining.open_seat(match_id=table.id, host=ada, seat=1, friends=True)
    assert now(table).seats[1].for_friends
    joining.invite(match_id=table.id, host=ada, seat=1, username="Cleo")
    assert not now(table).seats[1].for_friends
    assert join(table, cleo).status == "active"


def test_a_computer_may_take_it(table, ada):
    joining.fill_seat(match_id=table.id, host=ada, seat=1, bot="greedy")
    assert not Seat.objects.filter(for_friends=True).exists()


def test_guests_have_no_friends(guest):
    for seat in (SeatRequest("open", friends=True), SeatRequest("bot", bot="greedy", friends=True)):
        with pytest.raises(BadSeats):
            opening.open_match(creator=guest, game="pisti", seats=[SeatRequest("me"), seat])


def test_over_the_api(first, second, stranger_program):
    match = new_match(first, "me, open", visibility="public")
    offer = {"seat": 1, "friends": True}
    told = post(first, f"matches/{match['id']}/invite", offer).json()
    assert told["seats"][1]["for_friends"]
    refused(post(stranger_program, f"matches/{match['id']}/join"), "seat_taken")
    assert get(stranger_program, "matches", {"joinable": "true"}).json()["results"] == []
    assert post(second, f"matches/{match['id']}/join").json()["status"] == "active"
    both = {"seat": 1, "friends": True, "open": True}
    refused(post(first, f"matches/{match['id']}/invite", both), "malformed")


@pytest.fixture
def stranger_program(cleo, keyed):
    return keyed(cleo)


def test_on_the_pages(table, ada, ben, cleo):
    lobby = signed_in(cleo).open("/lobby").page
    assert str(table.id) not in lobby
    page = signed_in(cleo).open(f"/matches/{table.id}")
    assert "free for friends of the host" in page.text
    assert "Play along" not in page.text
    host = signed_in(ada).open(f"/matches/{table.id}").press("Open to anybody")
    host.open(f"/matches/{table.id}")
    assert not now(table).seats[1].for_friends
    joining.open_seat(match_id=table.id, host=ada, seat=1, friends=True)
    signed_in(ben).open("/lobby").press("Sit down at seat 2: Pişti with Ada")
    assert now(table).status == "active"


def test_a_new_match_offers_it(ada):
    browser = signed_in(ada).open("/new?game=pisti")
    browser.press("Start", **{"seat-1-who": "friends"})
    assert Seat.objects.get(index=1).for_friends
