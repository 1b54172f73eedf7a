"""A backup taken while moves are played, restored elsewhere, every match verified."""

import os
import re
import select
import socket
import socketserver
import stat
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Thread
from types import SimpleNamespace
from urllib.parse import quote

import psycopg
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import connection, connections
from django.urls import reverse
from django.utils import timezone
from psycopg.conninfo import conninfo_to_dict

from config import club
from config.environment import Environment
from config.host import backups, setup
from config.host.embedded.processes import ServiceError
from config.host.state_folder import CannotServe
from config.monitoring import diagnosis
from config.postgres.connections import behind_a_pooler
from config.settings.addresses import database as database_settings
from config.settings.limits import backups as backup_settings
from config.tasks import duties
from games.matches.models import Match, Ply
from games.operations import figures
from games.operations.models import Backup
from tests.admin.test_acts import staff
from tests.config.monitoring.test_watching import RULES
from tests.matches.scenes import move, opened, played, short
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parent.parent.parent
RESTORED = f"restored_{os.getpid()}"


# Three commands of one process: most of what each would take is its start.
RESTORED_VERIFIED_AND_RESTORED_AGAIN = """
import sys
import django
from django.core.management import call_command
django.setup()
call_command("restore", sys.argv[1])
call_command("verify_matches")
call_command("restore", sys.argv[1])
"""


@pytest.fixture
def elsewhere():
    """An empty database."""
    settings = connection.settings_dict
    server = psycopg.connect(
        host=settings["HOST"], user=settings["USER"], dbname="postgres", autocommit=True
    )
    server.execute(f"CREATE DATABASE {RESTORED}")
    yield f"postgres://{settings['USER']}@{quote(settings['HOST'], safe='')}/{RESTORED}"
    server.execute(f"DROP DATABASE {RESTORED} WITH (FORCE)")
    server.close()


def run(address: str, *words: str) -> "subprocess.CompletedProcess[str]":
    environment = os.environ | {
        "DATABASE_URL": address,
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    return subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.django_db(transaction=True)
def test_of_one_moment_under_load_and_back(ada, tmp_path, elsewhere, settings, monkeypatch):
    monkeypatch.setitem(settings.DATABASES["default"], "NAME", connection.settings_dict["NAME"])
    played(short(ada, "pazaak"))
    file, begun, enough = tmp_path / "cardroom.dump", Event(), Event()

    def load():
        match = opened(ada)
        while not enough.is_set() and match.status == "active":
            match = move(match)
            begun.set()
        connections.close_all()

    mover = Thread(target=load)
    mover.start()
    begun.wait(PATIENCE)
    call_command("backup", str(file))
    enough.set()
    mover.join()
    assert file.stat().st_mode & 0o077 == 0
    after = run(elsewhere, "-c", RESTORED_VERIFIED_AND_RESTORED_AGAIN, str(file))
    assert f"{Match.objects.count()} matches checked, 0 with faults" in after.stdout
    assert "is not empty" in after.stderr


def test_what_is_no_backup_is_refused_by_name(tmp_path, wanted):
    with pytest.raises(CommandError, match="There is no backup in"):
        call_command("restore")
    with pytest.raises(CommandError, match="no file"):
        call_command("restore", str(tmp_path / "none.dump"))
    (tmp_path / "other.dump").write_text("not a dump")
    with pytest.raises(CommandError, match="pg_restore"):
        call_command("restore", str(tmp_path / "other.dump"))


# Every night (issue 59, 7): tried, kept by rule, sealed, elsewhere too.


@pytest.fixture
def wanted(settings, tmp_path, monkeypatch):
    """Backups of this test's database go to a folder of its own."""
    monkeypatch.setattr(os, "nice", lambda _: None)  # the tests after it are as quick as before
    monkeypatch.setitem(settings.DATABASES["default"], "NAME", connection.settings_dict["NAME"])
    settings.BACKUPS = settings.BACKUPS | {"folder": tmp_path / "backups"}
    return settings.BACKUPS


@pytest.fixture
def elsewhere_too(wanted, tmp_path):
    """A store that three commands reach."""
    (tmp_path / "store").mkdir()
    place = f"{tmp_path}/store/{{name}}"
    wanted |= {
        "put": ["cp", "{path}", place],
        "get": ["cp", place, "{path}"],
        "drop": ["rm", place],
    }
    return tmp_path / "store"


@pytest.mark.django_db(transaction=True)
def test_of_the_night_is_tried_kept_and_shown(ada, wanted, elsewhere_too):
    wanted["keep"] = {"daily": 1, "weekly": 0, "monthly": 0}
    match = played(short(ada, "pazaak"))
    old = (
        wanted["folder"] / f"cardroom-{datetime.now(UTC) - timedelta(hours=1):%Y%m%dT%H%M%SZ}.dump"
    )
    wanted["folder"].mkdir()
    old.write_text("an earlier one")
    (elsewhere_too / old.name).write_text("an earlier one")
    tomorrow = timezone.now() + timedelta(days=1)
    assert "backup" in duties.due_since(tomorrow)
    call_command("job", "backup")
    row = Backup.objects.get()
    assert row.fault == ""
    (file,) = wanted["folder"].iterdir()
    assert (row.name, row.size, row.fault) == (file.name, file.stat().st_size, "")
    assert row.trial_seconds > 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [one.name for one in elsewhere_too.iterdir()] == [file.name]
    Backup.objects.update(at=tomorrow)
    assert "backup" not in duties.due_since(tomorrow)
    Backup.objects.update(at=timezone.now())
    viewer = staff("viewer")
    shown = viewer.get(reverse("admin:operations_backup_changelist")).content.decode()
    assert file.name in shown
    names = {one.name: one.value for one in figures.for_prometheus()}
    assert names["cardroom_backup_faulty"] == 0
    assert 0 <= names["cardroom_backup_age_seconds"] < 600

    # One that does not follow from its moves is found on the trial, and nothing older goes.
    Ply.objects.filter(match_id=match.id, version=2).update(move="nonsense")
    call_command("job", "backup")
    row = Backup.objects.first()
    assert row.fault == (
        "The trial failed: verify_matches says: CommandError: 1 of 1 matches do not follow from "
        "their moves."
    )
    assert len(list(wanted["folder"].iterdir())) == 2
    figures.cache.delete("operations:figures")
    found = {one.alert: one for one in diagnosis.findings()}
    assert found["BackupFails"].link.endswith("#backupfails")
    page = viewer.get(reverse("admin:health")).content.decode()
    assert "The last backup, its trial or its way elsewhere failed." in page


@pytest.mark.django_db(transaction=True)
def test_one_that_cannot_be_written_says_why_and_is_due_again(wanted, monkeypatch):
    monkeypatch.setattr(backups, "client_program", lambda _: Path("/nowhere/pg_dump"))
    call_command("job", "backup")
    call_command("job", "backup")
    row = Backup.objects.get()
    assert (row.name, row.fault) == (
        "",
        "/nowhere/pg_dump cannot be started: No such file or directory.",
    )
    assert list(wanted["folder"].iterdir()) == []
    assert "backup" in duties.due_since(timezone.now() + timedelta(days=1))


class Pooling(socketserver.BaseRequestHandler):
    """Passes a client on, but for the number of the server's process, as PgBouncer does."""

    def handle(self):
        with socket.socket(socket.AF_UNIX) as server:
            server.connect(self.server.behind)
            ends = {self.request: server, server: self.request}
            while True:
                for end in select.select(list(ends), [], [])[0]:
                    data = end.recv(2**16)
                    if not data:
                        return
                    if end is server:
                        data = re.sub(rb"K\0\0\0\x0c(.{4})", self._another, data, flags=re.DOTALL)
                    ends[end].sendall(data)

    @staticmethod
    def _another(key):
        return key[0][:5] + (int.from_bytes(key[1]) + 1).to_bytes(4)


@pytest.fixture
def pooler(settings):
    """The service knows its address alone."""
    usual = dict(connection.settings_dict)
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Pooling) as between:
        between.daemon_threads, between.block_on_close = True, False
        between.behind = f"{usual['HOST']}/.s.PGSQL.{usual['PORT'] or 5432}"
        Thread(target=between.serve_forever, daemon=True).start()
        connection.close()
        connection.close_pool()
        connection.settings_dict |= {"HOST": "127.0.0.1", "PORT": between.server_address[1]}
        yield {entry: usual[entry] for entry in ("HOST", "PORT")}
        connection.close()
        connection.close_pool()
        connection.settings_dict |= usual
        between.shutdown()


@pytest.mark.django_db(transaction=True)
def test_backups_and_migrations_go_past_a_pooler(pooler, settings):
    """Its next client would have the empty search path of pg_dump, and find no table."""
    for call in (backups.past_the_pooler, setup.make_tables):
        with pytest.raises((ServiceError, CannotServe), match="by DATABASE_DIRECT_URL"):
            call()
    settings.DIRECT_DATABASE = pooler
    assert backups.past_the_pooler()["HOST"] == pooler["HOST"]
    assert setup.make_tables() == "up to date"
    assert connection.settings_dict["HOST"] == pooler["HOST"]
    assert not behind_a_pooler()


@pytest.mark.django_db(transaction=True)
def test_the_trial_counts_rows_and_leaves_no_database(ada, wanted, tmp_path):
    short(ada, "pazaak")
    database, file = connection.settings_dict, tmp_path / "one.dump"
    rows = backups.dump_database(database, file)
    assert rows["games_match"] == 1
    tried = backups.try_dump(database, file, rows | {"games_ply": 999, "games_seat": 1})
    assert tried.fault == "The trial failed: other rows than were written: games_ply, games_seat."
    with connection.cursor() as cursor:
        name = f"{database['NAME']}_trial"
        cursor.execute("SELECT count(*) FROM pg_database WHERE datname = %s", [name])
        assert cursor.fetchone() == (0,)


def test_a_command_that_fails_is_said_and_nothing_older_goes(wanted, tmp_path):
    with pytest.raises(ServiceError, match="rm failed: rm: cannot remove"):
        backups.call(["rm", "{path}"], tmp_path / "none")
    with pytest.raises(ServiceError, match="no-such-program cannot be started"):
        backups.call(["no-such-program"], tmp_path / "none")
    says = """echo "Put 'https://me:s3cret@store/a?X-Signature=s3cret': refused" >&2; exit 1"""
    with pytest.raises(ServiceError) as refused:
        backups.call(["sh", "-c", says], tmp_path / "none")
    assert str(refused.value) == "sh failed: Put 'https://…store/a?…': refused"


def test_one_that_never_came_elsewhere_is_not_tried_again(wanted, elsewhere_too):
    wanted["keep"] = {"daily": 1, "weekly": 0, "monthly": 0}
    wanted["folder"].mkdir()
    for day in (1, 2, 3):
        (wanted["folder"] / f"cardroom-2026110{day}T034000Z.dump").touch()
    names, left = [], ["cardroom-20261103T034000Z.dump"]
    for _ in range(2):
        with pytest.raises(ServiceError, match="rm failed"):
            names.extend(backups.forget(wanted))
    assert names == ["cardroom-20261101T034000Z.dump", "cardroom-20261102T034000Z.dump"]
    assert list(backups.forget(wanted)) == []
    assert [file.name for file in wanted["folder"].iterdir()] == left


def test_what_a_killed_one_left_goes_and_of_two_one_waits(wanted):
    left = wanted["folder"] / ".working-left"
    left.mkdir(parents=True)
    (left / "cardroom-20261101T034000Z.dump").write_text("not sealed yet")
    ended = []
    with backups._working(wanted["folder"]) as place:
        assert list(wanted["folder"].iterdir()) == [place]

        def second():
            with backups._working(wanted["folder"]):
                ended.append(place.exists())

        other = Thread(target=second)
        other.start()
        other.join(0.2)
        assert not ended
    other.join(PATIENCE)
    assert ended == [False]


def test_all_that_an_address_says_reaches_the_programs(monkeypatch, settings, tmp_path):
    url = "postgres://cardroom@db1:5432,db2/club?sslmode=verify-full&sslrootcert=/ca.pem"
    database = database_settings(Environment(), url, threads=1) | {"PASSWORD": "s3cret"}
    found = {}
    monkeypatch.setattr(backups, "client_program", lambda _: Path("env"))
    monkeypatch.setattr(backups, "_output", lambda _, environment: found.update(environment))
    backups._run("env", database)
    names = ("PGHOST", "PGPORT", "PGDATABASE", "PGPASSWORD", "PGSSLMODE", "PGSSLROOTCERT")
    assert [found[name] for name in names] == [
        *("db1,db2", "5432,", "club", "s3cret", "verify-full", "/ca.pem")
    ]
    assert "PGOPTIONS" not in found
    told = conninfo_to_dict(backups._address(database))
    assert (told["sslrootcert"], told["target_session_attrs"]) == ("/ca.pem", "read-write")
    ran = SimpleNamespace(returncode=0)
    monkeypatch.setattr(subprocess, "run", lambda *_, env, **__: found.update(env) or ran)
    settings.DATABASE_URL = url
    backups._manage(database | {"NAME": "club_trial"}, "migrate")
    assert found["DATABASE_URL"] == url.replace("/club?", "/club_trial?")


def test_seven_days_four_weeks_six_months_are_kept():
    now = datetime(2026, 11, 29, 3, 40, tzinfo=UTC)
    nights = [now - timedelta(days=n) for n in range(400)]
    kept = sorted(backups.kept(nights, {"daily": 7, "weekly": 4, "monthly": 6}), reverse=True)
    assert kept[:7] == nights[:7]
    assert [f"{at:%m-%d}" for at in kept[7:]] == [
        *("11-22", "11-15", "11-08"),  # Sundays: the newest of their weeks
        *("10-31", "09-30", "08-31", "07-31", "06-30"),
    ]
    assert backups.kept(nights, {"daily": 0, "weekly": 1, "monthly": 0}) == {now}


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("BACKUP_KEEP", "7,4"),
        ("BACKUP_KEEP", "7,4,some"),
        ("BACKUP_KEEP", "0,0,0"),
        ("BACKUP_RECIPIENT", "AGE-SECRET-KEY-1PRIVATE"),
        ("BACKUP_PUT", "rclone copyto {} store:{name}"),
        ("BACKUP_PUT", "rclone copyto store"),
        ("BACKUP_GET", "rclone 'copyto {path}"),
        ("BACKUP_DROP", "rclone deletefile {path}"),
    ],
)
def test_a_wrong_setting_is_refused_by_name(monkeypatch, tmp_path, variable, value):
    monkeypatch.setenv(variable, value)
    with pytest.raises(ImproperlyConfigured, match=f"{variable}\\b.* is not ") as refused:
        backup_settings(Environment(), tmp_path)
    assert value not in str(refused.value) or variable == "BACKUP_KEEP"  # it may hold a password


@pytest.mark.django_db(transaction=True)
def test_restore_takes_the_newest_or_one_from_elsewhere_after_a_question(
    ada, wanted, elsewhere_too, monkeypatch
):
    short(ada, "pazaak")
    club.change(name="club.welcome", given="Before", by="ada")
    call_command("backup")
    (file,) = wanted["folder"].iterdir()
    short(ada, "pazaak")
    club.change(name="club.welcome", given="After", by="ada")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    name = connection.settings_dict["NAME"]
    answers = iter(["no", name, name])
    monkeypatch.setattr("builtins.input", lambda _: next(answers))
    with pytest.raises(CommandError, match="Nothing was changed"):
        call_command("restore")
    assert Match.objects.count() == 2
    connections.close_all()
    call_command("restore")
    assert Match.objects.count() == 1
    assert club.value("club.welcome") == "Before"
    file.unlink()
    short(ada, "pazaak")
    connections.close_all()
    call_command("restore", file.name)
    assert Match.objects.count() == 1
    assert list(wanted["folder"].iterdir()) == []


@pytest.mark.django_db(transaction=True)
def test_nothing_stays_unsealed_where_the_program_is_missing(wanted, monkeypatch):
    wanted["recipient"] = "age1other"
    monkeypatch.setattr(backups.shutil, "which", lambda _: None)
    with pytest.raises(CommandError, match="apt install age"):
        call_command("backup")
    assert list(wanted["folder"].iterdir()) == []


@pytest.mark.sweep  # needs the program age (Debian: age)
@pytest.mark.django_db(transaction=True)
def test_a_sealed_one_needs_the_private_key(ada, wanted, tmp_path):
    key = tmp_path / "age.key"
    made = subprocess.run(["age-keygen", "-o", key], capture_output=True, text=True, check=True)
    wanted["recipient"] = made.stderr.rpartition(" ")[2].strip()
    short(ada, "pazaak")
    call_command("backup", "--trial")
    (file,) = wanted["folder"].iterdir()
    assert file.read_bytes().startswith(b"age-encryption.org/v1")
    with pytest.raises(CommandError, match="--identity"):
        call_command("restore")
    Match.objects.all().delete()
    connections.close_all()
    call_command("restore", "--replace", "--identity", str(key))
    assert Match.objects.count() == 1
    assert list(wanted["folder"].iterdir()) == [file]


@pytest.mark.sweep
@pytest.mark.django_db(transaction=True)
def test_a_key_that_is_none_leaves_no_dump_behind(wanted):
    wanted["recipient"] = "age1nothing"
    with pytest.raises(CommandError, match="age failed"):
        call_command("backup")
    assert list(wanted["folder"].iterdir()) == []


# The faults in words (9)


@pytest.mark.django_db(transaction=True)
def test_every_alert_of_a_moment_is_told_in_words():
    here = {one.alert for one in diagnosis.SIGNS} | {
        alert for alert, _ in diagnosis._PARTS.values()
    }
    alerts = {rule["alert"]: rule["expr"] for rule in RULES}
    assert here | {"RowsFail"} <= alerts.keys()
    of_a_time = {name for name, expr in alerts.items() if "rate(" in expr or "increase(" in expr}
    assert alerts.keys() - of_a_time - here == {"CardroomIsDown", "RowsFail"}
    assert {
        sign.metric for sign in diagnosis.SIGNS if sign.metric not in alerts[sign.alert]
    } == set()
