"""The MCP server against the service, played by the client of the official SDK (`make mcp`)."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from accounts import services
from games.coaching import analyses
from games.web.app import CLIENTS_FOLDER
from tests.patience import PATIENCE, WAITING

pytestmark = WAITING
ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / "var/mcp/bin/python"  # where the SDK is installed
ASSISTANT = Path(__file__).with_name("assistant.py")


def an_assistant_plays_a_deal_and_has_it_explained(url, ada, tmp_path):
    key = services.issue_key(user=ada, scopes=["read", "play"]).secret
    for file in (ROOT / "examples/mcp/cardroom_mcp.py", CLIENTS_FOLDER / "cardroom.py"):
        shutil.copy(file, tmp_path)
    command = [PYTHON, ASSISTANT, url, key, tmp_path / "cardroom_mcp.py"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as assistant:
        while assistant.poll() is None:
            analyses.judge_for_a_while()  # as a worker would
        seen = json.loads(assistant.communicate(timeout=PATIENCE)[0])
    assert seen["tools"] == ["new_match", "list_moves", "play_move", "what_happened", "analyse"]
    assert "pisti" in seen["games"]
    assert "malformed_move: A move is the code of a card" in seen["refused"]
    assert seen["match"]["status"] == "finished"
    assert "match_over" in {event["type"] for event in seen["events"]}
    assert seen["record"]["match"] == seen["match"]["id"]
    assert seen["record"]["seed"]
    assert seen["analysis"]["status"] == "finished"
    assert seen["analysis"]["verdicts"]


if PYTHON.exists():
    test_an_assistant_plays = pytest.mark.sweep(an_assistant_plays_a_deal_and_has_it_explained)
