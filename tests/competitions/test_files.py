"""What is taken away from a tournament: CSV, a calendar, plain text; names that are formulas."""

import csv
import io

import pytest
from icalendar import Calendar

from games.competitions import taking_part
from games.competitions.files import calendar_of, table_of
from tests.competitions.held import begun, end_all, held, now, played_out, players, sheet

pytestmark = pytest.mark.django_db


def rows(tournament):
    return list(csv.DictReader(io.StringIO(table_of(sheet(tournament)))))


def test_the_table_has_a_line_for_everybody_and_a_column_for_every_round(ada):
    tournament = played_out(begun(held(ada, rounds=3), *players(4)))
    lines = rows(tournament)
    assert lines[0]["place"] == "1"
    assert sum(float(line["points"]) for line in lines) == 6
    assert {"buchholz", "sonneborn_berger", "direct", "wins", "round 3"} <= set(lines[0])
    for line in lines:
        opponent = next(o for o in lines if line["round 1"].startswith(o["number"]))
        signs = {line["round 1"][1], opponent["round 1"][1]}
        assert signs == {"+", "-"}


def test_a_name_is_no_formula(ada):
    one, other = players(2)
    one.display_name = "=1+1"
    one.save()
    tournament = end_all(begun(held(ada, rounds=1), one, other))
    assert "'=1+1" in {line["name"] for line in rows(tournament)}


def test_a_calendar_has_it(ada):
    tournament = now(held(ada, name="Cup, with; commas", rounds=3))
    calendar = Calendar.from_ical(calendar_of(tournament, "https://example.org/t"))
    (event,) = calendar.walk("VEVENT")
    assert event["summary"] == "Cup, with; commas"
    assert event["dtstart"].dt.replace(microsecond=0) == tournament.starts_at.replace(microsecond=0)
    assert event["dtend"].dt > event["dtstart"].dt
    taking_part.call_off(tournament_id=tournament.id, user=ada)
    later = Calendar.from_ical(calendar_of(now(tournament), "https://example.org/t"))
    assert later.walk("VEVENT")[0]["status"] == "CANCELLED"
