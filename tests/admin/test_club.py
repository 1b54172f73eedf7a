"""The club's own pages, and what they change for everybody: each act as each role."""

import re
import subprocess
from datetime import timedelta
from threading import Event
from threading import enumerate as enumerate_threads

import pytest
from django.conf import settings
from django.contrib.messages import get_messages
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.db import OperationalError
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from psycopg.errors import DiskFull

from accounts import services
from accounts.audit.models import Entry
from config import club
from config.host.embedded.processes import alive
from config.models import Announcement, SettingChange, Trouble
from config.postgres.connections import ReadOnly
from config.tasks import duties, rows
from games.live.news import Since, read_other_news
from games.lobby import seeking
from games.matches import overdue
from games.matches.models import Match
from games.operations import jobs
from tests.admin.test_acts import staff
from tests.conftest import BACKEND, key_of
from tests.matches.scenes import opened, played
from tests.patience import PATIENCE, on_a_busy_machine, wait_until

pytestmark = pytest.mark.django_db

SETTINGS = "admin:config_settingchange_changelist"
JOBS = "admin:config_trouble_changelist"
SENTENCE = {
    "audience": "all",
    "text": "Club night on Friday",
    "text_tr": "Cuma gecesi kulüp",
    "link": "/tournaments",
    "is_dismissable": "on",
    "shown_from_0": "2026-01-01",
    "shown_from_1": "10:00",
}


def at(**later) -> str:
    return (timezone.now() + timedelta(**later)).isoformat()


# --- Settings


def test_only_administrators_set_and_everybody_may_read_back(committed):
    page = reverse(SETTINGS)
    for role in ("viewer", "referee"):
        browser = staff(role)
        assert browser.get(page).status_code == 200
        assert browser.post(page, {"name": "club.guests", "value": "off"}).status_code == 403
    admin = staff("administrator")
    with committed():
        admin.post(page, {"name": "club.guests", "value": "off"})
    assert settings.CLUB["guests"] is False
    shown = admin.get(page, {"name": "club.guests"}).content.decode()
    assert "history" in shown
    assert "Back to the default" in shown
    with committed():
        admin.post(page, {"name": "club.guests", "back": "1"})
    assert settings.CLUB["guests"] is True
    entries = Entry.objects.filter(action="change_setting").order_by("id")
    assert [(one.actor, one.details) for one in entries] == [
        ("administrator", {"before": True, "after": False}),
        ("administrator", {"before": False, "after": True}),
    ]


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("club.registration", "half", "invited or closed"),
        ("club.games_off", "chess", "there is no chess"),
        ("club.guests", "perhaps", "on or off"),
        ("club.read_only_until", "2100-01-01 00:00", "24 hours"),
        ("club.maintenance_from", "tomorrow", "2030-01-31"),
        ("limits.simulations", "-1", "whole number from 0"),
        ("rates.moves", "0/min", "such as 600/min"),
    ],
)
def test_a_wrong_value_is_refused_with_what_is_allowed(name, value, allowed):
    answer = staff("administrator").post(reverse(SETTINGS), {"name": name, "value": value})
    assert allowed in str(next(iter(get_messages(answer.wsgi_request))))
    assert not SettingChange.objects.exists()


def test_limits_and_rates_are_those_that_readers_find(put):
    put("limits.simulations", "7")
    put("rates.moves", "5/min")
    assert settings.LIMITS["simulations"] == 7
    assert settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]["moves"] == "5/min"
    assert club.default("limits.simulations") == 3


def test_guests_registration_phrases_games(put, client):
    put("club.guests", "off")
    assert (
        client.post("/api/v1/accounts/guest", {}, content_type="application/json").status_code
        == 403
    )
    put("club.registration", "closed")
    body = {"username": "newcomer", "password": "a long and quiet evening"}
    answer = client.post("/api/v1/accounts/register", body, content_type="application/json")
    assert answer.status_code == 403
    assert "sign up here" in answer.json()["detail"]


def test_a_game_that_is_off_begins_no_match_and_another_does(put, ada):
    running = opened(ada)
    put("club.games_off", running.game)
    with pytest.raises(club.NotAllowed):
        opened(ada)
    played(running)
    put("club.games_off", "")
    opened(ada)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")  # so it ends
@pytest.mark.django_db(transaction=True)
def test_another_process_has_it_within_two_seconds(monkeypatch):
    """Here a thread stands for it: it hears through Valkey and reads what was committed.

    It ends with the scene: it would take from later ones what they set and have not committed.
    """
    monkeypatch.setattr(club, "_tell", lambda: duties.valkey().publish(club.CHANNEL, b""))
    listens, is_over, load_here = Event(), Event(), club._load_here

    def heard():
        if is_over.is_set():
            raise SystemExit
        load_here()
        listens.set()

    monkeypatch.setattr(club, "_load_here", heard)
    club.watch()
    (thread,) = (one for one in enumerate_threads() if one.name == "club")
    try:
        assert listens.wait(PATIENCE)
        club.change(name="club.phrases", given="off", by="somebody")
        wait_until(lambda: settings.CLUB["phrases"] is False, on_a_busy_machine(2))
    finally:
        is_over.set()
        club._tell()
        thread.join(PATIENCE)
    assert not thread.is_alive()


# --- Maintenance and read-only


def test_maintenance_begins_no_match_and_running_ones_go_on(put, ada, client):
    running = opened(ada)
    put("club.maintenance_from", at(minutes=-1))
    by_key = {"HTTP_AUTHORIZATION": f"Token {key_of(ada)}", "content_type": "application/json"}
    body = {"game": "pisti", "seats": [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}]}
    answer = client.post("/api/v1/matches", body, **by_key)
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert "no match begins" in answer.json()["detail"]
    client.force_login(ada, BACKEND)
    page = client.post("/play/pisti")
    assert (page.status_code, "Retry-After" in page) == (503, True)
    assert Match.objects.count() == 1
    assert seeking.pair_all() == 0
    played(running)
    assert "Maintenance from" in client.get("/lobby").content.decode()
    put("club.maintenance_until", at(seconds=-1))
    assert client.post("/api/v1/matches", body, **by_key).status_code == 201
    assert "Maintenance from" not in client.get("/lobby").content.decode()


def test_read_only_answers_reads_and_ends_by_itself(put, ada, client, time_machine, caplog):
    match = opened(ada, turn_seconds=60)
    before = Match.objects.get(id=match.id).deadline_at
    put("club.read_only_until", at(minutes=10))
    stands = Match.objects.get(id=match.id).deadline_at - before
    assert abs(stands - timedelta(minutes=10)) < timedelta(seconds=2)
    by_key = {"HTTP_AUTHORIZATION": f"Token {key_of(ada)}", "content_type": "application/json"}
    assert client.get(f"/api/v1/matches/{match.id}", **by_key).status_code == 200
    refused = client.post(f"/api/v1/matches/{match.id}/moves", {}, **by_key)
    assert refused.status_code == 503
    assert 590 < int(refused["Retry-After"]) <= 600
    assert "can be read" in refused.json()["detail"]
    page = client.post("/accounts/language/", {"language": "tr"})
    assert (page.status_code, "Retry-After" in page) == (503, True)
    assert not caplog.records  # it is meant
    assert duties.send_due(duties.Looks()) == 0
    assert duties.late() == "up"
    assert staff("administrator").get(reverse(SETTINGS)).status_code == 200
    time_machine.move_to(timezone.now() + timedelta(minutes=11))
    assert client.post("/accounts/language/", {"language": "tr"}).status_code == 302


@pytest.mark.parametrize("cause", [ReadOnly(), DiskFull()])
def test_a_database_that_takes_no_writes_is_named(cause, monkeypatch, client, ada):
    """Reads are answered; a write gets a reason, and ends being refused with its cause."""

    def refuse(**_):
        if isinstance(cause, ReadOnly):
            raise cause
        raise OperationalError from cause

    monkeypatch.setattr(services, "open_guest", refuse)
    answer = client.post("/api/v1/accounts/guest", {}, content_type="application/json")
    assert (answer.status_code, "Retry-After" in answer) == (503, True)
    assert "can be read" in answer.json()["detail"]
    assert client.get("/api/v1/").status_code == 200
    monkeypatch.undo()
    answer = client.post("/api/v1/accounts/guest", {}, content_type="application/json")
    assert answer.status_code == 201


def test_clocks_stand_still_for_those_who_have_one(ada):
    opened(ada)
    overdue.stand_still(timedelta(minutes=5))  # nothing to give, and nothing fails


# --- Announcements


def test_who_announces_who_reads_and_who_closes(committed, client, ada):
    add = reverse("admin:config_announcement_add")
    assert staff("viewer").post(add, SENTENCE).status_code == 403
    with committed():
        assert staff("referee").post(add, SENTENCE).status_code == 302
    row = Announcement.objects.get()
    assert Entry.objects.filter(action="add_announcement").count() == 1
    assert "Club night on Friday" in client.get("/lobby").content.decode()
    turkish = client.get("/lobby", headers={"accept-language": "tr"}).content.decode()
    assert "Cuma gecesi kulüp" in turkish
    told = client.get("/api/v1/").json()["announcements"]
    assert [(one["texts"]["en"], one["link"]) for one in told] == [(row.text, "/tournaments")]
    (news,) = read_other_news([Since(ada.pk, timezone.now() - timedelta(minutes=1))])[0]
    assert (news.type, news.announcement) == ("notice", row.pk)
    client.post(reverse("close_announcement", args=[row.pk]), {"next": "/lobby"})
    assert "Club night on Friday" not in client.get("/lobby").content.decode()
    assert "Club night on Friday" in Client().get("/lobby").content.decode()


@pytest.mark.parametrize(("audience", "readers"), [("all", 3), ("signed_in", 2), ("staff", 1)])
def test_an_announcement_is_for_some(committed, ada, audience, readers):
    Announcement.objects.create(text="To some", audience=audience)
    Announcement.objects.create(text="Later", shown_from=timezone.now() + timedelta(days=1))
    club.load()
    visitor, person = Client(), Client()
    person.force_login(ada, BACKEND)
    pages = [one.get("/lobby").content.decode() for one in (visitor, person, staff("viewer"))]
    assert sum("To some" in page for page in pages) == readers
    assert not any("Later" in page for page in pages)


def test_a_link_leads_nowhere_that_runs(committed):
    add = reverse("admin:config_announcement_add")
    answer = staff("referee").post(add, SENTENCE | {"link": "javascript:alert(1)"})
    assert answer.status_code == 200
    assert not Announcement.objects.exists()


@pytest.mark.parametrize(
    ("days", "is_refused"),
    [((0, 2), True), ((1, 3), True), ((0, None), True), ((2, 4), False), ((7, None), False)],
)
def test_the_same_is_announced_once_at_a_time(days, is_refused):
    """The first one is shown for two days."""
    now = timezone.now()

    def shown(first, last):
        until = None if last is None else now + timedelta(days=last)
        return Announcement(
            text="Club night", shown_from=now + timedelta(days=first), shown_until=until
        )

    shown(0, 2).save()
    if is_refused:
        with pytest.raises(ValidationError, match="announced already"):
            shown(*days).full_clean()
    else:
        shown(*days).full_clean()


# --- Jobs


def test_jobs_fold_failures_and_act(committed):
    for row in ("one", "two"):
        rows.note("results", row, KeyError(row))
    viewer, referee = staff("viewer"), staff("referee")
    shown = viewer.get(reverse(JOBS)).content.decode()
    assert re.search(r"KeyError</strong> at 2\s+rows", shown)
    act = {"name": "results", "error": "KeyError"}
    assert viewer.post(reverse(JOBS), act | {"act": "aside"}).status_code == 403
    referee.post(reverse(JOBS), act | {"act": "aside"})
    assert Trouble.objects.filter(is_set_aside=True).count() == 2
    with committed():
        referee.post(reverse(JOBS), act | {"act": "again"})
    assert not Trouble.objects.filter(is_set_aside=True).exists()
    assert duties.valkey().exists(duties.registry()["results"].key(0))
    referee.post(reverse(JOBS), {"act": "run", "name": "samples"})
    assert duties.valkey().exists(duties.registry()["samples"].key(0))
    made = Entry.objects.filter(subject_type="duty").order_by("id").values_list("action", flat=True)
    assert list(made) == ["set_rows_aside", "try_rows_again", "run_duty"]


def test_a_button_begins_a_process_once(monkeypatch):
    """Again where the one before was killed, which told nobody."""
    begin, begun = subprocess.Popen, []

    def process(words, **_):
        begun.append(begin(["sleep", "60"]))
        assert words[-1] == "recount"
        return begun[-1]

    monkeypatch.setattr(jobs.subprocess, "Popen", process)
    cache.delete(jobs.result_key("recount"))
    for ended in (1, 2):
        jobs.RECOUNT.piece()
        jobs.RECOUNT.piece()
        assert len(begun) == ended
        begun[-1].kill()  # and stays a zombie
        while alive(begun[-1].pid):
            pass
        assert begun[-1].returncode is None
    cache.delete(jobs.result_key("recount"))
    for one in begun:
        one.wait()


# --- Numbers


def test_how_it_is_going_as_page_and_csv(ada):
    opened(ada, "me, bot greedy")
    cache.delete("operations:numbers:4")
    viewer = staff("viewer")
    page = viewer.get(reverse("admin:numbers"))
    assert page.status_code == 200
    assert "against computers" in page.content.decode()
    lines = viewer.get(reverse("admin:numbers"), {"csv": "days"}).content.decode().splitlines()
    assert lines[0] == "Day,People,Guests of them,Matches,New accounts"
    assert lines[1].split(",")[1:4] == ["1", "0", "1"]
    assert viewer.get(reverse("admin:numbers"), {"csv": "nothing"}).status_code == 404
