"""A tournament as an entry of a calendar (RFC 5545)."""

from datetime import datetime, timedelta
from typing import Final

from icalendar import Alarm, Calendar, Event

from games.competitions import selectors
from games.competitions.models import Tournament

CONTENT_TYPE: Final = "text/calendar; charset=utf-8"
AGAIN: Final = timedelta(hours=1)  # when programs should look again
BEFORE: Final = timedelta(hours=1)  # an alarm, so long before the beginning


def empty_calendar(kind: str) -> Calendar:
    calendar = Calendar()
    calendar.add("prodid", f"-//Cardroom//{kind}//EN")
    calendar.add("version", "2.0")
    calendar.add("refresh-interval", AGAIN, parameters={"VALUE": "DURATION"})  # RFC 7986
    calendar.add("x-published-ttl", "PT1H")  # what programs read before it
    return calendar


def alarm(event: Event) -> Alarm:
    shown = Alarm()
    shown.add("action", "DISPLAY")
    shown.add("trigger", -BEFORE)
    shown.add("description", event["summary"])
    return shown


def event_of(tournament: Tournament, address: str) -> Event:
    """``address`` is that of its page. It ends when the rounds would, if each took its time."""
    event = Event()
    event.add("uid", f"{tournament.id}@cardroom")
    event.add("dtstamp", tournament.created_at)
    event.add("dtstart", tournament.begun_at or tournament.starts_at)
    event.add("dtend", _end(tournament))
    event.add("summary", tournament.name)
    event.add("url", address)
    event.add("sequence", tournament.version)
    if tournament.status == Tournament.Status.ABORTED:
        event.add("status", "CANCELLED")
    else:
        event.add_component(alarm(event))
    return event


def calendar_of(tournament: Tournament, address: str) -> bytes:
    calendar = empty_calendar("Tournaments")
    calendar.add_component(event_of(tournament, address))
    return bytes(calendar.to_ical())


def _end(tournament: Tournament) -> datetime:
    begins = tournament.begun_at or tournament.starts_at
    minutes = (tournament.rounds or 1) * tournament.round_minutes
    usual = begins + timedelta(minutes=minutes)
    ends = tournament.ended_at or selectors.ends_at(tournament) or usual
    return max(ends, begins + timedelta(minutes=1))  # later than its beginning, to the second
