"""The client in Python against the service itself."""

import ast
import importlib.util
import json
import re
import shutil
import subprocess
import threading
from pathlib import Path
from queue import Queue

import pytest

from config.api.document import operations
from games.web.app import CLIENTS_FOLDER
from tests.api.test_examples import document
from tests.patience import PATIENCE, WAITING

pytestmark = WAITING
FILE = CLIENTS_FOLDER / "cardroom.py"


@pytest.fixture(scope="module")
def cardroom():
    found = importlib.util.spec_from_file_location("cardroom", FILE)
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def first_move(match):
    return match["legal_moves"][0]["move"]


def test_every_operation_is_a_method(cardroom):
    named = {operation["operationId"] for _, _, operation in operations(document())}
    assert named <= set(vars(cardroom.Cardroom))
    assert next(iter(document()["paths"])) == cardroom.API
    assert cardroom.__version__.split(".")[0] == document()["info"]["version"]


def test_it_reads_as_python_3_9():
    ast.parse(FILE.read_text("utf-8"), feature_version=(3, 9))


def test_a_whole_match_by_the_stream_and_its_record(cardroom, url):
    room = cardroom.Cardroom.guest(url)
    match = room.create_match("pazaak", ["me", "bot random"], {"rounds_to_win": 1})
    over = room.play(match["id"], first_move)
    assert over["status"] == "finished"
    assert [one["id"] for one in room.matches(mine=True, limit=1)] == [match["id"]]
    assert room.verify_record(room.record(match["id"])) == {"valid": True}
    assert [record["match"] for record in room.export_matches(mine=True)] == [match["id"]]
    kinds = {event["type"] for event in room.events(match["id"])["events"]}
    assert "match_started" in kinds
    with pytest.raises(cardroom.Problem) as refused:
        room.move(match["id"], "stand", 0)
    assert refused.value.code == "match_not_active"


def test_it_accepts_an_invitation_and_plays(cardroom, url):
    host, guest = cardroom.Cardroom.guest(url), cardroom.Cardroom.guest(url)
    name = guest.me()["username"]
    playing = threading.Thread(target=guest.play_all, args=(first_move,), daemon=True)
    playing.start()
    match = host.create_match("pazaak", ["me", f"user {name}"], {"rounds_to_win": 1})
    assert host.play(match["id"], first_move)["status"] == "finished"


def test_it_waits_for_a_match_to_begin(cardroom, url):
    host, guest, waits = cardroom.Cardroom.guest(url), cardroom.Cardroom.guest(url), Queue()
    match = host.create_match("pazaak", ["me", "open"], {"rounds_to_win": 1})

    def heard(*asked):
        for message in cardroom.Cardroom.stream(host, *asked):
            waits.put(message)
            yield message

    host.stream = heard
    playing = threading.Thread(target=host.play, args=(match["id"], first_move), daemon=True)
    playing.start()
    assert waits.get(timeout=PATIENCE)["match"]["status"] == "open"
    guest.join(match["id"])
    assert guest.play(match["id"], first_move)["status"] == "finished"
    playing.join(timeout=PATIENCE)
    assert not playing.is_alive()


def test_a_move_sent_again_is_played_once(cardroom, url):
    room = cardroom.Cardroom.guest(url)
    match = room.create_match("pisti", ["me", "local Twin"])
    move = first_move(match)
    answers = [room.move(match["id"], move, 0, key="one") for _ in range(2)]
    assert answers[0] == answers[1]
    assert room.match(match["id"])["version"] == 1


def takes_a_key(operation):
    return any(each["name"] == "Idempotency-Key" for each in operation.get("parameters", ()))


def test_whatever_makes_something_is_sent_with_a_key(cardroom):
    for _, _, operation in operations(document()):
        method = getattr(cardroom.Cardroom, operation["operationId"])
        assert ("_make" in method.__code__.co_names) == takes_a_key(operation), method


def test_what_is_sent_again_after_a_lost_answer_is_made_once(cardroom, url):
    class Losing(cardroom.Cardroom):
        def _open(self, method, path, *more):
            answer = super()._open(method, path, *more)
            if method == "POST" and path not in keys:
                answer.read()
                keys[path] = more[2]["Idempotency-Key"]
                raise ConnectionResetError
            return answer

    keys = {"/accounts/guest": None}  # which nobody has made yet
    room = Losing.guest(url)
    made = room.create_match("pisti", ["me", "bot random"])
    assert [match["id"] for match in room.matches(mine=True)] == [made["id"]]
    cards = [card["code"] for card in room.side_cards("kotor1")[:10]]
    deck = room.create_deck("Edge", cards)
    assert [each["id"] for each in room.decks()] == [deck["id"]]
    assert len({*keys.values()}) == 3


def test_it_is_served(client):
    answer = client.get("/clients/cardroom.py")
    assert answer["Content-Type"].startswith("text/x-python")
    assert b"".join(answer.streaming_content) == Path(FILE).read_bytes()
    assert client.get("/clients/passwd").status_code == 404


# The client in JavaScript against the service itself: every call, lost connections, streams.

JAVASCRIPT_FILE = CLIENTS_FOLDER / "cardroom.js"


METHOD = re.compile(r"^  (?:static )?(?:async )?\*?([a-z_]+)\(", re.MULTILINE)


def test_every_operation_is_a_method_in_javascript():
    named = {operation["operationId"] for _, _, operation in operations(document())}
    assert named <= set(METHOD.findall(JAVASCRIPT_FILE.read_text("utf-8")))
    version = re.search(r'VERSION = "(\d+)\.', JAVASCRIPT_FILE.read_text("utf-8"))
    assert version[1] == document()["info"]["version"]


def every_call_is_made(url, tmp_path: Path):
    for file in (JAVASCRIPT_FILE, Path(__file__).with_name("calls.mjs")):
        shutil.copy(file, tmp_path)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    command = ["node", "calls.mjs", url]
    done = subprocess.run(
        command, check=False, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    called = json.loads(done.stdout)
    for path, method, operation in operations(document()):
        key = " with a key" if takes_a_key(operation) else ""
        pattern = re.compile(f"{method.upper()} " + re.sub(r"{\w+}", "[^/]+", path) + f"{key}$")
        assert any(map(pattern.match, called)), operation["operationId"]


if shutil.which("node"):
    test_every_call_is_made = every_call_is_made
