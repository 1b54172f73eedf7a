"""A duplicate is rated as one result, on a board of its own, derived again by the recount.

So are the sets that began while sets were rated: what is stored of them counts as it did.
"""

import pytest

from games.matches import leaving
from games.matches.models import Match
from games.matches.selectors.access import Caller
from games.mirrored import opening
from games.mirrored.results import standing_of
from games.ratings import rating
from games.ratings.models import PersonRating, RatedMatch, RatedSeat
from games.ratings.people import standings_of
from tests.api.calls import get
from tests.matches.scenes import played
from tests.mirrored.sets import begin, between, legs, newest, to_its_end
from tests.mirrored.test_duplicates import dan, tables  # noqa: F401 - fixtures
from tests.ratings.test_people import recount, rows
from tests.web.browsing import signed_in

pytestmark = pytest.mark.django_db
BOARD = "pazaak/mirrored/two/people"


def rated_then(first):
    """As it was opened then."""
    Match.objects.filter(id=first.id).update(rated=True, rated_wish=None)
    return first


def given_up(first, by):
    """The whole set is resigned by one person, match by match."""
    while legs(first)[0].of.over_at is None:
        leaving.resign(match_id=newest(first).id, caller=Caller(user=by.pk))
        opening.go_on_with_all()


def test_a_set_is_one_result_at_its_last_match(ada, ben):
    first = rated_then(between(ada, ben))
    for _ in range(5):
        leaving.resign(match_id=newest(first).id, caller=Caller(user=ben.pk))
        opening.go_on_with_all()
        assert rating.rate_finished() == 0
    leaving.resign(match_id=newest(first).id, caller=Caller(user=ben.pk))
    assert rating.rate_finished() == 1  # before the beat has revealed the set
    rated = RatedMatch.objects.get()
    assert (rated.board, rated.match_id) == (BOARD, newest(first).id)
    won, lost = (standings_of(one.pk) for one in (ada, ben))
    assert [len(won), len(lost)] == [1, 1]
    assert won[0].rating > 1500 > lost[0].rating
    assert won[0].matches == 1
    assert rating.rate_finished() == 0


def test_the_winner_is_who_won_more_pairs_whatever_the_last_match(ada, ben):
    first = rated_then(between(ada, ben))
    to_its_end(first)
    rating.rate_finished()
    places = {row.account_id: row.place for row in RatedSeat.objects.all()}
    winner = standing_of(first.id, ada.pk).result.winner
    wanted = {None: (1, 1), 0: (1, 2), 1: (2, 1)}[winner]
    assert (places[ada.pk], places[ben.pk]) == wanted


def test_the_recount_proves_it_and_mends_it(ada, ben):
    given_up(rated_then(between(ada, ben)), ben)
    given_up(rated_then(between(ben, ada)), ben)
    rating.rate_finished()
    right = rows()
    recount()
    assert rows() == right
    RatedSeat.objects.filter(account=ada).update(mean=1.0)
    PersonRating.objects.filter(account=ben).delete()
    recount(mend=True)
    assert rows() == right


def test_one_match_taken_out_takes_the_set_out(ada, ben):
    first = rated_then(between(ada, ben))
    given_up(first, ben)
    rating.rate_finished()
    assert rating.annul([first.id]) == 6
    rating.rate_finished()
    assert not PersonRating.objects.exists()
    assert not RatedSeat.objects.exists()


def test_a_set_with_an_unrated_match_is_not_rated(ada, ben):
    first = between(ada, ben)
    given_up(first, ben)
    assert rating.rate_finished() == 0
    assert {leg.match.rated for leg in legs(first)} == {False}


def test_against_a_computer_it_is_rated_apart(ada):
    to_its_end(rated_then(begin(ada)))
    rating.rate_finished()
    assert RatedMatch.objects.get().board == "pazaak/mirrored/two/computers"


def test_a_duplicate_rates_all_four(tables, ada, ben, cleo, dan):  # noqa: F811
    leaving.resign(match_id=tables[0].id, caller=Caller(user=ben.pk))
    played(tables[1])
    assert rating.rate_finished() == 1
    places = {row.account_id: row.place for row in RatedSeat.objects.all()}
    assert places == {ada.pk: 1, cleo.pk: 1, ben.pk: 2, dan.pk: 2}


def test_the_leaderboard_and_the_match_tell_it(ada, ben, first):
    one = rated_then(between(ada, ben))
    given_up(one, ben)
    rating.rate_finished()
    page = signed_in(ada).open("/leaderboards/pazaak?pace=mirrored&sides=more")
    assert "Mirrored" in page.text
    assert get(first, "leaderboards/pazaak?pace=mirrored").json()["pace"] == "mirrored"
    last = get(first, f"matches/{newest(one).id}").json()
    assert [change["seat"] for change in last["rating_changes"]] == [0, 1]
    assert (
        "rating_changes" not in get(first, f"matches/{one.id}").json()
        or not get(first, f"matches/{one.id}").json()["rating_changes"]
    )
