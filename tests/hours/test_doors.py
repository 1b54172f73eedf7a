"""Quiet hours and holidays on the pages and in the API: who sees them, what is said of them."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.test import Client

from accounts.audit.models import Entry
from accounts.hours.models import Holiday, QuietClock
from accounts.models import User
from games.calendars.calendar import calendar_of
from games.lobby import challenges
from games.lobby.challenges import NewChallenge
from games.matches import joining
from games.operations import own_data
from tests.matches.scenes import move, opened

NOON = datetime(2050, 7, 1, 10, tzinfo=UTC)
NIGHT = {"time_zone": "Europe/Prague", "quiet_from": "22:00", "quiet_until": "08:00"}
SLOW = {"turn_seconds": 2 * 86400}
WORDS = "Ada's clock stands still from 22:00 to 08:00 (Europe/Prague)."


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


@pytest.fixture
def browsing():
    def browsing(user=None):
        client = Client()
        if user:
            client.force_login(user)
        return client

    return browsing


def page(client, address):
    return client.get(address).content.decode()


class TestThePage:
    @pytest.fixture
    def own(self, ada, browsing):
        return browsing(ada)

    def test_keeps_quiet_hours(self, own, ada):
        form = NIGHT | {"counts": "on"}
        assert own.post("/accounts/hours/", form).status_code == 302
        assert QuietClock.objects.get().account == ada
        shown = page(own, "/accounts/hours/")
        assert 'value="22:00"' in shown
        assert "checked" in shown
        own.post("/accounts/hours/", NIGHT)
        assert not QuietClock.objects.exists()

    @pytest.mark.parametrize(
        ("changes", "why"),
        [
            ({"quiet_until": "09:00"}, "at most ten hours"),
            ({"quiet_from": "", "quiet_until": ""}, "Choose from when until when"),
            ({"time_zone": "Europe/Atlantis"}, "no such time zone"),
        ],
    )
    def test_says_what_is_wrong_and_keeps_what_was_typed(self, own, changes, why):
        answer = own.post("/accounts/hours/", NIGHT | {"counts": "on"} | changes)
        assert answer.status_code == 422
        assert why in answer.content.decode()
        assert not QuietClock.objects.exists()

    def test_announces_withdraws_and_ends(self, own, clock):
        days = {"first": "2050-07-10", "last": "2050-07-12"}
        assert own.post("/accounts/hours/holidays/", days).status_code == 302
        assert "18 of 21 days are left this year." in page(own, "/accounts/hours/")
        row = Holiday.objects.get()
        own.post(f"/accounts/hours/holidays/{row.pk}/end/")
        assert not Holiday.objects.exists()
        own.post("/accounts/hours/holidays/", days)
        clock.shift(timedelta(hours=2))
        assert "End it now" in page(own, "/accounts/hours/")
        own.post(f"/accounts/hours/holidays/{Holiday.objects.get().pk}/end/")
        assert Holiday.objects.get().ended_at
        assert "End it now" not in page(own, "/accounts/hours/")

    def test_says_why_a_holiday_is_none(self, own):
        for first, last in [("2050-06-01", "2050-06-02"), ("2050-08-01", "2050-08-22"), ("", "")]:
            answer = own.post("/accounts/hours/holidays/", {"first": first, "last": last})
            assert answer.status_code == 422
        assert not Holiday.objects.exists()

    def test_another_persons_holiday_is_not_there(self, own, ben, away, browsing):
        row = away(ben)
        assert own.post(f"/accounts/hours/holidays/{row.pk}/end/").status_code == 404
        assert Holiday.objects.filter(ended_at=None).exists()

    def test_needs_somebody(self, browsing):
        assert browsing().get("/accounts/hours/").status_code == 302


class TestWhoSees:
    """Who plays, and while a seat is free whoever may sit down: not those who look on."""

    @pytest.fixture
    def table(self, ada, sleeps):
        sleeps(ada)
        return opened(ada, "me, open", visibility="public", **SLOW)

    @pytest.fixture
    def sees(self, browsing, keyed):
        """Whether this person finds the hours on the page and in the API."""

        def sees(match, user=None):
            on_page = WORDS in page(browsing(user), f"/matches/{match.id}")
            if user:
                seats = keyed(user).get(f"/api/v1/matches/{match.id}/hours").json()["seats"]
                assert bool(seats) is on_page
            return on_page

        return sees

    def test_an_open_table(self, table, sees, ada, ben):
        assert sees(table, ben)
        assert sees(table, ada)
        assert not sees(table)

    def test_the_lobby(self, table, browsing, ben):
        assert WORDS in page(browsing(ben), "/lobby")
        assert WORDS not in page(browsing(), "/lobby")

    def test_a_table_at_which_one_plays(self, table, sees, ada, ben, cleo):
        match = joining.join(match_id=table.id, user=ben)
        assert sees(match, ben)
        assert not sees(match, cleo)
        assert not sees(match)

    def test_nobody_at_a_quick_table(self, ada, ben, sleeps, sees):
        sleeps(ada)
        assert not sees(opened(ada, "me, open", turn_seconds=60), ben)

    def test_a_challenge(self, ada, ben, sleeps, browsing):
        sleeps(ada)
        sleeps(ben)
        terms = NewChallenge(game="pisti", username="Ben", pace="slow_1")
        sent = challenges.send_challenge(account=ada, terms=terms)
        assert WORDS in page(browsing(ben), f"/challenges/{sent}")
        assert "clock stands still" not in page(browsing(ada), f"/challenges/{sent}")

    def test_a_holiday(self, ada, ben, away, browsing):
        away(ada, days=3, begins_in=9)
        table = opened(ada, "me, open", **SLOW)
        shown = page(browsing(ben), f"/matches/{table.id}")
        assert "Ada is on holiday from July 10, 2050 to July 12, 2050." in shown


class TestTheDeadline:
    """Whoever tells of it tells the same, in the reader's own time."""

    @pytest.fixture
    def match(self, ada, ben, sleeps):
        sleeps(ada)
        return joining.join(match_id=opened(ada, "me, open", **SLOW).id, user=ben)

    UNTIL = NOON + timedelta(days=2, hours=30)

    def test_in_the_api_and_on_the_page(self, match, keyed, ada, browsing):
        told = keyed(ada).get(f"/api/v1/matches/{match.id}").json()["deadline_at"]
        assert datetime.fromisoformat(told) == match.deadline_at == self.UNTIL
        shown = page(browsing(ada), f"/matches/{match.id}")
        assert "July 4, 2050, 6 p.m. (Europe/Prague)" in shown

    def test_in_plain_text_and_in_the_calendar(self, match, keyed, ada):
        answer = keyed(ada).get(f"/api/v1/matches/{match.id}", HTTP_ACCEPT="text/plain")
        assert "The move is due by 2050-07-04 16:00 UTC." in answer.content.decode()
        calendar = calendar_of(ada, lambda name, of: f"https://cards.example/{name}/{of}")
        assert b"DTSTART:20500704T160000Z" in calendar

    def test_moves_on_with_the_move(self, match, keyed, ben):
        move(match)
        told = keyed(ben).get(f"/api/v1/matches/{match.id}").json()["deadline_at"]
        assert datetime.fromisoformat(told) == NOON + timedelta(days=2)


class TestAnOperator:
    def test_sees_a_holiday_and_ends_it(self, ben, away, browsing):
        row, root = away(ben), User.objects.create_superuser("root")
        client = browsing(root)
        assert "Ben" in page(client, "/admin/hours/holiday/")
        act = {"action": "end", "_selected_action": [str(row.pk)]}
        client.post("/admin/hours/holiday/", act)
        row.refresh_from_db()
        assert row.ended_at
        entry = Entry.objects.get(action="end_holiday")
        assert (entry.subject_id, entry.actor) == (str(ben.pk), "root")


def test_an_export_has_them(ada, sleeps, away):
    sleeps(ada)
    away(ada)
    data = own_data.data_of(ada)["hours"]
    assert data["clocks_stand_still_in_quiet_hours"] is True
    assert len(data["holidays"]) == 1
