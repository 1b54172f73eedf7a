"""The pages of leagues, by forms alone; who is named there, and who is not."""

import pytest
from rest_framework.test import APIClient

from accounts.models import User
from accounts.social.models import Block, Privacy
from games.leagues import divisions
from games.leagues.models import Membership
from tests.leagues.scenes import FIRST, crowd, day, over, won
from tests.web.browsing import Browser, signed_in

pytestmark = pytest.mark.django_db
API = "/api/v1/leagues/pisti"


def joined(*people):
    for person in people:
        divisions.join(user=person, game="pisti")


def test_a_week_by_forms_alone(ada, ben):
    with day():
        browser = signed_in(ada).open("/leagues")
        browser.open("/leagues/pisti")
        assert "Nobody plays in this league yet." in browser.text
        browser.press("Join the league")
        joined(ben)
        won(ada, ben)
        page = browser.open("/leagues/pisti").text
        assert "You play in this league." in page
        assert "tier 1, place 1, 10 points" in browser.open("/leagues").text
        browser.open("/leagues/pisti").press("Leave the league")
        assert "your line stays until the week is over" in browser.text
    over()
    with day(week=1):
        assert "Your weeks" in browser.open("/leagues/pisti").text
        past = browser.open(f"/leagues/pisti?week={FIRST.date()}").text
        assert "It is over." in past
        assert "Week after" in past


def test_visitors_and_guests_are_asked_to_sign_up(guest):
    assert "Sign up" in Browser().open("/leagues/pisti").text
    browser = signed_in(guest)
    assert "Sign up" in browser.open("/leagues/pisti").text
    assert browser.client.post("/leagues/pisti/join").status_code == 403
    assert not Membership.objects.exists()


@pytest.mark.parametrize(
    "path",
    [
        "pyanitsa",
        "chess",
        "pisti?tier=9",
        "pisti?tier=x",
        "pisti?week=2020-01-06",
        "pisti?week=x",
        "pisti?division=99999999999999999999",
        "pisti?tier=-1",
        "pisti?tier=0",
    ],
)
def test_what_is_not_there_is_not_found(path, ada):
    with day():
        joined(ada)
        assert Browser().open(f"/leagues/{path}").status == 404


def test_luck_says_why():
    assert "luck alone" in APIClient().get("/api/v1/leagues/pyanitsa").json()["detail"]


def names(reader, keyed):
    client = keyed(reader) if reader else APIClient()
    return [line["username"] for line in client.get(API).json()["standings"]]


def test_nobody_is_named_who_hides_blocks_or_is_gone(ada, ben, cleo, keyed):
    with day():
        gone = crowd(1)[0]
        joined(ada, ben, cleo, gone)
        Privacy.objects.create(account=ada, hides_profile=True)
        Block.objects.create(owner=cleo, blocked=ben)
        User.objects.filter(pk=gone.pk).update(is_active=False)
        assert names(None, keyed) == [None, "Ben", "Cleo", None]
        assert names(ada, keyed) == ["Ada", "Ben", "Cleo", None]
        assert names(ben, keyed) == [None, "Ben", None, None]
        page = Browser().open("/leagues/pisti").text
        assert "Ada" not in page
        assert "Somebody who is not shown" in page


def test_a_private_match_tells_nothing(ada, ben, keyed):
    with day():
        joined(ada, ben)
        won(ada, ben, visibility="unlisted")
        assert [line["matches"] for line in keyed(ben).get(API).json()["standings"]] == [0, 0]


def test_an_open_match_tells_nothing(ada, ben, keyed):
    from games.matches import joining as seats
    from tests.matches.scenes import opened, played

    with day():
        joined(ada, ben)
        match = opened(ada, "me, open", "pisti", turn_seconds=60, visibility="public")
        played(seats.join(match_id=match.id, user=ben), 4)
        assert [line["matches"] for line in keyed(ben).get(API).json()["standings"]] == [0, 0]
