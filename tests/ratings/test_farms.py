"""One machine makes accounts that give their matches up to one of them."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.audit.log import Actor
from accounts.models import User
from config.uuid7 import uuid7
from games.matches import joining
from games.matches.models import Match
from games.operations import people, refereeing
from games.operations import people as persons
from games.operations.models import BulkRun
from games.operations.refereeing import CannotReferee
from games.ratings import collusion, rating
from games.ratings.models import PersonRating, RatedMatch, RatedSeat
from games.ratings.people import standing_of
from tests.admin.test_acts import staff
from tests.conftest import PASSWORD, registered
from tests.matches.scenes import opened, played, resigned
from tests.people.ended import against, between
from tests.ratings.test_people import recount, rows

pytestmark = pytest.mark.django_db
PAIRS = "admin:ratings_personrating_pairs"


def account(client, name):
    body = {"username": name, "password": PASSWORD}
    assert client.post("/api/v1/accounts/register", body, "application/json").status_code == 201
    client.logout()
    return User.objects.get(username=name)


def again(match, winner, loser, minutes, *, by_the_clock):
    """The same match once more between these two, so much later."""
    row = Match.objects.get(id=match.id)
    seats = list(row.seats.order_by("index"))
    row.pk, row.creator = None, winner
    row.id = uuid7()
    row.finished_at += timedelta(minutes=minutes)
    row.save(force_insert=True)
    for seat, person in zip(seats, (winner, loser), strict=True):
        seat.pk, seat.match, seat.user = None, row, person
        seat.timed_out = by_the_clock and person == loser
        seat.save(force_insert=True)
    return row


def given_up(winner, loser):
    """After thirteen plies, rated."""
    match = joining.join(match_id=opened(winner, "me, open", turn_seconds=20).id, user=loser)
    return resigned(played(match, 13), 1)


@pytest.fixture
def farm(client):
    """Seven accounts from one address; thirty matches, each given up or lost by the clock."""
    boss, *others = [account(client, f"person{n}") for n in range(7)]
    first = given_up(boss, others[0])
    for n in range(1, 30):
        again(first, boss, others[n % 6], n, by_the_clock=n % 2)
    rating.rate_finished()
    matches = list(Match.objects.all())
    assert RatedMatch.objects.count() == len(matches) == 30
    return boss, others, matches


def test_it_is_listed_damped_and_taken_out(farm):
    boss, others, matches = farm
    suspected = collusion.suspicions()
    (one,) = suspected.farms
    assert (one.account, one.others, len(one.matches)) == (boss.pk, 6, 30)
    assert "100% of the points from 6 accounts of one address" in one.reasons
    assert any("of one day" in reason for reason in one.reasons)
    assert {pair.other for pair in suspected.pairs} == {other.pk for other in others}
    assert all(pair.one == boss.pk and pair.given_up == 5 for pair in suspected.pairs)
    standing = standing_of(PersonRating.objects.get(account=boss), timezone.now())
    assert 1800 < standing.rating < 1900  # 1994 before provisional opponents weighed less
    assert standing.provisional
    address, referee = reverse(PAIRS), staff("referee")
    page = referee.get(address).content.decode()
    assert "Suspected farms" in page
    assert boss.username in page
    referee.post(address, {"one": str(boss.pk)})
    assert set(BulkRun.objects.get().match_ids) == {match.id for match in matches}
    User.objects.update(joined_from="")  # each from another address
    (one,) = collusion.suspicions().farms
    assert [reason.partition(" (")[0] for reason in one.reasons] == [
        "100% of the points from 6 accounts of one day"
    ]


def spread_out(others, matches):
    """As if each account had an address and a day of its own, and two matches with the first."""
    for number, one in enumerate(others):
        joined = timezone.now() - timedelta(days=number)
        User.objects.filter(pk=one.pk).update(joined_from="", date_joined=joined)
    late = sorted(matches, key=lambda match: match.finished_at)[12:]
    RatedMatch.objects.filter(match__in=[match.id for match in late]).delete()


def test_a_farm_spread_over_days_and_addresses_is_known_by_accounts_that_only_give_up(farm):
    boss, others, matches = farm
    spread_out(others, matches)
    suspected = collusion.suspicions()
    assert suspected.pairs == []
    (one,) = suspected.farms
    assert (one.account, one.others, len(one.matches)) == (boss.pk, 6, 12)
    assert one.reasons == (
        "100% of the points from 6 accounts that gave up nearly all they played",
    )


def test_accounts_that_also_win_are_no_farm(farm, eve_and_others):
    _, others, matches = farm
    for one, other in zip(others, (*eve_and_others, *eve_and_others), strict=False):
        between(one, other)
    rating.rate_finished()
    spread_out(others, matches)
    assert collusion.suspicions().farms == []


def test_people_who_play_to_the_end_are_not_listed(ada, ben, cleo, eve_and_others):
    for other in (ben, cleo, *eve_and_others):
        between(ada, other)
        between(other, ada)
    rating.rate_finished()
    assert collusion.suspicions() == ([], [])


@pytest.fixture
def eve_and_others(db):
    return [registered(name) for name in ("Dora", "Emil", "Fay", "Gus")]


def test_short_matches_of_two_among_long_ones(ada, ben, cleo, eve_and_others):
    """Each is played to its end, but in a second."""
    people = [cleo, *eve_and_others]
    long = [between(one, other) for one in people for other in people if one != other]
    rating.rate_finished()
    Match.objects.update(started_at=timezone.now() - timedelta(minutes=9))
    short = [between(ada, ben) for _ in range(3)] + [between(ben, ada) for _ in range(2)]
    rating.rate_finished()
    Match.objects.filter(id__in=[one.id for one in short]).update(finished_at=timezone.now())
    assert len(long) == 20
    reasons = [one.reasons for one in collusion.suspicions().pairs if one.one == ada.pk]
    assert any("a match takes" in reason for each in reasons for reason in each)


def test_a_result_against_all_expectation(ada, ben):
    """Who loses ten times in a row to a much weaker one."""
    for _ in range(10):
        between(ada, ben)
    rating.rate_finished()
    rows = RatedMatch.objects.values_list("match", flat=True)
    RatedSeat.objects.filter(rated_match__in=rows, account=ada).update(mean_before=-2)
    RatedSeat.objects.filter(rated_match__in=rows, account=ben).update(mean_before=2)
    (pair,) = collusion.suspicions().pairs
    assert any("was to be expected" in reason for reason in pair.reasons)


def test_the_address_is_kept_as_a_hash_and_goes_with_the_person(client):
    one = account(client, "person")
    assert len(one.joined_from) == 16
    assert "127.0.0.1" not in one.joined_from
    persons.erase(user_id=one.pk, by=Actor(None, "person", "They asked."))
    one.refresh_from_db()
    assert one.joined_from == ""


def test_two_who_met_a_thousand_times_are_counted():
    assert collusion._at_least(0, 5000, 0.3) == pytest.approx(1)
    assert collusion._at_least(1600, 5000, 0.3) < 0.01


# Operators take matches out of the ratings, and see pairs who may play for one of them.


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
