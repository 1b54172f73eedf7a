"""Published bots play as they are written, strategies of the arena at a service elsewhere."""

import shutil
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.management import call_command

from games.api.docs import CLIENTS, EXAMPLE_URL, bots
from games.management.commands.bot import client
from tests.api.calls import API
from tests.patience import PATIENCE, WAITING

pytestmark = WAITING
PAGE = Path(__file__).resolve().parents[2] / "docs/bots.md"
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
def test_the_pages_show_it(api, db, kind):
    text = bots()[f"bot_{kind}"]
    assert text in PAGE.read_text("utf-8")
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


def test_a_program_is_busy_beyond_so_many_matches():
    tables = client()._Tables({"pisti"}, 2)
    reasons = [
        tables.reason_against({"game": game, "match": match})
        for game, match in (("pazaak", "1"), ("pisti", "2"), ("pisti", "3"), ("pisti", "4"))
    ]
    assert reasons == ["game", None, None, "busy"]
    tables.leave("2")
    assert tables.reason_against({"game": "pisti", "match": "4"}) is None


def test_a_lost_stream_is_opened_again_after_pauses_that_grow(monkeypatch):
    module, pauses = client(), []
    clock = SimpleNamespace(sleep=pauses.append)  # in this module only: other threads sleep too
    monkeypatch.setattr(module, "time", clock)
    monkeypatch.setattr(module.random, "uniform", lambda _least, most: most)
    room = module.Cardroom("http://127.0.0.1:9")
    for _ in range(8):
        assert list(room._lines("/stream", None, {})) == []
    assert pauses == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0]


def test_a_program_thinks_about_several_matches_at_once():
    """And about the turns of one match in their order."""
    module, begun, log = client(), threading.Barrier(2), []

    def answer(match, number):
        if number == 1:
            begun.wait(timeout=10)
        log.append((match, number))
        return True

    with module._Thinking(2) as thinking:
        for number in (1, 2):
            for match in ("a", "b"):
                assert thinking.of(match, answer, match, number)
        for future in list(thinking._matches.values()):
            future.result(timeout=10)
    assert {tuple(n for m, n in log if m == match) for match in "ab"} == {(1, 2)}


def test_what_concerns_every_match_is_raised():
    module = client()

    def refused():
        raise module.Problem({"code": "bad_key"}, 401)

    with module._Thinking(2) as thinking:
        thinking.of("a", refused)
        thinking._matches["a"].exception(timeout=10)
        with pytest.raises(module.Problem):
            thinking.of("b", refused)
