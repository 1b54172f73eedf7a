"""Leaderboards and ladders: by API and as pages; who hides is not there."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import User
from accounts.social import services
from accounts.social.models import Privacy
from cardroom.rules import catalog
from games.people import counting
from games.people.models import Tally
from games.ratings import rating
from games.ratings.models import PersonRating
from games.ratings.scale import settled_until, shipped_ratings
from tests.conftest import client_of
from tests.people.ended import against, between

pytestmark = pytest.mark.django_db
BOARD = "/api/v1/leaderboards/pisti"


def rated(person, mean, *, matches=20, weeks=1, variance=0.1, board="pisti/normal/two/people"):
    at = timezone.now() - timedelta(weeks=weeks)
    return PersonRating.objects.create(
        account=person,
        board=board,
        mean=mean,
        variance=variance,
        matches=matches,
        at=at,
        settled_until=settled_until(variance, at),
    )


def crowd(count):
    people = User.objects.bulk_create(
        User(username=f"p{n:02}", display_name=f"P {n:02}", password="!") for n in range(count)
    )
    for number, person in enumerate(people):
        rated(person, -number / 10)
    return people


def names(answer):
    return [line["username"] for line in answer.json()["results"]]


def test_the_best_come_first_and_pages_follow_each_other():
    people = crowd(7)
    first = APIClient().get(BOARD, {"limit": 3})
    assert names(first) == ["p00", "p01", "p02"]
    second = APIClient().get(first.json()["next"])
    assert [line["place"] for line in second.json()["results"]] == [4, 5, 6]
    last = APIClient().get(second.json()["next"]).json()
    assert [line["username"] for line in last["results"]] == [people[-1].username]
    assert last["next"] is None


def test_equal_ratings_are_each_listed_once():
    for person in crowd(6):
        PersonRating.objects.filter(account=person).update(mean=0.5)
    first = APIClient().get(BOARD, {"limit": 4})
    rest = APIClient().get(first.json()["next"])
    assert len({*names(first), *names(rest)}) == 6


def test_who_is_not_listed(ada, ben, cleo):
    rated(ada, 1.0, matches=9)
    rated(ben, 1.0, weeks=60)
    rated(cleo, 1.0, variance=0.6)
    people = crowd(3)
    Privacy.objects.create(account=people[0], hides_profile=True)
    User.objects.filter(pk=people[1].pk).update(is_active=False)
    assert names(APIClient().get(BOARD)) == ["p02"]


def test_the_own_place_is_there_wherever_it_is(ada, keyed):
    crowd(5)
    rated(ada, -9.0)
    answer = keyed(ada).get(BOARD, {"limit": 2}).json()
    assert answer["you"]["place"] == 6
    Privacy.objects.create(account=ada, hides_profile=True)
    assert keyed(ada).get(BOARD).json()["you"]["place"] == 6
    assert "Ada" not in names(APIClient().get(BOARD))
    hidden, nobody = (APIClient().get(BOARD, {"cursor": name}) for name in ("QWRh", "QWR4"))
    assert hidden.status_code == nobody.status_code == 404
    assert hidden.json()["detail"] == nobody.json()["detail"]
    PersonRating.objects.filter(account=ada).update(matches=3)
    assert keyed(ada).get(BOARD).json()["you"]["place"] is None


def test_friends_only(ada, ben, cleo, keyed):
    services.befriend(user=ada, other=ben.pk)
    services.befriend(user=ben, other=ada.pk)
    crowd(3)
    for number, person in enumerate((ada, ben, cleo)):
        rated(person, -5.0 - number)
    Privacy.objects.create(account=ben, hides_profile=True)
    answer = keyed(ada).get(BOARD, {"friends": "true"})
    assert names(answer) == ["Ada", "Ben"]
    assert [line["place"] for line in answer.json()["results"]] == [1, 2]
    assert "Ben" not in names(keyed(cleo).get(BOARD))


def test_luck_and_nonsense_have_no_leaderboard():
    luck = APIClient().get("/api/v1/leaderboards/pyanitsa")
    assert luck.status_code == 404
    assert "luck" in luck.json()["detail"]
    assert APIClient().get("/api/v1/leaderboards/chess").status_code == 404
    assert APIClient().get("/api/v1/leaderboards/pazaak", {"sides": "more"}).status_code == 404
    assert APIClient().get(BOARD, {"pace": "warp"}).status_code == 400
    assert APIClient().get(BOARD, {"cursor": "bm9ib2R5"}).status_code == 404
    assert APIClient().get(BOARD, {"cursor": "%%%"}).status_code == 400


def test_a_page_needs_no_statement_for_each_line():
    crowd(20)
    client = APIClient()

    def statements(limit):
        with CaptureQueriesContext(connection) as queries:
            client.get(BOARD, {"limit": limit})
        return len(queries)

    assert statements(2) == statements(20)


def test_the_pages(ada):
    crowd(30)
    rated(ada, -9.0)
    client = client_of(ada)
    page = client.get("/leaderboards", follow=True).content.decode()
    assert "p00" in page
    assert "after=p24" in page
    assert page.count("is-own") == 1
    assert "luck alone" in client.get("/leaderboards/pyanitsa").content.decode()
    assert client.get("/leaderboards/chess").status_code == 404
    assert client.get("/leaderboards/pisti?pace=warp&sides=9&after=p03").status_code == 200
    assert client.get("/leaderboards/pisti?after=nobody").status_code == 404


def test_a_ladder_knows_the_results_against_each_computer(ada, keyed):
    against(ada, "greedy")
    counting.count_finished()
    rungs = {rung["bot"]: rung for rung in keyed(ada).get("/api/v1/ladders/pisti").json()["rungs"]}
    assert rungs["greedy"]["you"] == {"won": 0, "drawn": 0, "lost": 1}
    greedy = shipped_ratings()["pisti"].computers["greedy"].rating
    assert rungs["greedy"]["rating"] == greedy
    assert set(rungs) == {bot.slug for bot in catalog.find("pisti").bots if bot.rated}
    assert APIClient().get("/api/v1/ladders/pisti").json()["rungs"][0]["you"] is None
    client = client_of(ada)
    assert str(greedy) in client.get("/games/pisti/ladder").content.decode()


def test_the_change_is_shown_at_the_match_once_it_is_known(ada, ben, keyed):
    match = between(ada, ben, turn_seconds=60)
    address = f"/api/v1/matches/{match.id}"
    before = keyed(ada).get(address)
    assert before.json()["rating_changes"] is None
    rating.rate_finished()
    after = keyed(ada).get(address)
    one, other = after.json()["rating_changes"]
    assert one["before"] == other["before"] == 1500
    assert one["after"] > 1500 > other["after"]
    assert after["ETag"] != before["ETag"]
    client = client_of(ben)
    page = client.get(f"/matches/{match.id}").content.decode()
    assert "Your rating" in page
    assert "−" in page
    assert Client().get(f"/matches/{match.id}/rating").status_code in (200, 404)


def test_a_profile_shows_the_curve_with_its_numbers(ada, ben):
    between(ada, ben, turn_seconds=60)
    rating.rate_finished()
    curve = APIClient().get("/api/v1/users/Ada").json()["ratings"][0]
    assert (curve["game"], curve["pace"], curve["provisional"]) == ("pisti", "normal", True)
    page = Client().get("/people/Ada").content.decode()
    assert "As a table" in page


def test_a_finished_ladder_is_a_title_that_can_be_hidden(ada, ben, keyed):
    bots = [bot.slug for bot in catalog.find("pazaak").bots if bot.rated]
    for bot in bots[1:]:
        Tally.objects.create(account=ada, game="pazaak", bot=bot, won=1)

    def titles(reader):
        return keyed(reader).get("/api/v1/users/Ada").json()["titles"]

    assert titles(ben) == []
    Tally.objects.create(account=ada, game="pazaak", bot=bots[0], won=2, lost=7)
    assert titles(ben) == [{"title": "ladder", "game": "pazaak"}]
    assert "Ladder of Pazaak finished" in Client().get("/people/Ada").content.decode()
    assert client_of(ada).get("/games/pazaak/ladder").content.decode().count("beaten") >= len(bots)
    services.set_privacy(user=ada, hides_titles=True)
    assert titles(ben) == []
    assert titles(ada) == [{"title": "ladder", "game": "pazaak"}]
