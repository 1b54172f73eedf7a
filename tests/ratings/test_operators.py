"""Operators take matches out of the ratings, and see pairs who may play for one of them."""

import pytest
from django.urls import reverse

from accounts.audit.log import Actor
from games.matches.models import Match
from games.operations import people, refereeing
from games.operations.models import BulkRun
from games.operations.refereeing import CannotReferee
from games.ratings import collusion, rating
from games.ratings.models import PersonRating, RatedMatch, RatedSeat
from tests.admin.test_acts import staff
from tests.people.ended import against, between
from tests.ratings.test_people import recount, rows

pytestmark = pytest.mark.django_db
PAIRS = "admin:ratings_personrating_pairs"


@pytest.fixture
def operator(cleo):
    return Actor(cleo.pk, "operator", "They share a device.")


@pytest.fixture
def colluding(ada, ben):
    """Ben resigned four matches early, and Ada one."""
    matches = [between(ada, ben) for _ in range(4)]
    matches.append(between(ben, ada))
    rating.rate_finished()
    return matches


def test_an_annulled_match_is_taken_back_by_the_beat(ada, ben, operator):
    between(ada, ben)
    rating.rate_finished()
    before = rows()
    match = between(ben, ada)
    rating.rate_finished()
    assert rows() != before
    refereeing.annul_rating(match_id=match.id, by=operator)
    rating.rate_finished()
    assert rows() == before
    assert not Match.objects.get(id=match.id).rated
    assert RatedMatch.objects.get(match=match.id).annulled_at
    with pytest.raises(CannotReferee):
        refereeing.annul_rating(match_id=match.id, by=operator)


def test_a_match_can_be_annulled_before_it_was_rated(ada, ben, operator):
    match = between(ada, ben)
    refereeing.annul_rating(match_id=match.id, by=operator)
    assert rating.rate_finished() == 0
    assert not PersonRating.objects.exists()


def test_many_quick_resignations_are_listed(ada, ben, cleo, colluding):
    for _ in range(3):
        between(ada, cleo)
    for _ in range(5):
        against(ada, "greedy")
    rating.rate_finished()
    (pair,) = collusion.suspicions().pairs
    assert (pair.one, pair.other) == (ada.pk, ben.pk)
    assert (pair.met, pair.won, pair.given_up) == (5, 4, 4)
    assert pair.reasons[0] == "4 of 5 matches were given up"
    assert set(pair.matches) == {match.id for match in colluding}


def test_operators_draft_a_run_for_the_matches_of_a_pair(ada, ben, colluding):
    address, (pair,) = reverse(PAIRS), collusion.suspicions().pairs
    sent = {"one": str(pair.one), "other": str(pair.other), "game": "pisti"}
    viewer, referee = staff("viewer"), staff("referee")
    page = viewer.get(address)
    assert page.status_code == 200
    assert "Ada" in page.content.decode()
    assert viewer.post(address, sent).status_code == 403
    assert referee.post(address, {"one": "x", "other": "y"}).status_code == 404
    drafted = referee.post(address, sent)
    run = BulkRun.objects.get()
    assert (run.act, set(run.match_ids)) == ("annul-rating", {match.id for match in colluding})
    assert referee.get(drafted["Location"]).status_code == 200


def test_an_erased_person_has_no_rating_and_others_keep_theirs(ada, ben, cleo, operator):
    between(ada, ben)
    rating.rate_finished()
    kept = PersonRating.objects.get(account=ada)
    people.erase(user_id=ben.pk, by=operator)
    assert not PersonRating.objects.filter(account=ben).exists()
    between(ada, cleo)
    rating.rate_finished()
    assert not PersonRating.objects.filter(account=ben).exists()
    assert RatedSeat.objects.filter(account=ada).first().mean == kept.mean
    assert "ratings: equal to a recount" in recount()
