"""Clocks, rounds taken back and players who do not come, as programs meet them."""

from datetime import datetime, timedelta

import pytest
import time_machine

from games.lobby import seeking
from games.matches import joining
from tests.api.calls import get, move, new_match, post, read, refused
from tests.matches.scenes import opened

TEXT = {"Accept": "text/plain"}
CLOCK = {"bank": 600, "increment": 5}


def pair(first, second, **more):
    match = new_match(first, "me, open", **more)
    return post(second, f"matches/{match['id']}/join").json()


class TestClocks:
    def test_a_match_with_one(self, first, second):
        match = pair(first, second, clock=CLOCK)
        ada, ben = match["clock"]["seats"]
        assert (match["clock"]["bank"], match["clock"]["increment"]) == (600, 5)
        first_move, empty = (
            datetime.fromisoformat(one) for one in (match["deadline_at"], ada["until"])
        )
        assert (ada["seconds"], empty - first_move) == (600.0, timedelta(minutes=9))
        assert match["first_move"] == {"seats": [0, 1], "until": match["deadline_at"]}
        assert ben == {"seconds": 600.0, "until": None}
        assert (match["turn_seconds"], match["on_timeout"]) == (None, "resign")
        after = move(first, read(first, match)).json()
        ada, ben = after["clock"]["seats"]
        assert 600 < ada["seconds"] <= 605
        assert ada["until"] is None
        assert ben["until"] > after["deadline_at"] == after["first_move"]["until"]

    def test_before_it_begins_it_has_the_terms(self, first):
        assert new_match(first, "me, open", clock=CLOCK)["clock"] == {**CLOCK, "seats": []}

    def test_without_one_there_is_none(self, first):
        assert new_match(first)["clock"] is None

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
    def test_asked_and_accepted(self, first, second, match):
        asked = wants(first, match).json()
        assert asked["take_back"] == {
            "seat": 0,
            "round": 1,
            "version": 1,
            "status": "waiting",
            "agreed": [],
        }
        assert read(second, match)["take_back"] == asked["take_back"]
        after = answers(second, match, accept=True).json()
        assert (after["version"], after["take_back"]["status"]) == (2, "accepted")
        events = get(first, f"matches/{match['id']}/events", {"after": 1}).json()["events"]
        assert events[0]["type"] == "rolled_back"

    def test_the_tag_of_the_match_changes_with_it(self, first, second, match):
        tag = get(second, f"matches/{match['id']}")["ETag"]
        wants(first, match)
        assert get(second, f"matches/{match['id']}", If_None_Match=tag).status_code == 200

    def test_declined(self, first, second, match):
        wants(first, match)
        assert answers(second, match, accept=False).json()["take_back"]["status"] == "declined"
        refused(wants(first, match), "wanted_already")

    def test_withdrawn(self, first, second, match):
        wants(first, match)
        here = f"matches/{match['id']}/take-back/withdraw"
        assert post(first, here, {"version": 1}).json()["take_back"]["status"] == "withdrawn"
        refused(answers(second, match, accept=True), "no_wish_to_take_back")

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
