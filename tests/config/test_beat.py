"""Duties: what is due is sent and nothing else, nothing starves, one bad row stops nobody."""

import asyncio
import json
import os
import subprocess
import sys
import threading
from datetime import timedelta
from time import time
from types import SimpleNamespace
from uuid import uuid4

import pytest
from celery import current_app
from django.core.management import call_command
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.notifications import delivering
from accounts.notifications.models import Progress as Told
from config.asgi import Hybrid
from config.models import Trouble
from config.postgres import schema
from config.processes import beat as beating
from config.processes.beat import Beat, Ear
from config.tasks import after_commit, duties, rows
from config.tasks.duties import Duty, Looks
from config.tasks.queues import LONG, SOON
from games import causes
from games.bot_accounts import services
from games.coaching import analyses
from games.competitions import advancing
from games.competitions.models import Tournament
from games.daily import playing
from games.daily.models import DailyDeal
from games.exercises import collecting
from games.exports import exporting
from games.idle import ending
from games.leagues import divisions
from games.lobby import challenges, seeking
from games.matches import joining, overdue, partitions
from games.matches import rating as fitness
from games.matches.models import Match
from games.mirrored import opening
from games.operations import acts as bulk
from games.operations import jobs, nights, people
from games.people import counting
from games.people.models import Progress
from games.ratings import computers as round_robins
from games.ratings import rating
from games.ratings.models import RatingEra
from games.simulations import work
from tests.competitions.held import held
from tests.matches.scenes import now, opened, short
from tests.patience import PATIENCE, wait_until

pytestmark = pytest.mark.django_db

BAD, GOOD = "bad", ("one", "two")
ROWS = [GOOD[0], BAD, GOOD[1]]


@pytest.fixture(autouse=True)
def empty_broker():
    duties.valkey().flushdb()
    rows._place.clear()
    yield
    duties.valkey().flushdb()


@pytest.fixture
def registered(monkeypatch):
    """Duties of a scene, instead of those of the rooms."""

    def register(*made):
        by_name = {duty.name: duty for duty in made}
        monkeypatch.setattr(duties, "registry", lambda: by_name)
        monkeypatch.setattr(duties, "STARTED", 0.0)
        return made[0]

    return register


class Poison:
    """Acts on rows: the bad one fails, the others are noted."""

    def __init__(self):
        self.done = []

    def act(self, row, *_, **__):
        name = row if isinstance(row, str) else row[0] if isinstance(row, tuple) else row.name
        if name == BAD:
            raise KeyError("secret words")
        self.done.append(name)
        return True

    def batch(self, several):
        return sum(self.act(row) for row in several)

    def listed(self, row):
        """For acts of which a list is expected."""
        return [self.act(row)]


class Query(list):
    """Rows as a queryset gives them."""

    def __call__(self, *_, **__):
        return self

    @property
    def objects(self):
        return self

    filter = exclude = order_by = values_list = distinct = select_for_update = __call__

    def __getitem__(self, at):
        return Query(super().__getitem__(at)) if isinstance(at, slice) else super().__getitem__(at)


def things(**more):
    """Objects that are known by their ids, which are numbers where a statement reads them."""
    return Query(
        SimpleNamespace(
            name=name, id=n, pk=name, slug=name, account_id=name, finished_at=timezone.now(), **more
        )
        for n, name in enumerate(ROWS)
    )


def in_turn(found):
    """One after the other, then none."""
    waiting = [*found, None]
    return lambda *_: waiting.pop(0) if waiting else None


class Model(Query):
    """Rows that are listed; updates of one go nowhere."""

    class Status:
        FINISHED, FAILED, RUNNING, OPEN, ACTIVE = "finished", "failed", "running", "open", "active"

    def update(self, **_):
        return 0


NAMES = Model(ROWS)
TUPLES = Model((name, 0) for name in ROWS)

# By duty: what gives it its rows and what it does with one, as names in their module.
SCENES = {
    "turns": lambda p: (
        overdue,
        {"_overdue": lambda _: ROWS, "get_match": p.act, "announce_again": id},
    ),
    "clocks": lambda p: (overdue, {"_late": lambda: ROWS, "_time_out": p.act}),
    "loads": lambda p: (
        joining,
        {"Match": TUPLES, "keeps_back_alone": bool, "_call_off_alone": p.act},
    ),
    "unfit ratings": lambda p: (
        fitness,
        {"Match": Model((name, b"", "active") for name in ROWS), "_end_unfit": p.act},
    ),
    "causes": lambda p: (
        causes,
        {"SOURCES": {name: (lambda name=name: p.act(name)) for name in ROWS}},
    ),
    "simulations": lambda p: (
        work,
        {"_claim_part": in_turn(parts()), "_run": p.act},
    ),
    "pictures": lambda p: (
        work.draw_missing_pictures.__globals__,
        {"Simulation": Model(things()), "_draw_of": p.act},
    ),
    "old exports": None,
    "exports": lambda p: (exporting, {"RecordFile": NAMES, "_write_part": p.act}),
    "analyses": lambda p: (
        analyses,
        {"_taken": in_turn(things()), "Analysis": Model(), "_judge_unless_secret": p.act},
    ),
    "exercises": lambda p: (
        collecting,
        {"_taken": in_turn(things()), "Scan": Model(), "_look_unless_secret": p.act},
    ),
    "matches for exercises": None,
    "shipped exercises": None,
    "old hints": None,
    "daily deals": lambda p: (
        playing,
        {
            "selectors": SimpleNamespace(
                **vars(playing.selectors)
                | {"games_of_the_day": lambda: [(one, None) for one in things()]}
            ),
            "_publish": lambda _day, game, _terms: p.act(game),
        },
    ),
    "daily computers": lambda p: (
        playing,
        {"_missing": lambda: [(one, one) for one in things()], "_play": p.act},
    ),
    "nudges": lambda p: (ending, {"_due": things, "_nudges": p.listed}),
    "tournaments": lambda p: (
        advancing,
        {"selectors": SimpleNamespace(due=lambda: ROWS), "advance": p.act},
    ),
    "seeks": lambda p: (
        seeking,
        {
            "end_lapsed": lambda: None,
            "_pools": lambda: dict.fromkeys(ROWS),
            "_is_known": bool,
            "_name": str,
            "_pair": p.act,
        },
    ),
    "challenges": lambda p: (challenges, {"Match": NAMES_OF_MATCHES, "_expire": p.act}),
    "mirrored": lambda p: (opening, {"running_sets": lambda: ROWS, "go_on": p.act}),
    "results": lambda p: (counting, {"_next": lambda *_: list(things()), "_count": p.batch}),
    "ratings": lambda p: (rating, {"_next": lambda *_: list(things()), "_rate": p.batch}),
    "silent bot accounts": lambda p: (services, {"Seat": TUPLES, "_replace": p.act}),
    "clean-up": lambda p: (
        nights,
        {"_KINDS": dict.fromkeys(ROWS), "_count": p.act, "fold": lambda: None},
    ),
    "folding": lambda p: (
        nights.folding,
        {"foldable": lambda _: ROWS, "fold": p.act},
    ),
    "partitions": lambda p: (
        partitions,
        {
            "is_partitioned": lambda: True,
            "_made": list,
            "_past": lambda: [partitions.Part(name, None, None, 0) for name in ROWS],
            "_dropped": p.act,
        },
    ),
    "round robins": lambda p: (
        round_robins,
        {"start_all": lambda: None, "RoundRobin": Model(things()), "_finish_if_played": p.act},
    ),
    "audits": lambda p: (nights, {"ReplayAudit": NAMES, "work_off": p.act}),
    "bulk runs": lambda p: (bulk, {"BulkRun": NAMES, "work_off": p.act}),
    "seats left behind": lambda p: (people, {"_left_behind": things, "_mend": p.act}),
    "suspensions": lambda p: (people, {"Suspension": Model(things()), "_lift": p.act}),
    "erasures": lambda p: (
        people,
        {"User": Model(things()), "_finish_erasure": p.act, "Actor": lambda *_: None},
    ),
    "orphans": lambda p: (people, {"Program": Model(things()), "_close": p.act}),
    "leagues": lambda p: (divisions, {"_over": lambda: NAMES, "_turn": p.act}),
    "deliveries": lambda p: (
        delivering,
        {
            "Cause": Model(things(account=None)),
            "Wishes": lambda _: None,
            "_deliveries": lambda cause, *_: iter([p.act(cause)][1:]),
            "Delivery": SimpleNamespace(objects=SimpleNamespace(bulk_create=lambda *_, **__: None)),
        },
    ),
}
# One statement, or one row: there is nothing beside what fails.
WHOLE = {
    *("old notifications", "old hints", "old seeks", "old challenges", "old nudges"),
    *("old phrases", "old exports", "old troubles", "samples", "audit of the night"),
    *("matches for exercises", "shipped exercises", "daily deals of new games"),
    *jobs.PROCESSES,  # each starts a process of its own
}
NAMES_OF_MATCHES = Model(ROWS)


def parts():
    """Parts of simulations, by the names of these."""
    return [SimpleNamespace(id=n, name=name, simulation_id=name) for n, name in enumerate(ROWS)]


SCENES = {name: scene for name, scene in SCENES.items() if scene is not None}


def test_the_contract_knows_every_duty():
    assert duties.registry().keys() == SCENES.keys() | WHOLE
    assert not SCENES.keys() & WHOLE


@pytest.mark.parametrize("name", sorted(SCENES))
def test_one_bad_row_stops_no_other_one(name, monkeypatch, settings):
    settings.RETENTION = settings.RETENTION | {"archive": 1}
    if name == "folding":
        nights.CleanUp.objects.create()
    poison = Poison()
    module, replaced = SCENES[name](poison)
    for attribute, value in replaced.items():
        if isinstance(module, dict):
            monkeypatch.setitem(module, attribute, value)
        else:
            monkeypatch.setattr(module, attribute, value)
    for _ in range(4):  # some have a row a piece
        duties.work(name)
    assert set(poison.done) == set(GOOD)
    trouble, *_ = Trouble.objects.filter(duty=name)
    assert {BAD, str(ROWS.index(BAD))} & set(trouble.row.split())
    assert trouble.error == "KeyError"
    assert "secret" not in str([trouble.row, trouble.error])


class TestRows:
    def test_a_pause_grows_to_an_hour(self):
        pauses = [rows.pause_after(n).total_seconds() for n in range(1, 8)]
        assert pauses == [2, 8, 32, 128, 512, 2048, 3600]

    def test_a_row_that_failed_is_skipped_tried_again_and_forgiven(self, time_machine):
        time_machine.move_to(timezone.now(), tick=False)
        acts = iter([ZeroDivisionError, None])
        tried = []

        def act(row):
            tried.append(row)
            if error := next(acts):
                raise error

        for seconds in (0, 1, 1.5, 10):
            time_machine.shift(seconds)
            rows.each("scene", ["row"], act)
            if len(tried) == 2:
                break
        assert tried == ["row"] * 2
        assert not Trouble.objects.exists()

    def test_a_job_is_set_aside_after_three_failures_until_somebody_wants_it(self, capsys):
        def fail(_):
            raise ZeroDivisionError

        for _ in range(5):
            rows.each("scene", ["job"], fail, gives_up=True)
            Trouble.objects.filter(is_set_aside=False).update(next_at=timezone.now())
        (trouble,) = Trouble.objects.all()
        assert (trouble.failures, trouble.is_set_aside) == (rows.TRIES, True)
        call_command("try_again", "scene")
        assert "1 rows" in capsys.readouterr().out
        assert rows.each("scene", ["job"], str) == ["job"]

    def test_a_budget_ends_between_two_rows_and_the_next_piece_goes_on_there(self):
        done = []
        for _ in range(4):
            with rows.piece(0.0) as piece:
                rows.each("scene", "abc", done.append)
            assert piece.more
        assert done == ["a", "b", "c", "a"]

    def test_of_a_batch_only_the_bad_row_is_left_out(self):
        stored = []

        def store(several):
            if 7 in several:
                raise ValueError("secret")
            stored.extend(several)
            return len(several)

        assert sum(rows.batch("scene", list(range(20)), store)) == 19
        assert sorted(stored) == [n for n in range(20) if n != 7]
        assert Trouble.objects.get().row == "7"
        stored.clear()
        assert rows.batch("scene", [6, 7, 8], store) == [2]  # it waits for its pause

    def test_a_lost_database_is_no_fault_of_a_row(self, monkeypatch):
        def lose(_):
            raise OperationalError("gone")

        monkeypatch.setattr(rows, "is_lost", lambda: True)
        with pytest.raises(OperationalError):
            rows.each("scene", ["row"], lose)
        assert not Trouble.objects.exists()

    def test_a_statement_that_fails_for_one_row_is_its_fault_alone(self):
        def act(row):
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1 / %s", [row])
            return row

        assert rows.each("scene", [1, 0, 2], act) == [1, 2]
        assert Trouble.objects.get().error == "DataError"

    def test_no_log_tells_what_an_exception_says(self, caplog):
        rows.each("scene", ["row"], lambda _: {}["7H of a hand"])
        assert "KeyError" in caplog.text
        assert "7H" not in caplog.text


ALWAYS = "SELECT %(now)s - interval '7 seconds', NULL"
NEVER = "SELECT NULL::timestamptz, NULL WHERE false"


class TestBeat:
    def test_it_sends_what_is_due_once(self, registered):
        due, never = (Duty(name=n, piece=list, due=sql) for n, sql in (("a", ALWAYS), ("b", NEVER)))
        registered(due, never)
        assert [duties.send_due(Looks()) for _ in range(3)] == [1, 0, 0]
        assert duties.valkey().llen(SOON) == 1
        (message,) = duties.valkey().lrange(SOON, 0, -1)
        assert json.loads(message)["headers"]["expires"] is None  # its turn comes, however late

    def test_what_has_been_due_for_an_unknown_time_is_due_now(self, registered):
        registered(Duty(name="a", piece=list, due="SELECT NULL::timestamptz, NULL"))
        looks = Looks(ahead=10.0)
        assert duties.send_due(looks) == 1
        assert looks.next_at == pytest.approx(time() + 1, rel=0, abs=0.9)

    def test_an_idle_service_sends_and_writes_nothing(self):
        """Once everything was done that an empty installation has to do."""
        clocks = {name: float("inf") for name, one in duties.registry().items() if not one.due}
        for _ in range(2):  # an audit of the night is begun, then checked
            for name in duties.due_since():
                duties.work(name)
        DailyDeal.objects.exclude(deal__revealed_at=None).delete()  # computers play them for hours
        duties.valkey().hset(duties.BEAT, "last", time())  # the one key that each look writes
        keys = duties.valkey().dbsize()
        with CaptureQueriesContext(connection) as asked:
            assert (duties.due_since(), duties.send_due(Looks(sent=clocks))) == ({}, 0)
        words = [one["sql"].split(" ")[0] for one in asked]
        assert set(words) <= {"SELECT", "SAVEPOINT", "RELEASE"}
        assert words.count("SELECT") == 2
        assert duties.valkey().dbsize() == keys
        assert set(duties.delays().values()) == {0.0}

    def test_a_duty_with_a_clock_is_sent_when_its_time_has_come(self, registered, time_machine):
        time_machine.move_to(timezone.now(), tick=False)
        registered(Duty(name="a", piece=list, every=60))
        looks = Looks()
        assert duties.send_due(looks) == 1
        duties.valkey().flushdb()
        assert duties.send_due(looks) == 0
        time_machine.shift(61)
        assert duties.send_due(looks) == 1

    def test_a_lost_server_ends_no_beat(self, monkeypatch):
        def lost(_):
            raise OperationalError

        monkeypatch.setattr(connection, "close", lambda: None)
        monkeypatch.setattr(duties, "send_due", lost)
        beat = Beat()
        assert [beat.look(), beat.look()] == [0, 0]
        monkeypatch.setattr(duties, "send_due", lambda _: 3)
        assert beat.look() == 3

    def test_a_condition_that_cannot_be_asked_stops_no_other_one(self, registered):
        broken = Duty(name="broken", piece=list, due="SELECT nonsense, NULL")
        registered(
            Duty(name="a", piece=list, due=ALWAYS), broken, Duty(name="b", piece=list, due=NEVER)
        )
        now = timezone.now()
        since = duties.due_since(now)
        assert since == {"a": now - timedelta(seconds=7), "broken": now}

    def test_a_row_that_waits_for_its_pause_makes_nothing_due(self, registered):
        registered(Duty(name="a", piece=list, due="SELECT %(now)s, 'row'"))
        assert "a" in duties.due_since()
        trouble = rows.note("a", "row", ValueError())
        assert "a" not in duties.due_since()
        assert "a" in duties.due_since(trouble.next_at + timedelta(seconds=1))

    def test_the_delay_of_each_duty_is_a_metric(self, registered):
        registered(Duty(name="a", piece=list, due=ALWAYS), Duty(name="b", piece=list, due=NEVER))
        rows.note("b", "42", KeyError("7H"))
        page = Client(REMOTE_ADDR="127.0.0.1").get("/metrics").content.decode()
        assert 'cardroom_duty_delay_seconds{duty="a",kind="soon"} 7.0' in page
        assert 'cardroom_duty_delay_seconds{duty="b",kind="soon"} 0.0' in page
        told = '{duty="b",error="KeyError",row="42",set_aside="false"} 1.0'
        assert f"cardroom_row_failures{told}" in page
        assert "7H" not in page

    def test_a_duty_is_late_from_the_start_of_the_service_on(
        self, registered, time_machine, monkeypatch
    ):
        """Due since midnight, or for days on a machine that slept: nobody could have done it."""
        begun = timezone.now()
        time_machine.move_to(begun, tick=False)
        midnight = "SELECT %(now)s - interval '9 hours', NULL"
        registered(
            Duty(name="deals", piece=list, due=midnight), Duty(name="a", piece=list, every=9)
        )
        duties.valkey().hset(duties.DONE, "a", time() - 86_400)
        monkeypatch.setattr(duties, "STARTED", time())
        assert (duties.late(), set(duties.delays().values())) == ("up", {0.0})
        monkeypatch.setattr(duties, "STARTED", 0.0)
        looks = Looks()
        for _ in range(2):  # the first start, and three days later
            duties.send_due(looks)
            assert duties.late() == "up"
            for _ in range(2):  # also of a beat that ends at once and begins anew
                time_machine.shift(20)
                duties.send_due(Looks())
            assert set(duties.delays().values()) == {40.0}
            assert duties.late() == "late: a for 40 s, deals for 40 s"
            time_machine.shift(3 * 86_400)

    def test_a_beat_that_has_ended_makes_duties_late(self, registered, time_machine):
        time_machine.move_to(timezone.now(), tick=False)
        registered(Duty(name="a", piece=list, due="SELECT %(now)s - interval '1 day', NULL"))
        duties.send_due(Looks())
        time_machine.shift(600)
        assert duties.late() == "late: a for 600 s"

    def test_a_queue_that_nobody_takes_from_does_not_grow_for_ever(self, registered, monkeypatch):
        registered(Duty(name="a", piece=list, due=ALWAYS))
        monkeypatch.setattr(duties, "MOST_WAITING", 3)
        for _ in range(9):
            duties.send_due(Looks())
            duties.valkey().delete("duty:a:0")  # as when its time is up
        assert duties.valkey().llen(SOON) == 3


class TestTask:
    def test_one_of_another_release_is_harmless(self, caplog):
        duties.duty("a name of the next release")
        assert not Trouble.objects.exists()

    def test_a_message_that_was_sent_twice_is_done_once(self, registered):
        done = []
        registered(Duty(name="a", piece=lambda: (done.append(1), duties.duty("a"))))
        duties.duty("a")
        assert done == [1]

    def test_what_became_due_while_it_ran_is_looked_at_once_more(self, registered):
        registered(Duty(name="a", piece=lambda: duties.Due("a").send(None), every=60))
        duties.valkey().set("duty:a:0", duties.SENT)
        duties.duty("a")
        assert duties.valkey().llen(SOON) == 1

    def test_more_to_do_follows_behind_the_others(self, registered):
        registered(Duty(name="a", kind="long", piece=rows.more))
        duties.duty("a")
        assert duties.valkey().llen(LONG) == 1

    def test_a_duty_that_fails_as_a_whole_is_named_and_tried_again_later(self, registered):
        registered(Duty(name="a", piece=lambda: 1 / 0))
        with pytest.raises(ZeroDivisionError):
            duties.duty("a")
        assert Trouble.objects.get().row == ""
        assert 0 < duties.valkey().pttl("duty:a:0") <= 2000
        registered(Duty(name="a", piece=list))
        duties.duty("a")
        assert not Trouble.objects.exists()

    def test_on_one_core_nothing_long_is_done_while_somebody_plays(self, registered, monkeypatch):
        done = []
        registered(Duty(name="a", kind="long", piece=lambda: done.append(1)))
        monkeypatch.setattr(duties.os, "sched_getaffinity", lambda _: {0})
        monkeypatch.setattr(duties, "offered", lambda name: [lambda: name == "somebody_plays"])
        duties.duty("a")
        assert done == []
        monkeypatch.setattr(duties, "offered", lambda _: [lambda: False])
        duties.duty("a")
        assert done == [1]


@pytest.mark.sweep
@pytest.mark.django_db(transaction=True)
def test_a_starved_long_queue_delays_nothing_that_people_wait_for(ada):
    """With a real worker; nobody takes what is long."""
    match = opened(ada, turn_seconds=10)
    Match.objects.filter(id=match.id).update(deadline_at=timezone.now() - timedelta(seconds=1))
    for name in 30 * ["simulations"]:
        current_app.send_task(duties.TASK, (name,), queue=LONG, retry=False)
    assert duties.send_due(Looks())
    database = f"{os.environ['DATABASE_URL'].rpartition('/')[0]}/{connection.settings_dict['NAME']}"
    worker = subprocess.Popen(
        [sys.executable, "-m", "config.processes.worker", "duties"],
        env=os.environ | {"DATABASE_URL": database},
    )
    try:
        wait_until(lambda: now(match).deadline_at != match.deadline_at or now(match).is_over)
    finally:
        worker.kill()
        worker.wait()
    assert duties.valkey().llen(LONG) >= 30


# The beat of a service in which nothing happens: it sleeps, and is late for nothing.

MINUTES = 10
CURSORS = {"ratings", "results", "causes"}


@pytest.fixture
def passing(time_machine, monkeypatch):
    """Time that passes only where the beat sleeps; it hears nothing."""
    time_machine.move_to(timezone.now(), tick=False)

    def hears_within(seconds, _):
        time_machine.shift(seconds)
        return False

    monkeypatch.setattr(beating, "monotonic", beating.time)
    monkeypatch.setattr(connection, "close", lambda: None)
    ear = SimpleNamespace(hears_within=hears_within)
    return SimpleNamespace(ear=ear, shift=time_machine.shift)


def beat_of(passing, quiet_for=0.0):
    beat = Beat()
    beat._ear = passing.ear
    beat._looks.happened_at -= quiet_for
    return beat


def done_once():
    """An installation whose first duties are done."""
    for _ in range(3):  # an audit of the night is begun, then checked
        for name in duties.due_since():
            duties.work(name)
        DailyDeal.objects.exclude(deal__revealed_at=None).delete()  # computers play them for hours
    assert duties.due_since(ahead=60) == {}


class UntilThen(threading.Event):
    """Is set when so many seconds have passed."""

    def __init__(self, seconds):
        super().__init__()
        self._until = beating.time() + seconds

    def is_set(self):
        return beating.time() >= self._until


def test_ten_quiet_minutes_commit_seven_times_a_minute(passing, monkeypatch):
    done_once()
    sent = []
    monkeypatch.setattr(duties, "send", lambda name: sent.append(name) or 1)
    with CaptureQueriesContext(connection) as asked:
        beat_of(passing, quiet_for=120).run(UntilThen(60 * MINUTES))
    looks = [one["sql"] for one in asked if one["sql"].startswith("SELECT (SELECT min")]
    assert len(looks) == len([one for one in asked if "SAVEPOINT" not in one["sql"]])
    assert MINUTES * 5 < len(looks) <= MINUTES * 7
    often = {name for name in sent if sent.count(name) > MINUTES}
    assert {name for name in often if not duties.registry()[name].due} == set()
    assert len(sent) - len(duties.registry()) <= 3 * MINUTES


def test_no_cursor_moves_where_no_match_has_ended(passing):
    for name in CURSORS:
        duties.work(name)
    Told.objects.update(until=timezone.now())
    RatingEra.objects.update(until=timezone.now())
    Progress.objects.update(until=timezone.now())
    passing.shift(3600)
    assert not CURSORS & duties.due_since().keys()


def test_a_cursor_moves_behind_a_match_that_has_ended(passing, ada):
    duties.work("results")
    match = short(ada, "pyanitsa")
    ended = {"status": "finished", "finished_at": timezone.now(), "outcome": b"{}"}
    Match.objects.filter(id=match.id).update(**ended, to_act=[], coached=True)
    passing.shift(120)
    assert "results" in duties.due_since()
    duties.work("results")
    assert "results" not in duties.due_since()


def waits(beat):
    beat.look()
    return beat.wait()


def on_its_way(name):
    return duties.valkey().exists(duties.registry()[name].key(0))


def in_a_tournament(creator, at):
    tournament = held(creator)
    Tournament.objects.filter(id=tournament.id).update(status="announced", starts_at=at)


def with_a_clock(creator, at):
    match = opened(creator, turn_seconds=60)
    Match.objects.filter(id=match.id).update(deadline_at=at)


def with_a_computer(creator, at):
    match = opened(creator)
    Match.objects.filter(id=match.id).update(bot_due_at=at - timedelta(seconds=2))


def with_a_trouble(creator, at):
    match = opened(creator, turn_seconds=60)
    Match.objects.filter(id=match.id).update(deadline_at=timezone.now() - timedelta(hours=1))
    trouble = rows.note("clocks", str(match.id), ValueError())
    Trouble.objects.filter(pk=trouble.pk).update(next_at=at)


@pytest.mark.parametrize(
    ("scene", "name"),
    [
        (with_a_clock, "clocks"),
        (with_a_computer, "turns"),
        (in_a_tournament, "tournaments"),
        (with_a_trouble, "clocks"),
    ],
)
def test_what_becomes_due_is_sent_at_that_moment(scene, name, passing, ada, monkeypatch):
    alone = {name: duties.registry()[name]}
    monkeypatch.setattr(duties, "registry", lambda: alone)
    beat = beat_of(passing, quiet_for=600)
    assert waits(beat) == 10
    scene(ada, timezone.now() + timedelta(seconds=7.3))
    assert waits(beat) == pytest.approx(7.31, abs=0.01)
    assert not on_its_way(name)
    passing.shift(beat.wait())
    assert waits(beat) <= 1.01
    assert on_its_way(name)


def test_it_looks_every_second_while_something_is_due_or_a_server_is_away(passing, monkeypatch):
    always = Duty(name="a", piece=list, due="SELECT %(now)s - interval '1 hour', NULL")
    monkeypatch.setattr(duties, "registry", lambda: {"a": always})
    beat = beat_of(passing, quiet_for=600)
    assert waits(beat) == pytest.approx(1.0, abs=0.02)
    monkeypatch.setattr(duties, "send_due", lambda _: 1 / 0)
    assert waits(beat) <= 1.0


def test_whoever_asks_for_something_wakes_it(passing):
    beat = beat_of(passing, quiet_for=600)
    looks, asked_at = [], beating.time() + 3
    beat.look = lambda: looks.append(beating.time()) or setattr(beat._looks, "ahead", 10.0)

    def hears_within(seconds, _):
        passing.shift(min(seconds, 1.0))
        return abs(beating.time() - asked_at) < 0.1

    beat._ear = SimpleNamespace(hears_within=hears_within)
    beat.run(UntilThen(4))
    assert looks == pytest.approx([asked_at - 3, asked_at], rel=0, abs=0.1)
    assert beat._looks.happened_at == pytest.approx(asked_at, rel=0, abs=0.1)


def test_it_hears_what_another_process_says(monkeypatch):
    """Every process that uses this Valkey says so on one channel, those of other tests as well."""
    monkeypatch.setattr(after_commit, "HAPPENING", f"happening {uuid4()}")
    ear, never = Ear(), threading.Event()
    assert ear.hears_within(PATIENCE, never)  # that it listens
    assert not ear.hears_within(0.01, never)
    after_commit.Happening().send(duties.valkey())
    assert ear.hears_within(PATIENCE, never)
    assert not ear.hears_within(0.01, never)


def test_while_it_cannot_hear_something_might_happen(monkeypatch):
    def lost():
        raise OSError

    with monkeypatch.context() as away:
        away.setattr(duties, "valkey", lost)
        assert Ear().hears_within(0.01, threading.Event())


def test_a_request_says_that_something_happens_and_a_probe_does_not(monkeypatch):
    said = []
    monkeypatch.setattr("config.asgi.something_happens", lambda: said.append(1))

    async def nothing(*_):
        return None

    door = SimpleNamespace(express=nothing, probes=nothing)
    for path in ("/healthz", "/readyz", "/", "/api/v1/matches"):
        asyncio.run(Hybrid.__call__(door, {"type": "http", "path": path}, nothing, nothing))
    assert said == [1, 1]


def test_it_is_said_once_a_second(monkeypatch):
    said, now = [], [100.0]
    monkeypatch.setattr(after_commit, "announce", said.append)
    monkeypatch.setattr(after_commit, "_told_at", 0.0)
    monkeypatch.setattr(after_commit, "time", SimpleNamespace(monotonic=lambda: now[0]))
    for _ in range(5):
        after_commit.something_happens()
        now[0] += 0.4
    assert said == [after_commit.Happening()] * 2


class TestRests:
    """A duty with a clock looks for nothing where nothing has happened since it looked last."""

    DUTY = Duty(name="a", piece=list, every=20)

    def test_for_an_hour(self):
        looks = Looks(sent={"a": 1000.0}, happened_at=900.0)
        assert looks.rests(self.DUTY, 4599.0)
        assert not looks.rests(self.DUTY, 4600.0)

    def test_as_ever_where_something_has_happened(self):
        looks = Looks(sent={"a": 1000.0}, happened_at=1001.0)
        assert looks.rests(self.DUTY, 1019.0)
        assert not looks.rests(self.DUTY, 1020.0)

    def test_what_happened_just_before_may_have_been_written_after_it(self):
        looks = Looks(sent={"a": 1000.0}, happened_at=995.0)
        assert not looks.rests(self.DUTY, 1020.0)

    def test_one_that_rests_is_not_late(self, monkeypatch):
        monkeypatch.setattr(duties, "registry", lambda: {"a": self.DUTY})
        duties.valkey().hset(duties.DONE, "a", timezone.now().timestamp() - 3000)
        assert duties.delays() == {"a": 0.0}


class TestWork:
    @pytest.fixture(autouse=True)
    def said(self, monkeypatch):
        said = []
        monkeypatch.setattr(duties.after_commit, "something_happens", lambda: said.append(1))
        return said

    def register(self, monkeypatch, **facts):
        one = Duty(name="a", **facts)
        monkeypatch.setattr(duties, "registry", lambda: {"a": one})

    def test_one_that_did_something_says_so(self, monkeypatch, said):
        act = lambda: rows.each("a", ["row"], str)  # noqa: E731
        self.register(monkeypatch, piece=act, due="SELECT NULL::timestamptz, NULL")
        duties.duty("a")
        assert said == [1]

    def test_one_that_only_looked_does_not(self, monkeypatch, said):
        self.register(monkeypatch, piece=list, due="SELECT NULL::timestamptz, NULL")
        duties.duty("a")
        assert said == []

    def test_one_that_has_never_failed_writes_nothing(self, monkeypatch):
        self.register(monkeypatch, piece=list)
        duties.duty("a")
        with CaptureQueriesContext(connection) as asked:
            duties.duty("a")
        assert len(asked) == 0
        assert duties.valkey().llen(SOON) == 0


def test_the_schema_is_known_without_loading_a_migration():
    loaded = schema._by_loading()
    assert schema.difference() == loaded == ([], [])
    assert len(schema.known()) > 100
