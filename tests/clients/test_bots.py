"""Published bots play as they are written, strategies of the arena at a service elsewhere."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command

from games.api.document.docs import CLIENTS, EXAMPLE_URL, bots
from games.management.remote_play import client
from tests.api.calls import API
from tests.patience import PATIENCE

README = Path(__file__).resolve().parents[2] / "README.md"
PROGRAMS = {"py": sys.executable} | ({"js": "node"} if shutil.which("node") else {})


@pytest.mark.parametrize("kind", PROGRAMS)
def test_the_bot_of_thirty_lines_plays_a_match(url, tmp_path, kind):
    (tmp_path / f"cardroom.{kind}").write_bytes((CLIENTS / f"cardroom.{kind}").read_bytes())
    (tmp_path / "package.json").write_text('{"type": "module"}')
    program = tmp_path / f"bot.{kind}"
    program.write_text(bots()[f"bot_{kind}"].replace(EXAMPLE_URL, url), "utf-8")
    done = subprocess.run(
        [PROGRAMS[kind], str(program)],
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    assert "winners" in done.stdout.splitlines()[-1] + done.stdout


@pytest.mark.parametrize("kind", ["py", "js"])
def test_readme_and_docs_show_it(api, db, kind):
    text = bots()[f"bot_{kind}"]
    assert text in README.read_text("utf-8")
    assert len([line for line in text.splitlines() if line.strip()]) <= 30
    shown = api.get(API + "docs").content.decode()
    assert f"cardroom.{kind}" in shown
    assert "http://testserver" in shown


def test_a_strategy_of_the_arena_plays_elsewhere(url, tmp_path: Path, monkeypatch, capsys):
    (tmp_path / "far_bots.py").write_text(
        "def heard(view, events, rng):\n"
        "    assert events\n"
        "    return rng.choice(view.legal_moves)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    room = client().Cardroom.guest(url)
    match = room.create_match("pazaak", ["me", "bot random"], {"rounds_to_win": 1})
    asked = {"url": url, "key": room.key, "match": match["id"]}
    call_command("bot", "far_bots:heard", **asked)
    assert "finished" in capsys.readouterr().out
