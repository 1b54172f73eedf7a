"""Published bots play as they are written, strategies of the arena at a service elsewhere."""

import shutil
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command

from cardroom.rules import catalog
from games.api.docs import CLIENTS, EXAMPLE_URL, bots
from games.management.commands.bot import client, games_with
from tests.api.calls import API
from tests.patience import PATIENCE, WAITING, wait_until

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
            begun.wait(timeout=PATIENCE)
        log.append((match, number))
        return True

    with module._Thinking(2) as thinking:
        for number in (1, 2):
            for match in ("a", "b"):
                assert thinking.of(match, answer, match, number)
        for future in list(thinking._matches.values()):
            future.result(timeout=PATIENCE)
    assert {tuple(n for m, n in log if m == match) for match in "ab"} == {(1, 2)}


def test_what_concerns_every_match_is_raised():
    module = client()

    def refused():
        raise module.Problem({"code": "bad_key"}, 401)

    with module._Thinking(2) as thinking:
        thinking.of("a", refused)
        thinking._matches["a"].exception(timeout=PATIENCE)
        with pytest.raises(module.Problem):
            thinking.of("b", refused)


# A host who invites to anything in a loop, withdraws, calls off: no bot ends, and all play on.

cardroom = client()


def choose(match):
    if match["options"]["target_score"] == 77:
        raise ValueError("what is this?")
    if match["options"]["target_score"] == 78:
        return "no card at all"
    return match["legal_moves"][0]["move"]


class InThread:
    """A bot that must not end."""

    def __init__(self, play):
        self.error = None
        self._thread = threading.Thread(target=self._run, args=(play,), daemon=True)
        self._thread.start()

    def _run(self, play):
        try:
            play()
        except BaseException as error:  # noqa: BLE001 - the test says which
            self.error = error

    def has_ended(self):
        return self.error or not self._thread.is_alive()


def python_client(url, key, _folder):
    return InThread(lambda: cardroom.Cardroom(url, key).play_all(choose, ["pisti"]))


def management_command(url, key, _folder):
    return InThread(lambda: call_command("bot", "brittle:choose", url=url, key=key, game=["pisti"]))


class InNode:
    def __init__(self, url, key, folder):
        for file in (CLIENTS / "cardroom.js", Path(__file__).with_name("griefing.mjs")):
            shutil.copy(file, folder)
        (folder / "package.json").write_text('{"type": "module"}')
        command = ["node", "griefing.mjs", url, key]
        self._log = (folder / "log").open("w+")
        self._process = subprocess.Popen(command, cwd=folder, stderr=self._log)

    def has_ended(self):
        return self._process.poll() is not None and (self._log.seek(0), self._log.read())[1]

    def stop(self):
        self._process.kill()
        self._process.wait()
        self._log.close()


BOTS = [python_client, management_command] + ([InNode] if shutil.which("node") else [])


@pytest.fixture
def brittle(tmp_path, monkeypatch):
    """A strategy that does not know matches to 77 and 78 points."""
    (tmp_path / "brittle.py").write_text(
        "def choose(view, events, rng):\n"
        "    if view.options.target_score == 77:\n"
        "        raise ValueError('what is this?')\n"
        "    odd = view.options.target_score == 78\n"
        "    return 'no card at all' if odd else view.legal_moves[0]\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    sys.modules.pop("brittle", None)


# The one that everybody copies in `make test`, the others in `make sweeps`.
ONE_BOT = [BOTS[0], *(pytest.param(bot, marks=pytest.mark.sweep) for bot in BOTS[1:])]


@pytest.fixture(params=ONE_BOT, ids=lambda bot: bot.__name__)
def bot(request, url, tmp_path, brittle):
    account = cardroom.Cardroom.guest(url)
    account.name = account.me()["username"]
    account.running = request.param(url, account.key, tmp_path)
    yield account
    assert not account.running.has_ended(), account.running.has_ended()
    if hasattr(account.running, "stop"):
        account.running.stop()


def eventually(condition, bot):
    def once():
        assert not bot.running.has_ended(), bot.running.has_ended()
        return condition()

    return wait_until(once, pause=0.05)


def invited(host, bot, game="pisti", options=None, **more):
    """A new match with the bot, as soon as it has answered enough of the others."""

    def once():
        try:
            return host.create_match(game, ["me", f"user {bot.name}"], options, **more)
        except cardroom.Problem as problem:
            if problem.code == "no_more_invitations":
                return None
            raise

    return eventually(once, bot)


def test_no_invitation_ends_it(url, bot):
    host = cardroom.Cardroom.guest(url)
    for game in ("pazaak", "shithead", "pyanitsa", "pazaak"):
        match = invited(host, bot, game)
        seat = eventually(lambda m=match: declined(host.match(m["id"])), bot)
        assert (seat["declined"], seat["kind"]) == ("game", "open")
        host.invite(match["id"], 1, username=bot.name)  # again, to be declined again
        eventually(lambda m=match: declined(host.match(m["id"])), bot)
    invited(host, bot, preset="single", visibility="private", turn_seconds=10)
    for number in range(6):  # called off or withdrawn before, while or after it is answered
        match = invited(host, bot, "pisti" if number % 2 else "pazaak")
        try:
            if number % 3:
                host.leave(match["id"])
            else:
                host.invite(match["id"], 1, bot="random")
        except cardroom.Problem as problem:
            if problem.status != 409:
                raise
    for target in (77, 78):  # what the strategy fails at costs this match only
        match = invited(host, bot, options={"target_score": target})
        over = eventually(lambda m=match: finished(host, m["id"]), bot)
        assert (over["outcome"]["reason"], over["outcome"]["winners"]) == ("resigned", [0])
    match = invited(host, bot, options={"target_score": 1})
    assert host.play(match["id"], choose)["outcome"]["reason"] == "target"


def declined(match):
    return match["seats"][1] if match["seats"][1]["declined"] else None


def finished(host, match_id):
    """The match when it is over; the host plays until then."""
    match = host.match(match_id)
    if match["legal_moves"]:
        host.move(match_id, match["legal_moves"][0]["move"], match["version"])
    return match if match["status"] == "finished" else None


def test_a_strategy_of_ones_own_names_its_games(url):
    with pytest.raises(CommandError, match="--game"):
        call_command("bot", "brittle:choose", url=url)


def test_a_known_bot_plays_the_games_that_have_it():
    assert games_with("random") == [game.slug for game in catalog.GAMES]
    house = {game.slug for game in catalog.OF_THE_HOUSE}
    assert house.intersection(games_with("greedy")) == {"pisti"}
    assert house.intersection(games_with("counter")) == {"pisti"}
    assert games_with("module:function") == []
