"""Records of many matches: lines that anybody can check, nobody else's private ones."""

import json

import pytest
from django.core.management import CommandError, call_command

from cardroom.rules import record as rules_record
from games.exports import exporting
from games.exports.models import RecordFile
from tests.api.calls import get, new_match, post, refused


def lines(client, **query):
    answer = get(client, "exports/matches", query)
    assert answer["Content-Type"] == "application/x-ndjson"
    return [json.loads(line) for line in b"".join(answer.streaming_content).splitlines()]


def finished(client, **how):
    match = new_match(client, **how)
    post(client, f"matches/{match['id']}/resign")
    return match["id"]


@pytest.fixture
def three(first):
    new_match(first, visibility="public")  # it runs
    return [
        finished(first, visibility="public"),
        finished(first, visibility="private"),
        finished(first, visibility="public", game="pazaak"),
    ]


def test_own_and_public_matches_that_are_over(first, stranger, api, three):
    found = lines(first, mine="true")
    assert [record["match"] for record in found] == three
    assert all(rules_record.verify(record) is None for record in found)
    assert [record["match"] for record in lines(stranger)] == [three[0], three[2]]
    assert lines(stranger, mine="true") == []
    refused(get(api, "exports/matches"), "not_authenticated")


def test_by_game_time_and_page(first, three):
    assert [record["match"] for record in lines(first, game="pazaak")] == three[2:]
    assert [record["match"] for record in lines(first, limit=1, after=three[0])] == three[1:2]
    assert lines(first, since="2999-01-01T00:00:00Z") == []
    refused(get(first, "exports/matches", {"since": "yesterday"}), "malformed")


def test_a_file_with_its_checksum_is_checked_elsewhere(three, tmp_path, capsys):
    file = tmp_path / "records.jsonl"
    call_command("export_records", str(file))
    call_command("verify_records", str(file))
    assert "2 records checked, 0 with faults." in capsys.readouterr().out
    file.write_bytes(file.read_bytes().replace(b'"resigned"', b'"aborted"', 1))
    with pytest.raises(CommandError, match="checksum"):
        call_command("verify_records", str(file))
    (tmp_path / "records.jsonl.sha256").unlink()
    with pytest.raises(CommandError, match="1 of 2 records"):
        call_command("verify_records", str(file))


def test_the_stream_and_the_file_are_the_same_lines(first, three):
    asked = post(first, "exports").json()["id"]
    exporting.write_export(asked)
    file = b"".join(get(first, f"exports/{asked}/file").streaming_content)
    stream = get(first, "exports/matches", {"mine": "true"})
    assert b"".join(stream.streaming_content) == file
    assert len(file.splitlines()) == len(three)
    assert [match.id for match in exporting.matches_of(RecordFile.objects.get(id=asked))] == []
