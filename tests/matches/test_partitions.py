"""Plies by months: made while moves are played, dropped when folded, and nothing else differs.

Each scene has a database of its own, which is partitioned for good.
"""

import io
import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from threading import Event, Thread
from urllib.parse import quote

import psycopg
import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, connections, transaction
from django.urls import reverse
from django.utils import timezone

from accounts.audit.log import Actor
from cardroom.rules import catalog
from config.host import backups
from config.tasks import duties
from config.uuid7 import least_uuid7
from games.matches import folding, loading, partitions, rolling_back, verification
from games.matches.models import Match, Ply
from games.matches.partitions import month_after, parts
from games.operations import figures, refereeing
from tests import migrated
from tests.admin.test_acts import staff
from tests.conftest import registered
from tests.matches.scenes import move, now, opened, played, short
from tests.patience import PATIENCE, wait_until
from tests.security.test_presses import at_once

GAMES = [game.slug for game in catalog.GAMES]
OPTION = "autovacuum_vacuum_scale_factor=0.01"
OPTIONS = """
SELECT reloptions FROM pg_class c JOIN pg_inherits ON inhrelid = c.oid
WHERE inhparent = 'games_ply'::regclass"""
KEYS = [
    "games_ply_match_id_da7a08c8_fk_games_match_id",
    "ply_has_its_own_version",
    "ply_answers_a_key_of_its_seat_once",
]
NAMES = """
SELECT conname FROM pg_constraint WHERE conrelid = 'games_ply'::regclass
UNION SELECT indexrelid::regclass::text FROM pg_index WHERE indrelid = 'games_ply'::regclass"""

WAITS = """
SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"""


@pytest.fixture(autouse=True)
def own_database(transactional_db):
    with migrated.own_copy():
        yield


@pytest.fixture
def ada(own_database):
    return registered("Ada")


def rows(sql):
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchall()


def execute(sql):
    with connection.cursor() as cursor:
        cursor.execute(sql)


def address():
    at = connection.settings_dict
    return f"postgres://{at['USER']}@{quote(at['HOST'], safe='')}:{at['PORT']}/{at['NAME']}"


def partitioned():
    """What the command says, without the times."""
    said = io.StringIO()
    call_command("partition_plies", stdout=said)
    return [line.rpartition(" (")[0] for line in said.getvalue().splitlines()]


def where(match):
    return [
        name
        for (name,) in rows(
            f"SELECT DISTINCT tableoid::regclass::text FROM games_ply WHERE match_id = '{match.id}'"
        )
    ]


def whole():
    """Every match follows from its moves, and no migration is missing."""
    call_command("migrate", "--check", verbosity=0)
    for match in Match.objects.exclude(state=None):
        assert list(verification.faults(now(match))) == []


def drop(name):
    """By as many runs of the duty as it takes: Postgres' own vacuum may have the partition."""

    def is_gone():
        duties.work("partitions")
        return name not in [part.name for part in parts()]

    wait_until(is_gone)


@contextmanager
def moves_meanwhile(ada):
    """Another thread plays, one move a statement; none may fail."""
    begun, enough, faults, count = Event(), Event(), [], [0]

    def play():
        try:
            match = opened(ada)
            while not enough.is_set():
                match = move(match) if match.status == "active" else opened(ada)
                count[0] += 1
                begun.set()
        except Exception as fault:  # noqa: BLE001 - the test shows it
            faults.append(fault)
            begun.set()
        finally:
            connections.close_all()

    mover = Thread(target=play)
    mover.start()
    begun.wait(PATIENCE)
    before = count[0]
    try:
        yield
        wait_until(lambda: count[0] > before + 20 or faults)
    finally:
        enough.set()
        mover.join()
    assert faults == []


def test_made_while_moves_are_played_and_everything_goes_on(ada, client):
    over = [played(short(ada, game)) for game in GAMES]
    running = [played(opened(ada, "me, bot random", game), 6) for game in GAMES]
    opening = opened(ada)
    first = move(opening, key="k")
    execute(f"ALTER TABLE games_ply SET ({OPTION})")
    execute("GRANT SELECT ON games_ply, games_ply_id_seq TO pg_monitor")
    indexes = (
        "SELECT count(*) FROM pg_index JOIN pg_class c ON c.oid = indrelid WHERE relname = '{}'"
    )
    before = rows(indexes.format("games_ply"))
    with moves_meanwhile(ada):
        said = partitioned()
    old, *months, rest = parts()
    assert (said[2], said[-1]) == ("The table is a partition", "Nothing is left to do")
    assert partitioned() == ["Nothing is left to do"]
    assert [len(months), rest.name] == [2, partitions.REST]
    assert rows(indexes.format(old.name)) == before  # no index was built
    assert where(first) == where(over[0]) == [old.name]
    # The same keys, rights and parameters, and numbers that go on.
    assert {"games_ply_seat_check", *KEYS} <= {name for (name,) in rows(NAMES)}
    assert rows(OPTIONS) == [([OPTION],)] * 4
    for name in ("games_ply", "games_ply_id_seq", *(part.name for part in parts())):
        assert rows(f"SELECT has_table_privilege('pg_monitor', '{name}', 'SELECT')") == [(True,)]
    assert rows("SELECT count(DISTINCT id) = count(*) FROM games_ply") == [(True,)]
    assert rows("SELECT max(id) < nextval('games_ply_id_seq') FROM games_ply") == [(True,)]
    # What is refused is refused.
    again = {"match_id": first.id, "move": "", "events": b"[]"}
    for wrong in (
        {"version": 1},
        {"version": 99, "seat": 0, "key": "k"},
        {"version": 99, "seat": -1},
        {"version": 1, "match_id": least_uuid7(timezone.now())},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            Ply.objects.create(**again | wrong)
    assert move(opening, key="k").version == 1  # the first answer
    # Matches go on, are loaded, rolled back and taken back.
    for match in (*over, *running):
        loaded = (
            loading.load(match_id=match.id, user=ada, version=3, cards="reshuffled")
            if match.is_over
            else match
        )
        end = played(loaded)
        assert end.status == "finished"
    one = played(opened(ada), 60)
    refereeing.roll_back(match_id=one.id, by=Actor.of(ada, "The table was frozen."), round=1)
    alone = played(opened(ada, "me, bot greedy"), 4)
    assert rolling_back.take_back_alone(match_id=alone.id, user=ada).version < 4
    figures._plies()
    page = staff("referee").get(
        reverse("admin:games_ply_changelist") + f"?match__id__exact={one.id}"
    )
    assert page.status_code == 200
    assert "60 plies" in page.content.decode() or str(one.id)[:8] in page.content.decode()
    whole()


def test_a_backup_of_it_is_restored_over_it_and_the_one_before_it_too(ada, tmp_path):
    match = played(short(ada, "pazaak"))
    database = connection.settings_dict
    files = tmp_path / "before.dump", tmp_path / "after.dump"
    backups.dump_database(database, files[0])
    partitioned()
    played(short(ada, "pisti"))
    counted = backups.dump_database(database, files[1])
    assert not any(part.name in counted for part in parts())
    assert backups.try_dump(database, files[1], counted).fault == ""
    for file, kind in ((files[1], True), (files[0], False)):
        migrated.use(database["NAME"])
        backups.restore_database(database, file, replace=True)
        assert partitions.is_partitioned() == kind
        assert Match.objects.count() == 1 + kind
        whole()
    assert folding.fold(match.id)


@pytest.mark.parametrize("steps", [1, 2])
def test_begun_again_it_goes_on(ada, steps):
    match = opened(ada)
    whole_way = partitions.partition()
    for _ in range(steps):
        next(whole_way)
    whole_way.close()
    match = move(match)
    assert partitioned()[: 3 - steps] == ["Every ply is", "The table is a partition"][steps - 1 :]
    assert where(move(match)) == [parts()[0].name]
    whole()


def test_killed_while_it_waits_it_goes_on(ada):
    match = opened(ada)
    with psycopg.connect(address()) as reader:
        reader.execute("SELECT FROM games_ply")
        run = subprocess.Popen(
            [sys.executable, "manage.py", "partition_plies"],
            env=os.environ
            | {"DATABASE_URL": address(), "DJANGO_SETTINGS_MODULE": "config.settings"},
            cwd=migrated.ROOT,
            stdout=subprocess.PIPE,
        )
        wait_until(lambda: rows(WAITS))
        match = move(match)  # it lets go before the move has waited for long
        run.send_signal(signal.SIGKILL)
        run.wait()
    assert not partitions.is_partitioned()
    assert "The table is a partition" in partitioned()
    move(match)
    whole()


def test_a_bound_that_was_left_behind_refuses_no_move(ada):
    match = opened(ada)
    next(partitions.partition())
    with time_machine.travel(month_after(timezone.now(), 2) - timedelta(days=3)):
        duties.work("partitions")
        assert rows(f"SELECT FROM pg_constraint WHERE conname = '{partitions.BOUND}'") == []
    with time_machine.travel(month_after(timezone.now(), 3)):
        move(opened(ada))
        duties.work("partitions")
    assert not partitions.is_partitioned()
    move(match)


def test_a_month_goes_when_its_matches_are_folded(ada):
    partitioned()
    long_ago, running = played(short(ada, "pisti")), move(opened(ada))
    old = parts()[0].name
    with time_machine.travel(month_after(timezone.now(), 2) + timedelta(days=1)):
        this_month = played(short(ada, "shithead"))
        duties.work("partitions")
        assert [part.name for part in parts()][:2] == [old, where(this_month)[0]]
        assert len(parts()) == 6  # of the past, of now, three to come, the rest
        folding.fold(long_ago.id)
        duties.work("partitions")
        assert parts()[0].name == old  # a match is played there
        running = played(running)
        folding.fold(running.id)
        with moves_meanwhile(ada):
            drop(old)
        # Its matches are read, unfolded and folded as ever.
        assert list(verification.faults(now(long_ago))) == []
        assert folding.unfold(long_ago.id)
        assert where(long_ago) == [partitions.REST]
        assert list(verification.faults(now(long_ago))) == []
        loaded = loading.load(match_id=running.id, user=ada, version=3, cards="same")
        move(loaded)
        whole()
        assert folding.fold(long_ago.id)
        assert where(long_ago) == []


def test_a_reader_with_an_old_snapshot_keeps_what_it_sees(ada):
    partitioned()
    match = played(short(ada, "pisti"))
    count = Ply.objects.count()
    old = parts()[0].name
    with time_machine.travel(month_after(timezone.now(), 2) + timedelta(days=1)):
        with psycopg.connect(address()) as reader:
            reader.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            reader.execute("SELECT")
            folding.fold(match.id)
            duties.work("partitions")
            assert reader.execute("SELECT count(*) FROM games_ply").fetchone() == (count,)
        assert parts()[0].name == old
        drop(old)


def test_a_duty_that_was_late_for_months_refused_no_move(ada):
    partitioned()
    for months in (5, 12):
        with time_machine.travel(month_after(timezone.now(), months) + timedelta(days=1)):
            match = move(opened(ada))
            assert where(match) == [partitions.REST]
            duties.work("partitions")
            made = [part.name for part in parts()]
            match = move(match)
            assert where(match) == [partitions.REST]
            later = month_after(timezone.now(), 1)
            assert f"games_ply_{later:%Y_%m}" in made
            assert f"games_ply_{timezone.now():%Y_%m}" not in made
    whole()


def test_two_beats_at_once_make_it_once(ada):
    partitioned()
    match = played(short(ada, "pisti"))
    with time_machine.travel(month_after(timezone.now(), 2) + timedelta(days=1), tick=True):
        folding.fold(match.id)
        old = parts()[0].name
        assert at_once(partitions.turn, partitions.turn) == [None, None]
        drop(old)
        names = [part.name for part in parts()]
    assert len(names) == len(set(names)) == 5


def test_what_is_not_as_it_was_made_is_refused(ada, monkeypatch):
    execute("CREATE VIEW counted AS SELECT count(*) FROM games_ply")
    with pytest.raises(CommandError, match="rule _RETURN on view counted"):
        partitioned()
    execute("DROP VIEW counted")
    execute("SET ROLE pg_monitor")
    with pytest.raises(CommandError, match="run the command as that role"):
        partitioned()
    execute("RESET ROLE")
    with time_machine.travel(datetime.now(UTC) + timedelta(days=90)):
        opened(ada)
    with pytest.raises(CommandError, match="a clock was wrong"):
        partitioned()
    Match.objects.all().delete()
    monkeypatch.setattr(partitions, "LONG_PAUSES", (0,))
    with psycopg.connect(address()) as reader:
        reader.execute("SELECT FROM games_ply")
        with pytest.raises(CommandError, match="perhaps a backup"):
            partitioned()
    assert not partitions.is_partitioned()
    move(opened(ada))
