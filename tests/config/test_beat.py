"""The beat of a service in which nothing happens: it sleeps, and is late for nothing."""

import asyncio
import threading
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.notifications.models import Progress as Told
from config.asgi import Hybrid
from config.models import Trouble
from config.postgres import schema
from config.processes import beat as beating
from config.processes.beat import Beat, Ear
from config.tasks import after_commit, duties, rows
from config.tasks.duties import Duty, Looks
from config.tasks.queues import SOON
from games.competitions.models import Tournament
from games.daily.models import DailyDeal
from games.matches.models import Match
from games.people.models import Progress
from games.ratings.models import RatingEra
from tests.competitions.held import held
from tests.matches.scenes import opened, short

pytestmark = pytest.mark.django_db

MINUTES = 10
CURSORS = {"ratings", "results", "causes"}


@pytest.fixture(autouse=True)
def empty_broker():
    duties.valkey().flushdb()
    rows._place.clear()
    yield
    duties.valkey().flushdb()


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
    """What an empty installation has to do has been done."""
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


def test_it_hears_what_another_process_says():
    ear, never = Ear(), threading.Event()
    while ear.hears_within(0.05, never):
        pass  # that it listens
    assert not ear.hears_within(0.01, never)
    after_commit.Happening().send(duties.valkey())
    assert ear.hears_within(2.0, never)
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
