"""The checks before a commit, by hand and in CI are the same; nothing else is committed."""

import re
import subprocess
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent


def of_make_check():
    target = re.search(r"^check:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(), re.MULTILINE)
    commands = target[1].replace("$(VENV)", ".venv").replace("$(PY)", ".venv/bin/python")
    return [command.strip() for command in commands.splitlines()]


def test_pre_commit_runs_what_make_check_runs():
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())
    hooks = [hook for repo in config["repos"] for hook in repo["hooks"]]
    assert [hook["entry"] for hook in hooks] == of_make_check()
    assert {repo["repo"] for repo in config["repos"]} == {"local"}


def test_every_target_of_make_says_what_it_is_for():
    makefile = (ROOT / "Makefile").read_text()
    targets = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)[1].split()
    told = re.findall(r"^([a-z0-9-]+):.*#[#:] ", makefile, re.MULTILINE)
    assert targets == told


def test_the_guides_name_what_exists():
    guides = "".join((ROOT / name).read_text() for name in ("README.md", "CONTRIBUTING.md"))
    makefile = (ROOT / "Makefile").read_text()
    for target in set(re.findall(r"`make ([a-z0-9]+)", guides)):
        assert f"\n{target}: " in makefile, target
    known = ("accounts", "config", "decks", "docker", "games", "tests")
    for path in set(re.findall(r"[`(]([\w./-]+)[`)]", guides)):
        if path.partition("/")[0] in known and "/locale" not in path:
            assert (ROOT / path).exists() or path.startswith("tests/fixtures"), path


WRITTEN = ("*.db", "*.sqlite3", "*.log", "*.pid", "*.pyc", "*.rdb", "*.aof", "var/*", ".env")


def test_nothing_that_the_product_writes_is_committed():
    """Counters, logs and states belong to a machine."""
    if not (ROOT / ".git").exists():  # an image, an archive of the sources
        assert not list(ROOT.glob("*.db"))
        return
    command = ["git", "-C", str(ROOT), "ls-files", "--", *WRITTEN]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert listed == ""
