"""A league through its weeks: who joins, what counts, how a week is closed, and what proves it."""

import os
import random
import signal
import time
from functools import partial

import pytest
from django.core.management import CommandError
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import User
from accounts.notifications.models import Cause, Choices
from accounts.social.models import Block, Privacy
from games.leagues import divisions
from games.leagues.models import Line, Membership, Week
from games.leagues.rules import ONE_WEEK, ROOM, SIZE
from games.leagues.selectors import CannotJoinLeague, NoSuchLeague, Tier, sheet_of, titles_of
from games.matches.models import Match
from games.ratings import rating
from games.ratings.models import PersonRating
from games.ratings.scale import settled_until
from tests.leagues.scenes import FIRST, IN_PUBLIC, crowd, day, line, over, recounted, weeks, won
from tests.people.ended import against, between
from tests.security.test_presses import at_once
from tests.web.browsing import Browser, signed_in

pytestmark = pytest.mark.django_db


def joined(*people, game="pisti"):
    for person in people:
        divisions.join(user=person, game=game)


def league_of(count):
    people = crowd(count)
    joined(*people)
    return people


def standings(**where):
    return [(row.username, row.points) for row in sheet_of("pisti", reader=None, **where).rows]


class TestJoining:
    def test_opens_the_week_and_takes_the_last_slot(self, ada, ben):
        with day():
            joined(ada, ben, ada)
        assert weeks() == [(FIRST.date(), False)]
        assert (line(ada).slot, line(ben).slot) == (0, 1)
        assert Membership.objects.count() == 2

    def test_is_not_for_guests_programs_and_luck(self, ada, guest):
        with pytest.raises(CannotJoinLeague):
            joined(guest)
        with pytest.raises(NoSuchLeague, match="luck"):
            joined(ada, game="pyanitsa")
        with pytest.raises(NoSuchLeague):
            joined(ada, game="chess")
        ada.is_bot = True
        with pytest.raises(CannotJoinLeague):
            joined(ada)
        assert not Week.objects.exists()

    def test_a_division_is_bounded_and_a_second_tier_opens(self):
        with day():
            league_of(SIZE + ROOM + 1)
        sheet = sheet_of("pisti", reader=None)
        assert sheet.tiers == [Tier(1, 1, SIZE), Tier(2, 2, ROOM + 1)]
        sizes = [sheet_of("pisti", reader=None, tier=2, number=n).division.players for n in (1, 2)]
        assert sizes == [ROOM, 1]

    def test_the_strong_come_in_higher_up(self, ada, ben):
        with day():
            league_of(SIZE + 4)
            settled(ada, 0.5)
            Line.objects.filter(tier=1).update(rating=1600)
            settled(ben, 1.5)
            joined(ada, ben)
        assert (line(ada).tier, line(ben).tier) == (2, 1)

    def test_twice_at_once_is_one_line(self, transactional_db, ada):
        with day():
            results = at_once(*[partial(divisions.join, user=ada, game="pisti")] * 4)
        assert not [one for one in results if isinstance(one, Exception)]
        assert Line.objects.count() == Membership.objects.count() == 1

    def test_many_at_once_have_a_slot_each(self, transactional_db):
        people = crowd(8)
        with day():
            results = at_once(*(partial(divisions.join, user=one, game="pisti") for one in people))
        assert not [one for one in results if isinstance(one, Exception)]
        assert sorted(Line.objects.values_list("slot", flat=True)) == list(range(8))


def settled(person, mean):
    now = timezone.now()
    PersonRating.objects.create(
        account=person,
        board="pisti/normal/two/people",
        mean=mean,
        variance=0.1,
        matches=20,
        at=now,
        settled_until=settled_until(0.1, now),
    )


class TestWhatCounts:
    def test_public_rated_matches_of_people_since_one_joined(self, ada, ben, cleo):
        with day(1):
            joined(ada)
            won(ben, ada)
        with day(2):
            joined(ben, cleo)
            won(ada, ben)
            won(ada, ben, visibility=Match.Visibility.UNLISTED)
            won(cleo, ben, rated=False)
            won(cleo, ben, game="shithead")
            against(cleo, "greedy", visibility=Match.Visibility.PUBLIC)
            rating.rate_finished()
            assert standings() == [("Ada", 10), ("Ben", 0), ("Cleo", 0)]
            (own,) = [row for row in sheet_of("pisti", reader=ada.pk).rows if row.you]
            assert (own.place, own.matches) == (1, 2)

    def test_a_pair_cannot_feed_each_other(self, ada, ben):
        with day():
            joined(ada, ben)
            for _ in range(5):
                won(ada, ben)
            assert standings() == [("Ada", 30), ("Ben", 0)]

    def test_matches_of_the_next_week_are_not_of_this_one(self, ada, ben):
        with day():
            joined(ada, ben)
        with day(0, week=1):
            won(ada, ben)
        over()
        assert (line(ada).points, line(ada, 1).points) == (0, None)
        over(2)
        assert line(ada, 1).points == 10

    def test_an_annulled_match_counts_no_more(self, ada, ben):
        with day():
            joined(ada, ben)
            match = won(ada, ben)
            rating.annul([match.id])
            rating.rate_finished()
            assert dict(standings())["Ada"] == 0


class TestTheEndOfAWeek:
    def test_is_written_once_and_the_next_week_opens(self, ada, ben):
        with day():
            joined(ada, ben)
            won(ben, ada)
        assert over() == 1
        assert over() == 0
        assert weeks() == [(FIRST.date(), True), (FIRST.date() + ONE_WEEK, False)]
        assert [(one.points, one.place, one.move) for one in (line(ben), line(ada))] == [
            (10, 1, "stays"),
            (0, 2, "stays"),
        ]
        assert line(ben, 1).earlier == line(ben)
        assert "leagues: equal" in recounted()

    def test_waits_until_its_matches_are_rated(self, ada, ben):
        with day():
            joined(ada, ben)
        with day(0, week=1):
            assert divisions.turn_weeks() == 0  # nothing was rated since
        assert over() == 1

    def test_the_first_go_up_and_the_last_go_down(self):
        with day():
            people = league_of(SIZE + 8)
            top, low = people[:SIZE], people[SIZE:]
            for number, person in enumerate(top):
                between(person, low[number % 2], **IN_PUBLIC)
            for person in low[:3]:
                between(person, top[-1], **IN_PUBLIC)
        over()
        ups = set(Line.objects.filter(move="up").values_list("account", flat=True))
        downs = set(Line.objects.filter(move="down").values_list("account", flat=True))
        assert len(ups) == 2
        assert ups < {one.pk for one in low}
        assert len(downs) == 5
        assert downs < {one.pk for one in top}
        assert {line(one, 1).tier for one in top if one.pk in downs} == {2}
        assert {line(one, 1).tier for one in low if one.pk in ups} == {1}
        assert "leagues: equal" in recounted()

    def test_who_left_keeps_the_line_and_is_not_carried_over(self, ada, ben):
        with day():
            joined(ada, ben)
            divisions.leave(user=ada, game="pisti")
            divisions.leave(user=ada, game="pisti")
        over()
        assert line(ada).place == 1
        assert not Line.objects.filter(account=ada, week__closed_at=None).exists()
        with day(3, week=1):
            joined(ada)
        assert line(ada, 1).earlier is None

    def test_of_a_league_without_members_opens_no_other(self, ada):
        with day():
            joined(ada)
            divisions.leave(user=ada, game="pisti")
        over()
        assert weeks() == [(FIRST.date(), True)]
        with day(week=3):
            joined(ada)
        assert weeks()[-1] == (FIRST.date() + 3 * ONE_WEEK, False)

    def test_weeks_without_a_beat_are_closed_one_after_the_other(self, ada, ben, cleo):
        with day():
            joined(ada, ben)
            won(ada, ben)
        with day(week=2):
            joined(cleo)
            won(cleo, ada)
        assert not Line.objects.filter(account=cleo).exists()
        assert over(4) == 4
        assert [closed for _, closed in weeks()] == [True] * 4 + [False]
        assert [line(ada, n).points for n in range(4)] == [10, 0, 0, 0]
        assert line(cleo, 2).points == 10
        assert line(ada, 2).matches == 1
        assert not Line.objects.filter(account=cleo, week__monday__lt=FIRST + ONE_WEEK).exists()
        assert "leagues: equal" in recounted()

    def test_two_beats_at_once_close_it_once(self, transactional_db, ada, ben):
        with day():
            joined(ada, ben)
        with day(0, week=1):
            rating.rate_finished()
            results = at_once(*[divisions.turn_weeks] * 3)
        assert sorted(results) == [0, 0, 1]
        assert Line.objects.count() == 4

    def test_a_match_that_is_annulled_later_stands_there(self, ada, ben):
        with day():
            joined(ada, ben)
            match = won(ada, ben)
        over()
        with day(week=1):
            rating.annul([match.id])
            rating.rate_finished()
        over(2)
        assert line(ada).points == 10
        assert "leagues: equal" in recounted()

    def test_is_news_for_those_who_played(self, ada, ben):
        for person in (ada, ben):
            Choices.objects.create(account=person, mail=["league"])
        with day():
            joined(ada, ben)
            won(ada, crowd(1)[0])
        over()
        (cause,) = Cause.objects.all()
        assert (cause.account, cause.kind) == (ada, "league")
        assert cause.payload["url"] == f"/leagues/pisti?week={FIRST.date()}"

    def test_who_is_suspended_is_not_carried_over_and_comes_back(self, ada, ben):
        with day():
            joined(ada, ben)
        User.objects.filter(pk=ada.pk).update(is_active=False)
        over()
        assert list(Line.objects.filter(week__closed_at=None)) == [line(ben, 1)]
        User.objects.filter(pk=ada.pk).update(is_active=True)
        over(2)
        assert line(ada, 2).slot == 1


class TestRecount:
    def test_finds_and_repairs_what_does_not_follow(self, ada, ben):
        with day():
            joined(ada, ben)
            won(ada, ben)
        over()
        Line.objects.filter(pk=line(ada).pk).update(points=3)
        Line.objects.filter(pk=line(ada, 1).pk).update(slot=7)
        with pytest.raises(CommandError):
            recounted()
        assert "mended" in recounted(mend=True)
        assert line(ada).points == 10
        assert "leagues: equal" in recounted()

    def test_moves_newcomers_behind_those_who_were_there(self):
        with day():
            league_of(4)
        over()
        with day(week=1):
            joined(*crowd(2, "q"))
        Line.objects.filter(week__closed_at=None, slot=3).update(slot=9)
        Line.objects.filter(week__closed_at=None, slot=4).update(slot=3)
        recounted(mend=True)
        slots = Line.objects.filter(week__closed_at=None).order_by("slot")
        assert list(slots.values_list("slot", flat=True)) == list(range(6))


class TestTheTitle:
    def test_is_for_who_won_the_top_tier_against_enough(self, ada, ben):
        with day():
            joined(ada, *crowd(7))
            joined(ada, ben, game="shithead")
            won(ada, ben)
            won(ada, ben, game="shithead")
        over()
        assert [(one.slug, one.game) for one in titles_of(ada.pk).read()] == [("league", "pisti")]
        assert titles_of(ben.pk).read() == []


@pytest.mark.django_db(transaction=True)
def test_a_process_that_dies_leaves_the_week_or_has_closed_it():
    """A child that turns four weeks is killed again and again; nothing is done twice or by half."""
    chance = random.Random(7)
    with day():
        people = league_of(SIZE + 6)
        for person in people[:6]:
            between(person, people[-1], **IN_PUBLIC)
    with day(0, week=4):
        rating.rate_finished()
        for _ in range(8):
            _killed(chance.uniform(0.005, 0.06))
        divisions.turn_weeks()
    assert [closed for _, closed in weeks()] == [True] * 4 + [False]
    assert Line.objects.count() == 5 * len(people)
    assert "leagues: equal" in recounted()


def _killed(seconds):
    child = os.fork()
    if child == 0:
        try:
            mine = connections["default"]
            type(mine)._connection_pools.clear()
            mine.connection = None
            divisions.turn_weeks()
            time.sleep(10)
        finally:
            os._exit(1)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def test_a_full_division_is_read_by_a_few_queries():
    with day():
        people = league_of(SIZE)
        for n in range(6):
            between(people[n], people[n + 6], **IN_PUBLIC)
        rating.rate_finished()
        with CaptureQueriesContext(connection) as queries:
            sheet_of("pisti", reader=people[0].pk)
    assert len(queries) < 10


# The pages of leagues, by forms alone; who is named there, and who is not.

API = "/api/v1/leagues/pisti"


def pages_joined(*people):
    for person in people:
        divisions.join(user=person, game="pisti")


def test_a_week_by_forms_alone(ada, ben):
    with day():
        browser = signed_in(ada).open("/leagues")
        browser.open("/leagues/pisti")
        assert "Nobody plays in this league yet." in browser.text
        browser.press("Join the league")
        pages_joined(ben)
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
        *("pyanitsa", "chess", "pisti?tier=9", "pisti?tier=x", "pisti?week=2020-01-06"),
        *("pisti?week=x", "pisti?division=99999999999999999999", "pisti?tier=-1", "pisti?tier=0"),
    ],
)
def test_what_is_not_there_is_not_found(path, ada):
    with day():
        pages_joined(ada)
        assert Browser().open(f"/leagues/{path}").status == 404


def test_luck_says_why():
    assert "luck alone" in APIClient().get("/api/v1/leagues/pyanitsa").json()["detail"]


def names(reader, keyed):
    client = keyed(reader) if reader else APIClient()
    return [line["username"] for line in client.get(API).json()["standings"]]


def test_nobody_is_named_who_hides_blocks_or_is_gone(ada, ben, cleo, keyed):
    with day():
        gone = crowd(1)[0]
        pages_joined(ada, ben, cleo, gone)
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
        pages_joined(ada, ben)
        won(ada, ben, visibility="unlisted")
        assert [line["matches"] for line in keyed(ben).get(API).json()["standings"]] == [0, 0]


def test_an_open_match_tells_nothing(ada, ben, keyed):
    from games.matches import joining as seats
    from tests.matches.scenes import opened, played

    with day():
        pages_joined(ada, ben)
        match = opened(ada, "me, open", "pisti", turn_seconds=60, visibility="public")
        played(seats.join(match_id=match.id, user=ben), 4)
        assert [line["matches"] for line in keyed(ben).get(API).json()["standings"]] == [0, 0]
