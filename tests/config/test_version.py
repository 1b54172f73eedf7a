"""One version, said once; the commit of an image, a checkout, a worktree, or of nothing."""

import re
import subprocess
import sys
import tomllib

import pytest

from config import version
from docs.building import ROOT


@pytest.fixture(autouse=True)
def nothing_remembered(monkeypatch):
    monkeypatch.delenv("CARDROOM_COMMIT", raising=False)
    forget()
    yield
    forget()


def forget():
    version.commit.cache_clear()
    version.written.cache_clear()


def test_the_project_has_this_version():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == version.VERSION
    assert f"version: {version.VERSION}\n" in (ROOT / "CITATION.cff").read_text("utf-8")


def test_an_image_names_its_commit(monkeypatch):
    monkeypatch.setenv("CARDROOM_COMMIT", "ac647756" + "0" * 32)
    assert version.written() == f"{version.VERSION} (ac647756)"


@pytest.mark.parametrize("named", ["", "<script>", "ac64"])
def test_what_is_no_commit_is_not_shown(monkeypatch, named):
    monkeypatch.setenv("CARDROOM_COMMIT", named)
    monkeypatch.setattr(version, "_checked_out", lambda _: "")
    assert version.healthy() == {"status": "up", "version": version.VERSION}


@pytest.mark.parametrize("packed", [False, True])
def test_a_checkout_is_read_from_its_files(tmp_path, packed):
    def git(*words):
        done = subprocess.run(
            ["git", "-C", tmp_path, "-c", "user.name=a", "-c", "user.email=a@b", *words],
            check=True, capture_output=True, text=True,
        )  # fmt: skip
        return done.stdout.strip()

    git("init", "-q")
    git("commit", "-q", "--allow-empty", "-m", "first")
    if packed:
        git("pack-refs", "--all")
    assert version._checked_out(tmp_path) == git("rev-parse", "HEAD")


def test_the_command_line_says_it_without_django():
    said = subprocess.run(
        [sys.executable, "-X", "importtime", "manage.py", "--version"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert re.fullmatch(
        rf"Cardroom {re.escape(version.VERSION)}( \([0-9a-f]{{8}}\))?\n", said.stdout
    )
    assert "django" not in said.stderr
