"""Watching without an account: the same as a signed-in spectator sees, within the same walls."""

import json
from datetime import timedelta

import pytest
import time_machine
from django.core.management import CommandError, call_command

from accounts import services
from cardroom.rules import catalog
from cardroom.rules import record as rules_record
from games.exports import exporting
from games.exports.models import RecordFile
from games.lobby import finding, seeking
from games.matches import joining
from tests.api.calls import get, move, new_match, post, read, refused
from tests.matches.scenes import opened, played
from tests.rules.short import short_options

READS = ("", "/events", "/saves", "/notices", "/rematch")


@pytest.fixture(params=["pisti", "shithead", "pyanitsa", "pazaak"])
def running(request, ada):
    match = opened(ada, "me, local Twin", request.param, visibility="public")
    return played(match, 4)


def test_nobody_learns_what_a_spectator_does_not(api, stranger, running):
    for path in READS:
        watched = get(api, f"matches/{running.id}{path}")
        assert watched.status_code == 200, path
        assert watched.json() == get(stranger, f"matches/{running.id}{path}").json(), path


def test_a_private_match_is_not_there(api, ada):
    match = opened(ada, visibility="private")
    for path in (*READS, "/record", "/stream"):
        refused(get(api, f"matches/{match.id}{path}"), "not_found")


def test_a_key_that_is_sent_has_to_be_right(holding, running):
    program = holding("0" * 64)
    for path in (*READS, "/stream"):
        refused(get(program, f"matches/{running.id}{path}"), "bad_key")


def test_acting_needs_somebody(api, running):
    for call in ("join", "leave", "resign", "rematch", "moves", "invite"):
        assert post(api, f"matches/{running.id}/{call}").status_code in (400, 401), call
    refused(post(api, "matches", {"game": "pisti", "seats": [{"kind": "me"}]}), "not_authenticated")
    refused(api.delete(f"/api/v1/matches/{running.id}/rematch"), "not_authenticated")


def test_a_line_says_by_what_rules_who_invited_and_how_many_watch(api, first, ada):
    new_match(first, "me, open", visibility="public", options={"target_score": 51})
    (told,) = get(api, "matches", {"joinable": "true"}).json()["results"]
    assert (told["options"]["target_score"], told["rated"], told["host"]) == (51, True, "Ada")
    assert told["watchers"] is None
    opened(ada, visibility="public")
    (told,) = get(api, "matches", {"status": "active"}).json()["results"]
    assert told["watchers"] == 0


def test_a_flood_is_stopped_by_address(api, running, rates):
    rates(anon="2/hour")
    path = f"matches/{running.id}"
    assert [get(api, path).status_code for _ in range(3)] == [200, 200, 429]


def test_the_record_of_a_match_that_is_over(api, ada):
    options = short_options(catalog.find("pisti"))
    match = played(opened(ada, options=options, visibility="public"))
    assert get(api, f"matches/{match.id}/record").json()["match"] == str(match.id)


class TestRematch:
    @pytest.fixture
    def over(self, first, second):
        match = new_match(first, "me, open", options={"target_score": 51})
        post(second, f"matches/{match['id']}/join")
        assert post(first, f"matches/{match['id']}/resign").status_code == 200
        return f"matches/{match['id']}/rematch"

    def test_no_twice_is_no_once(self, first, second, over):
        post(first, over)
        for _ in range(2):
            assert second.delete(f"/api/v1/{over}").status_code == 204
        told = get(first, over).json()
        assert (told["status"], told["declined"]) == ("aborted", [1])

    def test_as_text(self, first, second, over):
        assert get(first, over, Accept="text/plain").content == b"Nobody wants a rematch.\n"
        asked = post(first, over).json()
        told = get(second, over, Accept="text/plain").content.decode()
        assert told == (
            f"Rematch {asked['id']}: open\n"
            "  want it        Ada\n"
            "  not answered   Ben\n"
            "Series: Ada 0, Ben 1\n"
        )


def test_who_is_counted_is_not_named(db):
    somebody = services.open_guest()
    assert str(somebody.pk) not in finding.member(somebody.pk)
    assert finding.member("10.0.0.1") != finding.member("10.0.0.2")
    assert finding.member("10.0.0.1") == finding.member("10.0.0.1")


def test_nothing_is_known_without_valkey(settings, monkeypatch, running):
    settings.VALKEY_URL = "redis://127.0.0.1:1/0"
    monkeypatch.setattr(finding, "_not_before", 0.0)
    assert finding.watchers_of([running.id]) == {}
    assert finding.people_lately() is None
    monkeypatch.setattr(finding, "_not_before", 0.0)


# Records of many matches: lines that anybody can check, nobody else's private ones.


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


# Clocks, rounds taken back and players who do not come, as programs meet them.

TEXT = {"Accept": "text/plain"}
CLOCK = {"bank": 600, "increment": 5}


def pair(first, second, **more):
    match = new_match(first, "me, open", **more)
    return post(second, f"matches/{match['id']}/join").json()


class TestClocks:
    def test_one_without_increment(self, first):
        assert new_match(first, clock={"bank": 60})["clock"]["increment"] == 0

    @pytest.mark.parametrize(
        ("terms", "field"),
        [
            ({"clock": {"bank": 5}}, "clock"),
            ({"clock": CLOCK, "turn_seconds": 60}, "clock"),
            ({"clock": CLOCK, "on_timeout": "bot_move"}, "on_timeout"),
        ],
    )
    def test_what_is_no_clock(self, first, terms, field):
        seats = [{"kind": "me"}, {"kind": "open"}]
        answer = post(first, "matches", {"game": "pisti", "seats": seats, **terms})
        assert list(refused(answer, "bad_options")["fields"]) == [field]

    def test_as_text(self, first, second):
        match = pair(first, second, clock=CLOCK)
        text = get(first, f"matches/{match['id']}", **TEXT).content.decode()
        assert "10:00 left" in text

    def test_seeks_for_the_same_clock_meet(self, first, second, stranger):
        seek = post(first, "seeks", {"game": "pisti", "clock": CLOCK}).json()
        assert (seek["pace"], seek["clock"]) == ("clock", CLOCK)
        post(stranger, "seeks", {"game": "pisti", "clock": {"bank": 600}})
        seeking.pair_all()
        assert get(first, f"seeks/{seek['id']}").json()["status"] == "waiting"
        post(second, "seeks", {"game": "pisti", "clock": CLOCK})
        seeking.pair_all()
        found = get(first, f"seeks/{seek['id']}").json()
        assert get(first, f"matches/{found['match']}").json()["clock"]["bank"] == 600
        queues = get(first, "seeks").json()["queues"]
        assert {(one["pace"], one["clock"]["increment"]) for one in queues} == {
            ("clock", 5),
            ("clock", 0),
        }
        assert "Clock: 10:00 and 5 s a move" in get(first, "seeks", **TEXT).content.decode()
        refused(post(first, "seeks", {"game": "pisti", "clock": {"bank": 1}}), "bad_options")


@pytest.fixture
def match(ada, ben, first, second):
    """Unrated, Ben is to act at version 1."""
    match = joining.join(match_id=opened(ada, "me, open", rated=False).id, user=ben)
    return move(first, get(first, f"matches/{match.id}").json()).json()


def wants(client, match, **more):
    return post(client, f"matches/{match['id']}/take-back", {"version": match["version"]} | more)


def answers(client, match, *, accept):
    body = {"version": match["version"], "accept": accept}
    return post(client, f"matches/{match['id']}/take-back/answer", body)


class TestTakingBack:
    def test_the_tag_of_the_match_changes_with_it(self, first, second, match):
        tag = get(second, f"matches/{match['id']}")["ETag"]
        wants(first, match)
        assert get(second, f"matches/{match['id']}", If_None_Match=tag).status_code == 200

    def test_declined(self, first, second, match):
        wants(first, match)
        assert answers(second, match, accept=False).json()["take_back"]["status"] == "declined"
        refused(wants(first, match), "wanted_already")

    def test_over_with_a_move(self, first, second, match):
        wants(first, match)
        assert move(second, read(second, match)).json()["take_back"] is None

    def test_by_players_of_unrated_matches_with_others(self, first, second, stranger, match):
        refused(wants(stranger, match), "not_your_seat")
        refused(answers(stranger, match, accept=True), "not_your_seat")
        refused(wants(first, move(first, new_match(first)).json()), "nobody_to_ask")
        rated = read(first, pair(first, second))
        refused(wants(first, move(first, rated).json()), "match_is_rated")

    def test_as_text(self, first, second, match):
        wants(first, match)
        text = get(second, f"matches/{match['id']}", **TEXT).content.decode()
        assert "Ada asks to take round 1 back, at version 1." in text
        here = f"matches/{match['id']}/take-back/answer"
        told = post(second, here, {"version": 1, "accept": False}, **TEXT).content.decode()
        assert "that was declined" in told

    def test_whoever_may_watch_reads_no_more_than_that(self, first, stranger, match):
        wants(first, match)
        watched = get(stranger, f"matches/{match['id']}").json()
        assert watched["take_back"]["status"] == "waiting"
        assert (watched["view"]["seat"], watched["legal_moves"]) == (None, [])


class TestAbsence:
    def test_a_match_is_claimed_or_called_off(self, first, second):
        for end, reason in (("claim", "timeout"), ("call-off", "aborted")):
            match = pair(first, second)
            refused(post(second, f"matches/{match['id']}/{end}"), "not_absent")
            with time_machine.travel(timedelta(days=3, hours=1)):
                refused(post(first, f"matches/{match['id']}/{end}"), "not_absent")
                ended = post(second, f"matches/{match['id']}/{end}")
                assert ended.json()["outcome"]["reason"] == reason
                again = post(second, f"matches/{match['id']}/{end}")
                assert again.json()["outcome"] == ended.json()["outcome"]

    def test_not_against_a_clock(self, first, second):
        match = pair(first, second, turn_seconds=14 * 86400)
        with time_machine.travel(timedelta(days=4)):
            refused(post(second, f"matches/{match['id']}/claim"), "not_absent")
