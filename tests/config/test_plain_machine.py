"""Ways to run it (issue 59, 9): the unit of systemd, one question before containers, upgrades."""

import os
import re
import shutil
import stat
import subprocess
import sys
import time

import pytest

from tests.config.compose import ROOT, SECRETS, as_written
from tests.patience import PATIENCE

UNIT = ROOT / "docker/cardroom.service"


@pytest.mark.sweep  # needs the program systemd-analyze (Debian: systemd)
def test_the_unit_is_hardened(tmp_path):
    unit = tmp_path / "cardroom.service"
    unit.write_text(UNIT.read_text().replace("@TREE@", "/srv/cardroom"))
    words = ["systemd-analyze", "security", "--offline=true", "--threshold=30", str(unit)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    level = re.search(r"Overall exposure level for cardroom\.service: (\S+)", done.stdout)
    assert float(level[1]) <= 3


def test_one_question_and_no_second_one(tmp_path):
    shutil.copy(ROOT / "docker/setup", tmp_path)
    run = [tmp_path / "setup"]
    first = subprocess.run(
        run, input="cards.example.org\n", capture_output=True, text=True, check=True
    )
    assert "Under which name" in first.stdout
    made = {file.name: file.read_bytes() for file in (tmp_path / "secrets").iterdir()}
    again = subprocess.run(
        run, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    )
    assert "Under which name" not in again.stdout
    assert {file.name: file.read_bytes() for file in (tmp_path / "secrets").iterdir()} == made
    assert (tmp_path / ".env").read_text() == "ALLOWED_HOSTS=cards.example.org\n"
    assert stat.S_IMODE((tmp_path / "secrets").stat().st_mode) == 0o700
    assert made.keys() == SECRETS.keys()
    assert {name for name, value in made.items() if value} == {
        *("secret_key", "database_password", "valkey_password")
    }


def test_what_writes_backups_keeps_them_outside():
    given = as_written()["long"]
    assert given["volumes"] == ["${BACKUPS_AT:-backups}:/backups"]
    assert set(given["secrets"]) >= {*as_written()["web"]["secrets"], "rclone_conf"}


# Upgrades: the script as it is, in a tree whose service and trial are stand-ins.

MANAGE = """#!/bin/sh
echo "$PWD $*" >> "$CARDROOM_STATE/tried"
cat .env > "$CARDROOM_STATE/settings"
test ! -e "$CARDROOM_STATE/fails"
"""
MAKEFILE = ".venv/.run:\n\t@mkdir -p .venv/bin && cp manage .venv/bin/python\n.PHONY: .venv/.run\n"
SERVICE = """
import pathlib, signal, sys, time
told = pathlib.Path(sys.argv[1])
signal.signal(signal.SIGUSR2, lambda *_: told.write_text("loaded"))
told.with_name("serve.lock").write_text(str(__import__("os").getpid()))
time.sleep(600)
"""


@pytest.fixture
def tree(tmp_path):
    """Two releases, of which the first is here, and a service that runs."""
    origin, here, state = (tmp_path / name for name in ("origin", "here", "state"))
    (origin / "docker").mkdir(parents=True)
    state.mkdir()
    shutil.copy(ROOT / "docker/upgrade", origin / "docker")
    (origin / "Makefile").write_text(MAKEFILE)
    (origin / "manage").write_text(MANAGE)
    (origin / "manage").chmod(0o755)
    (origin / ".gitignore").write_text(".venv\n.env\n.next/\n.previous\n")
    git(origin, "init", "--quiet")
    release(origin, "v1.0.0")
    git(tmp_path, "clone", "--quiet", str(origin), str(here))
    release(origin, "v1.1.0")
    (here / ".env").write_text("BACKUP_KEEP=7,4,6\n")
    process = subprocess.Popen([sys.executable, "-c", SERVICE, str(state / "told")])
    until = time.monotonic() + PATIENCE
    while not (state / "serve.lock").exists() and time.monotonic() < until:
        time.sleep(0.01)
    yield here, state
    process.kill()
    process.wait()


def git(folder, *words):
    named = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    done = subprocess.run(
        ["git", *named, *words], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def release(origin, name):
    (origin / "version").write_text(name)
    git(origin, "add", "--all")
    git(origin, "commit", "--quiet", "--message", name)
    git(origin, "tag", name)


def upgrade(here, state, *words):
    path = ":".join(one for one in os.environ["PATH"].split(":") if not one.endswith("/local/bin"))
    known = os.environ | {"CARDROOM_STATE": str(state), "PATH": path}
    return subprocess.run(
        [here / "docker/upgrade", *words], env=known, capture_output=True, text=True, check=False
    )


def test_an_upgrade_is_tried_before_it_is_taken_and_taken_back(tree):
    here, state = tree
    (state / "fails").touch()
    refused = upgrade(here, state)
    assert (refused.returncode, (here / "version").read_text()) == (1, "v1.0.0")
    assert "The trial failed. Nothing was changed" in refused.stderr
    assert not (state / "told").exists()
    (state / "fails").unlink()

    done = upgrade(here, state)
    assert done.returncode == 0, done.stderr
    assert "v1.1.0 is being loaded" in done.stdout
    assert (here / "version").read_text() == "v1.1.0"
    *_, tried = (state / "tried").read_text().splitlines()
    assert tried == f"{here}/.next manage.py backup --trial"
    assert (state / "settings").read_text() == (here / ".env").read_text()
    wait_for(state / "told")
    assert not (here / ".next").exists()
    assert "It is here already: v1.1.0" in upgrade(here, state).stdout

    back = upgrade(here, state, "back")
    assert back.returncode == 0, back.stderr
    assert (here / "version").read_text() == "v1.0.0"
    assert (state / "newer-schema").exists()
    assert upgrade(here, state).returncode == 0
    assert not (state / "newer-schema").exists()


def wait_for(file):
    until = time.monotonic() + PATIENCE
    while not file.exists() and time.monotonic() < until:
        time.sleep(0.01)
    assert file.read_text() == "loaded"


def test_without_a_service_nothing_is_upgraded(tree, tmp_path):
    here, _ = tree
    refused = upgrade(here, tmp_path / "nowhere")
    assert "No service runs in" in refused.stderr
    assert (here / "version").read_text() == "v1.0.0"
