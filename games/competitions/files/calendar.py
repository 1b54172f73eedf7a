"""A tournament as an entry of a calendar (RFC 5545)."""

from datetime import datetime, timedelta
from typing import Final

from icalendar import Calendar, Event

from games.competitions import selectors
from games.competitions.models import Tournament

CONTENT_TYPE: Final = "text/calendar; charset=utf-8"


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
    return event


def calendar_of(tournament: Tournament, address: str) -> bytes:
    calendar = Calendar()
    calendar.add("prodid", "-//Cardroom//Tournaments//EN")
    calendar.add("version", "2.0")
    calendar.add_component(event_of(tournament, address))
    return bytes(calendar.to_ical())


def _end(tournament: Tournament) -> datetime:
    begins = tournament.begun_at or tournament.starts_at
    minutes = (tournament.rounds or 1) * tournament.round_minutes
    usual = begins + timedelta(minutes=minutes)
    return tournament.ended_at or selectors.ends_at(tournament) or usual
