"""Tournaments as pages, by forms alone; and what strangers learn of a private one."""

import csv
import io

import pytest
from django.contrib.auth.models import Group
from icalendar import Calendar
from rest_framework.test import APIClient

from accounts.audit.log import Actor
from accounts.models import User
from games.competitions import taking_part
from games.competitions.files import calendar_of, table_of
from games.competitions.models import Entrant, Tournament
from games.operations import people
from games.operations.own_data import data_of
from tests.api.calls import API
from tests.competitions.held import (
    begun,
    end_all,
    held,
    matches_of,
    now,
    paid,
    played_out,
    players,
    sheet,
)
from tests.web.browsing import Browser, signed_in

pytestmark = pytest.mark.django_db


def test_one_is_created_joined_played_and_read(ada, ben):
    browser = signed_in(ada).open("/tournaments/new")
    browser.press("Announce it", name="Evening cup", game="pazaak:classic", begins="60", rounds="1")
    tournament = Tournament.objects.get()
    assert browser.address == f"/tournaments/{tournament.id}"
    assert "Begins: " in browser.text
    assert " (UTC)" in browser.text  # a script puts the time of the device there
    assert "data-local>" in browser.page
    other = signed_in(ben).open("/tournaments")
    assert "Evening cup" in other.text
    other.open(f"/tournaments/{tournament.id}").press("Take part")
    assert "2 / 16" in " ".join(other.text.split())
    tournament = begun(tournament)
    page = browser.open(f"/tournaments/{tournament.id}").page
    (match,) = matches_of(tournament, "active")
    assert f'<a class="button big" href="/matches/{match.id}">' in page
    end_all(tournament)
    text = " ".join(browser.open(f"/tournaments/{tournament.id}").text.split())
    assert "It is over." in text
    assert "Sonneborn–Berger" in text
    assert "beat Ada" in text or "beat Ben" in text
    assert "number 5" not in text
    assert "1 : 0" in text


class TestTheHost:
    def announced(self, ada, **chosen):
        browser = signed_in(ada).open("/tournaments/new")
        terms = {"name": "Cup", "game": "pazaak:classic", "begins": "0", **chosen}
        return browser.press("Announce it", **terms), Tournament.objects.get()

    def test_takes_part_unless_the_form_says_no(self, ada):
        self.announced(ada)
        assert Entrant.objects.get().account == ada

    def test_may_look_on(self, ada):
        self.announced(ada, plays="")
        assert not Entrant.objects.exists()

    def test_it_begins_at_the_hosts_word_and_not_before(self, ada, ben):
        browser, tournament = self.announced(ada)
        assert paid(tournament).status == "announced"
        assert "Two have to take part" in browser.press("Begin").text
        assert paid(tournament).status == "announced"
        signed_in(ben).open(browser.address).press("Take part")
        assert paid(tournament).status == "announced"
        signed_in(ada).open(f"/tournaments/{tournament.id}").press("Begin")
        assert paid(tournament).status == "running"

    def test_it_begins_when_all_places_are_taken(self, ada, ben):
        _, tournament = self.announced(ada, most="2")
        signed_in(ben).open(f"/tournaments/{tournament.id}").press("Take part")
        assert paid(tournament).status == "running"

    def test_nobody_else_begins_it(self, ada, ben):
        _, tournament = self.announced(ada, fill_to="4")
        home = signed_in(ben).open(f"/tournaments/{tournament.id}")
        assert '/begin"' not in home.page
        answer = home.client.post(
            f"/tournaments/{tournament.id}/begin",
            {"csrfmiddlewaretoken": home.client.cookies["csrftoken"].value},
        )
        assert answer.status_code == 403
        assert paid(tournament).status == "announced"

    def test_three_things_are_asked_and_the_others_folded(self, ada):
        page = signed_in(ada).open("/tournaments/new").page
        first, more = page.split("<details", 1)
        assert [name for name in ("name", "game", "begins") if f'name="{name}"' in first]
        assert 'name="pace"' not in first
        assert 'name="pace"' in more


def test_people_of_one_name_are_told_apart_and_everybody_has_a_face(ada, ben):
    User.objects.filter(pk=ben.pk).update(display_name="Ada")
    tournament = begun(held(ada, fill_to=8), ada, ben)
    page = Browser().open(f"/tournaments/{tournament.id}").page
    assert f"Ada ({ben.username})" in page
    rows = page.split("<tbody>")[1].split("</tbody>")[0]
    assert rows.count('class="face small"') == 8


def test_what_cannot_be_held_keeps_what_was_typed(ada):
    browser = signed_in(ada).open("/tournaments/new")
    browser.press("Announce it", name="Evening cup", game="pazaak:classic", most="65")
    assert browser.status == 422
    assert 'value="Evening cup"' in browser.page
    assert "2 to 64 players" in browser.text


def test_a_visitor_may_look_and_join_as_a_guest_and_hold_none(ada):
    tournament, stranger = held(ada), Browser()
    assert "Sign up to hold a tournament" in stranger.open("/tournaments/new").text
    stranger.open(f"/tournaments/{tournament.id}").press("Take part")
    assert Entrant.objects.get().account.is_guest
    stranger.open(f"/tournaments/{tournament.id}").press("Withdraw")
    assert not Entrant.objects.exists()


def test_its_creator_invites_and_calls_off(ada, ben):
    tournament = held(ada, visibility="private")
    address = f"/tournaments/{tournament.id}"
    home = signed_in(ada).open(address).press("Invite", username="ben")
    assert "Invited:" in home.text
    signed_in(ben).open(address).press("Take part")
    home.open(address).press("Call it off")
    assert "It was called off." in home.open(address).text


def test_a_round_is_chosen_by_its_number(ada):
    tournament = end_all(begun(held(ada, rounds=3), *players(4)))
    browser = Browser().open(f"/tournaments/{tournament.id}?round=1")
    assert "1 : 0" in " ".join(browser.text.split())
    for odd in ("9", "-1", "x", "²", "9" * 30):
        assert Browser().open(f"/tournaments/{tournament.id}?round={odd}").status == 200


@pytest.mark.parametrize("form", ["arena", "knockout", "round_robin"])
def test_every_form_has_its_page(ada, form):
    tournament = begun(held(ada, form, fill_to=5), ada)
    assert "Standings" in Browser().open(f"/tournaments/{tournament.id}").text


class TestSecrets:
    """A private tournament is nobody's but its members'."""

    PATHS = ("", "/results", "/results.csv")

    def test_a_stranger_finds_nothing(self, ada, ben, cleo, holding):
        tournament = held(ada, visibility="private")
        name = tournament.name
        for browser in (Browser(), signed_in(cleo)):
            address = f"/tournaments/{tournament.id}"
            assert name not in browser.open("/tournaments").text
            assert browser.open(address).status == 404
            assert browser.open(f"{address}/calendar.ics").status == 404
        program = APIClient()
        for path in self.PATHS:
            assert program.get(f"{API}tournaments/{tournament.id}{path}").status_code == 404
        assert name not in program.get(f"{API}tournaments").content.decode()
        program.force_login(cleo)
        assert program.post(f"{API}tournaments/{tournament.id}/join").status_code == 404

    def test_its_matches_are_private_too(self, ada, ben, cleo):
        tournament = held(ada, visibility="private")
        Entrant.objects.create(tournament=tournament, account=ben)
        (match,) = matches_of(begun(tournament, ada), "active")
        assert signed_in(cleo).open(f"/matches/{match.id}").status == 404
        assert signed_in(ben).open(f"/matches/{match.id}").status == 200

    def test_results_tell_no_cards(self, ada):
        tournament = begun(held(ada, fill_to=4), ada)
        answer = APIClient().get(f"{API}tournaments/{tournament.id}/results").content.decode()
        assert not any(
            word in answer for word in ("seed", "side_deck", "view", "legal_moves", "commitment")
        )

    def test_who_withdrew_from_a_private_one_still_finds_it(self, ada, ben):
        tournament = held(ada, visibility="private")
        Entrant.objects.create(tournament=tournament, account=ben)
        browser = signed_in(ben).open(f"/tournaments/{tournament.id}").press("Withdraw")
        assert browser.status == 200


def test_an_erasure_takes_the_name_and_leaves_the_boards(ada, ben):
    boss = User.objects.create_superuser("boss")
    tournament = end_all(begun(held(ada, rounds=1), ada, ben))
    assert data_of(ben)["tournaments"]["taken_part"][0]["tournament_id"] == tournament.id
    people.erase(user_id=ben.pk, by=Actor.of(boss, "They asked for it."))
    text = Browser().open(f"/tournaments/{tournament.id}").text
    assert "Ben" not in text.split()
    assert "Deleted player" in text


class TestAdmin:
    def test_an_operator_looks_pauses_removes_and_pays(self, ada, client):
        boss = User.objects.create_superuser("boss")
        client.force_login(boss)
        tournament = begun(held(ada, fill_to=4), ada)
        page = f"/admin/competitions/tournament/{tournament.id}"
        assert "Undecided boards" in client.get(f"{page}/change/").content.decode()
        entrant = Entrant.objects.filter(tournament=tournament).exclude(bot="").first()
        for what, more in (
            ("pause", {}),
            ("resume", {}),
            ("remove", {"entrant": entrant.pk}),
            ("pay", {}),
            ("abort", {}),
        ):
            client.post(f"{page}/{what}/do", {"reason": "It has to be.", **more})
        entrant.refresh_from_db()
        assert entrant.state == "removed"
        assert now(tournament).status == "aborted"
        assert paid(tournament).status == "aborted"

    def test_a_viewer_looks_and_does_nothing(self, ada, client):
        viewer = User.objects.create_user("viewer", is_staff=True)
        viewer.groups.set(Group.objects.filter(name="viewer"))
        client.force_login(viewer)
        tournament = held(ada)
        page = f"/admin/competitions/tournament/{tournament.id}"
        assert client.get(f"{page}/change/").status_code == 200
        assert client.post(f"{page}/abort/do", {"reason": "It has to be."}).status_code == 403
        assert now(tournament).status == "announced"


def test_a_moment_without_a_time_zone_is_no_moment(ada):
    program = APIClient()
    program.force_login(ada)
    body = {"name": "Cup", "game": "pazaak", "starts_at": "2031-01-01T00:00:00"}
    answer = program.post(f"{API}tournaments", body, format="json")
    assert answer.status_code == 400


# Exports of a tournament: CSV, a calendar, plain text; names that are formulas.


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
