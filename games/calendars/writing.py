"""The calendar as a file (RFC 5545). It holds names and times: no hand, no card, no seed."""

from collections.abc import Callable

from django.utils.translation import gettext, override
from icalendar import Event

from accounts.models import User
from games.calendars.selectors import moves_due, tournaments_of
from games.competitions.files.calendar import alarm, empty_calendar, event_of
from games.language import words
from games.matches.models import Match

Address = Callable[[str, object], str]


def calendar_of(user: User, address: Address) -> bytes:
    """``address`` makes the whole address of a page from its name and the id in it."""
    calendar = empty_calendar("Calendar")
    calendar.add("x-wr-calname", "Cardroom")
    with override(user.language):
        for match in moves_due(user):
            calendar.add_component(_move(match, user, address("table", match.pk)))
        for tournament in tournaments_of(user):
            page = address("tournament", tournament.pk)
            calendar.add_component(event_of(tournament, page))
    return bytes(calendar.to_ical())


def _move(match: Match, user: User, page: str) -> Event:
    """One entry a match: the next move moves it to the next deadline.

    It is a moment, so it has no end: an end must be later than the beginning (§3.6.1).
    """
    others = [seat.name for seat in match.seats.all() if seat.user_id != user.pk]
    event = Event()
    event.add("uid", f"{match.pk}@cardroom")
    event.add("dtstamp", match.updated_at)
    event.add("dtstart", match.deadline_at)
    event.add("sequence", match.version)
    event.add("url", page)
    event.add(
        "summary",
        gettext("Move by now: {game} against {names}").format(
            game=words(match.rules.name), names=", ".join(filter(None, others))
        ),
    )
    event.add_component(alarm(event))
    return event
