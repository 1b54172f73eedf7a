"""A page for each operation, the limits of each, and the feed of changes (issue 61, point 8)."""

import json
import re
import shutil
import subprocess
from xml.etree import ElementTree

import msgspec
import pytest

from config.api.document import operations
from config.settings.limits import Changeable
from games.api import docs
from tests.api.calls import get
from tests.api.test_examples import document
from tests.patience import PATIENCE

ATOM = "{http://www.w3.org/2005/Atom}"


def all_snippets():
    for path, method, operation in operations(document()):
        yield operation, docs.snippets("https://cards.example.org", path, method, operation)


def test_every_operation_has_a_page_with_its_call(client, db):
    for name in ("index", "create_match", "move", "account_stream", "records_verify", "deck"):
        if name not in docs.calls():
            continue
        answer = client.get(f"/api/v1/docs/{name}")
        assert answer.status_code == 200
        assert "<script" not in answer.content.decode()
    page = client.get("/api/v1/docs/move").content.decode()
    assert "http://testserver/api/v1/matches/$MATCH_ID/moves" in page
    assert f"<code>moves</code> {docs.rates()['moves']}" in page
    assert client.get("/api/v1/docs/nothing").status_code == 404


def test_the_calls_are_programs_and_no_address_holds_a_key(tmp_path):
    shell, scripts = [], []
    for operation, made in all_snippets():
        curl, python, javascript = made.values()
        compile(python, operation["operationId"], "exec")
        shell.append(curl)
        scripts.append(f"{{\n{javascript}\n}}")
        for line in (*curl.splitlines(), *javascript.splitlines()):
            assert not ("https://" in line and re.search(r"\bKEY\b", line)), line
    (tmp_path / "all.sh").write_text("\n".join(shell), "utf-8")
    (tmp_path / "all.mjs").write_text("\n".join(scripts), "utf-8")
    checks = [["bash", "-n", "all.sh"], ["node", "--check", "all.mjs"]]
    for words in filter(lambda words: shutil.which(words[0]), checks):
        done = subprocess.run(
            words, cwd=tmp_path, check=False, capture_output=True, text=True, timeout=PATIENCE
        )
        assert done.returncode == 0, done.stderr[-2000:]


def test_a_body_is_the_example_of_the_document():
    made = next(made for one, made in all_snippets() if one["operationId"] == "create_match")
    assert all("pisti" in text for text in made.values())
    sent = made["curl"].split("-d '")[1].rstrip("'")
    assert msgspec.json.decode(sent)["game"] == "pisti"


@pytest.mark.parametrize(
    ("name", "limits"),
    [
        ("move", ["moves"]),
        ("games", ["user", "anon"]),
        ("create_tournament", ["user"]),
        ("create_guest", ["user", "anon", "guests"]),
    ],
)
def test_the_document_names_the_limits_of_each_operation(name, limits):
    _, _, operation = docs.calls()[name]
    assert operation["x-rate-limits"] == limits


def test_the_index_has_the_numbers_as_they_are_set(api, db, monkeypatch):
    named = {one for _, _, each in operations(document()) for one in each["x-rate-limits"]}
    shown = get(api, "").json()["rates"]
    assert named <= set(shown)
    known = docs.api_settings.DEFAULT_THROTTLE_RATES
    monkeypatch.setattr(
        docs.api_settings, "DEFAULT_THROTTLE_RATES", Changeable({**known, "user": "7/min"})
    )
    assert get(api, "").json()["rates"]["user"] == "7/min"


def test_the_feed_has_every_change_once(client):
    answer = client.get("/api/v1/changes.atom")
    assert answer["Content-Type"].startswith("application/atom+xml")
    entries = ElementTree.fromstring(answer.content).findall(f"{ATOM}entry")
    changes = json.loads(docs.FILE.with_name("changes.json").read_text("utf-8"))
    assert len({one.find(f"{ATOM}id").text for one in entries}) == len(entries) == len(changes)
    assert any(one.find(f"{ATOM}title").text.startswith("Deprecated: ") for one in entries)
    days = [one["day"] for one in changes]
    assert days == sorted(days, reverse=True)
    assert 'type="application/atom+xml"' in client.get("/api/v1/docs/move").content.decode()
