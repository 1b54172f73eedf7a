"""A bot account from its first minute to the end of a match, over a service that is restarted."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from games.management.commands.bot import client
from tests.e2e.serving import new_folder
from tests.patience import PATIENCE, wait_until
from tests.served import Served

pytestmark = pytest.mark.browser  # make e2e runs it with the others of this folder

ROOT = Path(__file__).resolve().parents[2]
PASSWORD = "a long and quiet evening"


@pytest.fixture
def service():
    with new_folder() as folder, Served(folder / "state") as service:
        yield service


def registered(url, name):
    room = client().Cardroom(url, tries=60)
    room.key = room.register(name, PASSWORD)["token"]
    return room


def restarted(service):
    """As an operator does: everything ends, everything begins again, at the same address."""
    service.__exit__()
    service.__enter__()


def test_it_is_challenged_and_plays_on_after_a_restart(service):
    beside = service.state.parent
    url = f"http://127.0.0.1:{service.port}"
    ada, robo = registered(url, "Ada"), registered(url, "robo")
    (beside / "far_bots.py").write_text(
        "def first(view, events, rng):\n    return view.legal_moves[0]\n"
    )
    log = (beside / "bot.log").open("wb")
    words = ["bot", "far_bots:first", "--game", "pisti", "--url", url, "--key", robo.key]
    program = subprocess.Popen(
        [sys.executable, "manage.py", *words, "--owner", "Ada", "--at-once", "2"],
        cwd=ROOT,
        env={"PYTHONPATH": str(beside), "PATH": "/usr/bin:/bin"},
        stdout=log,
        stderr=subprocess.STDOUT,
    )
    try:
        wait_until(ada.my_bots, pause=0.1)
        assert ada.confirm_bot("robo")["name"] == "robo BOT"
        wait_until(lambda: ada.bots(online=True), pause=0.1)
        terms = {"username": "robo", "options": {"target_score": 21}, "seat": 0}
        challenge = ada.create_challenge("pisti", **terms)
        match = wait_until(lambda: begun(ada, challenge["id"]), pause=0.1)
        over, was_restarted = played(ada, match, lambda: restarted(service))
        assert over["status"] == "finished"
        assert was_restarted
        assert over["seats"][1]["name"] == "robo BOT"
        assert not over["seats"][1]["resigned"]
        assert ada.verify_record(ada.record(match["id"]))["valid"]
    finally:
        program.terminate()
        program.wait(timeout=PATIENCE)
        log.close()


def begun(room, match_id):
    match = room.match(match_id)
    return match if match["status"] == "active" else None


def played(room, match, restart):
    """To its end, with a restart after a few moves."""
    was_restarted = False
    end = time.monotonic() + PATIENCE
    while match["status"] == "active":
        assert time.monotonic() < end, match
        if match["version"] >= 6 and not was_restarted:
            restart()
            was_restarted = True
        if match["legal_moves"]:
            move = match["legal_moves"][0]["move"]
            room.move(match["id"], move, match["version"])
        else:
            time.sleep(0.02)
        match = room.match(match["id"])
    return match, was_restarted
