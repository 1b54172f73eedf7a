"""A backup taken while moves are played, restored elsewhere, every match verified."""

import os
import subprocess
import sys
from pathlib import Path
from threading import Event, Thread
from urllib.parse import quote

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection, connections

from games.matches.models import Match
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


def test_what_is_no_backup_is_refused_by_name(tmp_path):
    with pytest.raises(CommandError, match="no file"):
        call_command("restore", str(tmp_path / "none.dump"))
    (tmp_path / "other.dump").write_text("not a dump")
    with pytest.raises(CommandError, match="pg_restore"):
        call_command("restore", str(tmp_path / "other.dump"))
