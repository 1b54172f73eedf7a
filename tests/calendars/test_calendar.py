"""A calendar program reads when moves are due and tournaments begin; nobody else does."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from icalendar import Calendar

from accounts.audit.log import Actor
from games.calendars import calendar as services
from games.calendars.models import CalendarAddress
from games.competitions import taking_part
from games.matches import joining
from games.operations import people
from games.operations.own_data import data_of
from tests.competitions.held import held
from tests.conftest import client_of
from tests.matches.scenes import move, now, opened

DAYS = 3 * 24 * 3600


@pytest.fixture
def slow(ada, ben):
    """Ada's and Ben's match with three days a move; somebody is to move."""
    match = opened(ada, "me, user Ben", "pisti", visibility="private", turn_seconds=DAYS)
    return joining.join(match_id=match.id, user=ben)


@pytest.fixture
def calendar(ada):
    """A reader of the events in Ada's calendar, with its ``path``."""
    path = f"/calendar/{services.make_address(ada.pk)}.ics"

    def read():
        answer = Client().get(path)
        assert answer.status_code == 200
        assert answer["Content-Type"].startswith("text/calendar")
        assert "no-store" in answer["Cache-Control"]
        return [*Calendar.from_ical(answer.content).walk("VEVENT")]

    read.path = path
    return read


def faults_of(text):
    """The faults of a calendar for a strict reader of RFC 5545 and RFC 7986."""
    whole = Calendar.from_ical(text)
    assert whole["version"] == "2.0"
    assert whole["prodid"]
    assert whole["refresh-interval"].params["VALUE"] == "DURATION"
    assert whole["refresh-interval"].dt == timedelta(hours=1)
    assert whole["x-published-ttl"] == "PT1H"
    assert max(len(line) for line in text.split(b"\r\n")) <= 75
    for event in whole.walk("VEVENT"):
        assert not event.errors
        assert event["uid"]
        assert event["dtstamp"]
        begins, ends = event["dtstart"].dt, event.get("dtend")
        if ends is not None and ends.dt <= begins:  # §3.6.1: later than DTSTART
            yield f"{event['summary']}: {begins} to {ends.dt}"
        alarms = [(one["action"], one["trigger"].dt) for one in event.walk("VALARM")]
        if alarms != [("DISPLAY", -timedelta(hours=1))]:
            yield f"{event['summary']}: {alarms}"


def test_strict_readers_take_it(ada, ben, slow, calendar):
    """No event has what khal, calcurse and cyrus refuse: an end that is not after the start."""
    his_turn(slow, ada)
    cup = held(ben, name="Çay, kahve; and an evening of cards")
    taking_part.join(tournament_id=cup.id, user=ada)
    assert len(calendar()) == 2
    own = Client().get(calendar.path).content
    browser = client_of(ada)
    entry = browser.get(f"/tournaments/{cup.id}/calendar.ics").content
    assert [*faults_of(own), *faults_of(entry)] == []


def his_turn(match, user):
    while match.seats[match.to_act[0]].user_id != user.pk:
        match = move(match)
    return match


def test_the_move_that_is_due(ada, ben, slow, calendar):
    match = his_turn(slow, ada)
    (event,) = calendar()
    assert event["summary"] == "Move by now: Pişti against Ben"
    assert event["dtstart"].dt == now(match).deadline_at.replace(microsecond=0)
    assert str(event["url"]).endswith(f"/matches/{match.id}")
    match = his_turn(match, ben)
    assert calendar() == []
    (later,) = (his_turn(match, ada) and calendar())[:1]
    assert later["uid"] == event["uid"]
    assert later["sequence"] > event["sequence"]


def test_quick_matches_are_no_dates(ada, ben, calendar):
    match = opened(ada, "me, user Ben", "pisti", turn_seconds=60)
    joining.join(match_id=match.id, user=ben)
    assert calendar() == []


def test_tournaments_to_come(ada, ben, calendar):
    cup = held(ben, name="Evening cup")
    assert calendar() == []
    taking_part.join(tournament_id=cup.id, user=ada)
    (event,) = calendar()
    assert (event["summary"], event["dtstart"].dt) == (
        "Evening cup",
        cup.starts_at.replace(microsecond=0),
    )
    taking_part.call_off(tournament_id=cup.id, user=ben)
    assert calendar() == []


def test_no_card_and_no_seed(ada, slow, calendar):
    match = his_turn(slow, ada)
    text = Client().get(calendar.path).content.decode()
    hand = match.rules.view(match.state, 0).hand
    assert hand
    assert not [card for card in hand if re.search(rf"\b{card}\b", text)]
    assert match.seed.hex() not in text
    assert "state" not in text


def test_it_speaks_the_language_of_its_owner(ada, slow, calendar):
    his_turn(slow, ada)
    before = calendar()[0]["summary"]
    type(ada).objects.filter(pk=ada.pk).update(language="tr")
    assert calendar()[0]["summary"] != before


def test_the_page_shows_the_address_once_and_ends_it(ada):
    browser = client_of(ada)
    made = browser.post("/accounts/calendar/")
    assert made.status_code == 201
    path = re.search(r"http://testserver(/calendar/[\w-]+\.ics)", made.content.decode())[1]
    assert Client().get(path).status_code == 200
    secret = path.removeprefix("/calendar/").removesuffix(".ics")
    assert secret not in browser.get("/accounts/calendar/").content.decode()
    assert secret not in str(CalendarAddress.objects.values())
    browser.post("/accounts/calendar/")
    assert Client().get(path).status_code == 404
    newer = f"/calendar/{services.make_address(ada.pk)}.ics"
    browser.post("/accounts/calendar/end/")
    assert Client().get(newer).status_code == 404


def test_a_guess_and_the_id_of_an_account_lead_nowhere(ada, calendar):
    for guess in (str(ada.pk), "x", CalendarAddress.objects.get().digest):
        assert Client().get(f"/calendar/{guess}.ics").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_suspended_and_erased_people_have_none(ada, ben, calendar):
    operator = Actor(None, "operator", "A reason.")
    people.suspend(user_id=ada.pk, by=operator, until=None, resigns=True)
    assert Client().get(calendar.path).status_code == 404
    people.lift(user_id=ada.pk, by=operator)
    assert Client().get(calendar.path).status_code == 200
    people.erase(user_id=ada.pk, by=operator)
    assert not CalendarAddress.objects.exists()


def test_the_data_of_an_account_say_since_when(ada, ben, calendar):
    assert data_of(ada)["calendar_since"] is not None
    assert data_of(ben)["calendar_since"] is None
