"""Files of a tournament to take away: a table for a spreadsheet, an entry for a calendar."""

import csv
import io
from datetime import datetime, timedelta
from typing import Final

from icalendar import Alarm, Calendar, Event

from games.competitions import selectors
from games.competitions.models import Tournament
from games.competitions.rules import TIES, Board
from games.competitions.selectors import Sheet, plain_name

# A tournament as an entry of a calendar (RFC 5545).

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


# The standings as CSV: a line for each player, a column for each tie-break and each round.
#
# A board is written as the opponent's starting number, the result and the seat: ``5+0`` is a win
# against 5 at seat 0, ``=`` a draw, ``-`` a loss, ``*`` not yet decided. A round without an
# opponent is ``bye``.

TABLE_CONTENT_TYPE: Final = "text/csv; charset=utf-8"
SIGNS: Final = {2: "+", 1: "=", 0: "-"}
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")  # begin what a spreadsheet would compute


def table_of(sheet: Sheet) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    ties = TIES[sheet.tournament.form]
    columns = [f"round {number}" for number in rounds_shown(sheet)]
    writer.writerow(["place", "number", "name", "points", "won", "drawn", "lost", *ties, *columns])
    for line in sheet.lines:
        name = plain_name(sheet.tournament, sheet.numbered[line.entrant])
        shown = [f"{value:g}" for value in (line.shown_points, *line.shown_ties.values())]
        facts = [shown[0], line.won, line.drawn, line.lost, *shown[1:]]
        cells = crosstable_cells(sheet, line.entrant)
        writer.writerow([line.place, line.entrant, _plain(name), *facts, *cells])
    return out.getvalue()


def rounds_shown(sheet: Sheet) -> range:
    """An arena has boards and no rounds."""
    return range(1, 1 + (0 if sheet.tournament.is_arena else sheet.tournament.round))


def crosstable_cells(sheet: Sheet, entrant: int) -> list[str]:
    by_round = {board.round: board for board in sheet.values if entrant in board.entrants}
    return [_cell(entrant, by_round.get(number)) for number in rounds_shown(sheet)]


def _cell(entrant: int, board: Board | None) -> str:
    if board is None:
        return ""
    if board.is_bye:
        return "bye"
    sign = "*" if board.points is None else SIGNS[board.points_of(entrant)]
    return f"{board.other(entrant)}{sign}{0 if board.first == entrant else 1}"


def _plain(name: str) -> str:
    return f"'{name}" if name.startswith(FORMULA) else name
