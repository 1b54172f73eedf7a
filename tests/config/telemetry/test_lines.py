"""One line of the log for each request and task, joined by the id of the request."""

import base64
import json
import logging
import os
import re
import subprocess
import sys
from types import SimpleNamespace

import pytest
import redis
from celery import current_app
from structlog.stdlib import ProcessorFormatter

from accounts import services
from accounts.models import Key
from cardroom.rules import catalog
from config.api.scopes import SCOPES
from config.telemetry import logs, requests, work
from games.matches import bot_turns
from games.matches.announcements import MatchChanged, due_turn
from games.matches.models import Match
from games.matches.selectors.access import get_match
from games.matches.selectors.log import timeline
from tests.api.roads import Roads
from tests.matches.scenes import move, opened

SAID = {
    *("event", "level", "timestamp", "request_id", "ms"),
    *("method", "view", "status", "path", "user", "match", "version", "code"),
    *("task", "task_id", "state", "queue", "plies"),
}
CARD = re.compile(r"(?<![\w-])(?:[2-9TJQKA][CDHS]|X[12])(?![\w-])")


class Written(logging.Handler):
    """A collector of the lines of requests and tasks, and of all others at any level."""

    def __init__(self):
        super().__init__()
        self.said, self.others = [], []

    def emit(self, record):
        self.others.append(OTHERS.format(record))

    def put(self, line):
        self.said.append(json.loads(line))

    def of(self, event):
        return [one for one in self.said if one["event"] == event]


OTHERS = ProcessorFormatter(
    foreign_pre_chain=logs.SHARED,
    processors=[ProcessorFormatter.remove_processors_meta, *logs._renderers("json")],
)


@pytest.fixture
def written(monkeypatch):
    handler, root = Written(), logging.getLogger()
    monkeypatch.setattr(root, "level", logging.DEBUG)
    monkeypatch.setattr(work, "_wanted", True)
    monkeypatch.setattr(work, "_render", work._as_json)
    monkeypatch.setattr(work, "_put", handler.put)
    root.manager._clear_cache()
    root.addHandler(handler)
    yield handler
    root.removeHandler(handler)
    root.manager._clear_cache()


def test_a_page_is_one_line_without_its_path(written, client, db):
    client.get("/lobby?secret=1")
    (line,) = written.of("request")
    assert (line["view"], line["status"]) == ("lobby", 200)
    assert len(line["request_id"]) == 16
    assert line["ms"] > 0
    assert not {"path", "user", "match"} & line.keys()


def test_an_api_request_says_match_user_version_and_code(written, ada, first):
    match = opened(ada)
    here = f"/api/v1/matches/{match.id}"
    legal = match.rules.legal_moves(match.state, match.to_act[0])[0]
    first.post(f"{here}/moves", {"move": legal, "version": 0}, format="json")
    first.post(f"{here}/moves", {"move": "??", "version": 1}, format="json")
    made, refused = written.of("request")
    assert (made["user"], made["match"], made["version"]) == (str(ada.pk), str(match.id), 1)
    assert (refused["match"], refused["status"]) == (str(match.id), 400)
    assert refused["code"] == "malformed_move"
    assert made["request_id"] != refused["request_id"]


@pytest.mark.django_db(transaction=True)
def test_the_express_door_writes_the_same_line(written, ada):
    roads, match = Roads(), opened(ada)
    key = services.issue_key(user=ada, scopes=SCOPES).secret
    legal = match.rules.legal_moves(match.state, match.to_act[0])[0]
    call = "POST", f"matches/{match.id}/moves"
    try:
        assert roads.express(key, *call, {"move": legal, "version": 0}).status == 201
        assert roads.express(key, *call, {"move": legal, "version": 0}).status >= 400
    finally:
        roads.close()
    made, refused = written.of("request")
    assert (made["user"], made["match"], made["version"]) == (str(ada.pk), str(match.id), 1)
    assert made["view"] == refused["view"]
    assert refused["code"]


@pytest.mark.parametrize(("level", "lines_of"), [("INFO", 1), ("WARNING", 0)])
def test_the_level_says_whether_there_are_lines(level, lines_of):
    done = subprocess.run(
        [sys.executable, "-c", ONE_LINE],
        env={"PATH": os.environ["PATH"], "LEVEL": level},
        capture_output=True,
        text=True,
        check=True,
    )
    assert len(done.stderr.splitlines()) == lines_of
    assert all(
        "[info     ] request  method=GET view=lobby" in one for one in done.stderr.splitlines()
    )


ONE_LINE = """
import os
from config.telemetry import logs, work
logs.logging_config(os.environ["LEVEL"], "text")
work.write_request("GET", "lobby", 200, 0.0)
"""


def published(task, **about):
    """The headers of a message as they leave."""
    headers = {}
    requests.send_id(headers=headers, sender=task, **about)
    return headers


def ran(task, headers):
    """A worker's side of a task that does nothing."""
    request = SimpleNamespace(is_eager=False, headers=headers)
    one = SimpleNamespace(name=task, request=request)
    requests.begin_task(task=one)
    inner = published("next")
    requests.report_task(task=one, task_id="7", state="SUCCESS")
    return inner


def test_the_id_goes_from_the_request_to_its_task_and_to_what_that_sends(written):
    with work.working_for("a" * 16):
        headers = published("games.matches.tasks.drain")
    assert ran("games.matches.tasks.drain", headers) == headers
    (line,) = written.of("task")
    assert (line["request_id"], line["state"]) == ("a" * 16, "SUCCESS")
    assert work.request_id() == ""


def test_what_the_beat_sends_begins_with_an_id_of_its_own(written):
    headers = published("duty", routing_key="soon")
    (sent,) = written.of("sent")
    assert sent["request_id"] == headers[work.HEADER]
    ran("duty", headers)
    assert written.of("task")[0]["request_id"] == sent["request_id"]


def test_a_move_sends_its_bot_turn_under_its_own_id(ada, settings, monkeypatch):
    """Announcements of other tests may be sent meanwhile, and take the token of the task."""
    valkey, own = redis.Redis.from_url(settings.VALKEY_URL), "b" * 16
    ids = []
    monkeypatch.setattr(current_app, "send_task", lambda *_, **__: ids.append(work.request_id()))
    with work.working_for(own):
        after = move(opened(ada, "me, bot greedy"))
    for _ in range(50):
        valkey.flushdb()
        MatchChanged(after.id, after.version, due_turn(after), own).send(valkey)
        if own in ids:
            break
    assert own in ids


@pytest.mark.parametrize("game", [game.slug for game in catalog.GAMES])
def test_nothing_secret_is_in_the_log_of_a_running_match(written, ada, first, game):
    asked = {"game": game, "seats": [{"kind": "me"}, {"kind": "bot", "bot": "random"}]}
    here = "/api/v1/matches"
    opened = first.post(here, asked, format="json").json()
    match = get_match(opened["id"])
    for _ in range(12):
        with work.working_for("c" * 16):
            bot_turns.play_bot_turns(match_id=match.id, version=match.version)
        shown = first.get(f"{here}/{match.id}").json()
        legal = [each["move"] for each in shown["legal_moves"][:1]]
        for text in ["7H", "garbage", *legal]:
            said = {"move": text, "version": shown["version"]}
            first.post(f"{here}/{match.id}/moves", said, format="json")
        match = get_match(match.id)
        if match.status != "active":
            break
    assert written.of("bots")
    assert written.of("request")
    assert {name for line in written.said for name in line} <= SAID
    text = json.dumps(written.said) + "\n".join(written.others)
    assert str(match.id) in text
    assert [word for word in secrets(match) if word in text] == []
    assert CARD.findall(text) == []


def secrets(match):
    seed = bytes(Match.objects.get(id=match.id).seed)
    yield from (seed.hex(), base64.b64encode(seed).decode(), repr(seed), "legal_moves", '"hand"')
    yield from Key.objects.values_list("digest", flat=True)


def test_a_ply_leads_to_the_request_that_made_it(ada):
    with work.working_for("00ff" * 4):
        match = move(opened(ada))
    (row,) = timeline(match, 1, 1)
    assert row.request == "00ff" * 4
    assert work.as_text(work.as_number("f" * 16)) == "f" * 16


def test_ids_differ_also_of_processes_that_were_forked():
    """Many are drawn at once, and a child must not give those that its parent still has."""
    work.new_id()
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.write(writing, "".join(work.new_id() for _ in range(300)).encode())
        os._exit(0)
    os.waitpid(child, 0)
    told = os.read(reading, 300 * 16).decode()
    os.close(reading)
    os.close(writing)
    theirs = {told[at : at + 16] for at in range(0, len(told), 16)}
    ours = {work.new_id() for _ in range(300)}
    assert len(ours) == len(theirs) == 300
    assert not ours & theirs
