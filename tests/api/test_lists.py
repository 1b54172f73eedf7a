"""`GET matches`: who finds what, page by page."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.api.calls import get, new_match, post, refused

FIELDS = {
    *("id", "game", "status", "version", "round", "seats", "to_act", "your_seats", "visibility"),
    *("turn_seconds", "deadline_at", "created_at", "updated_at", "links"),
    *("options", "rated", "host", "watchers"),
}


def ids(client, **query):
    return [match["id"] for match in get(client, "matches", query).json()["results"]]


def test_newest_first_without_views_or_secrets(first):
    made = [new_match(first)["id"] for _ in range(3)]
    told = get(first, "matches").json()
    assert [match["id"] for match in told["results"]] == made[::-1]
    assert told["next"] is None
    assert {frozenset(match) for match in told["results"]} == {frozenset(FIELDS)}


def test_which_clock_a_match_has(first):
    clock = {"bank": 600, "increment": 5}
    timed, slow = new_match(first, clock=clock), new_match(first, turn_seconds=86400)
    listed = {row["id"]: row for row in get(first, "matches").json()["results"]}
    assert listed[timed["id"]]["clock"] == clock
    assert "clock" not in listed[slow["id"]]


class TestWhoFindsWhat:
    @pytest.fixture
    def made(self, first, second):
        """Ada's matches by what they are."""
        public, private = {"visibility": "public"}, {"visibility": "private"}
        made = {
            "public": new_match(first, **public),
            "unlisted": new_match(first),
            "private": new_match(first, **private),
            "open": new_match(first, "me, open", "pazaak", **public),
            "hidden": new_match(first, "me, open"),
            "invited": new_match(first, "me, user ben", **private),
        }
        return {name: match["id"] for name, match in made.items()}

    def found(self, made, client, **query):
        names = {match: name for name, match in made.items()}
        return {names[match] for match in ids(client, **query)}

    def test_the_own_the_public_and_invitations(self, made, first, second, stranger):
        assert self.found(made, first) == set(made)
        assert self.found(made, second) == {"public", "open", "invited"}
        assert self.found(made, stranger) == {"public", "open"}

    def test_mine(self, made, first, second, stranger):
        assert self.found(made, first, mine="true") == set(made)
        assert self.found(made, second, mine="true") == {"invited"}
        assert self.found(made, stranger, mine="true") == set()

    def test_joinable(self, made, second, stranger):
        assert self.found(made, second, joinable="true") == {"open", "invited"}
        assert self.found(made, stranger, joinable="true") == {"open"}
        post(second, f"matches/{made['open']}/join")
        assert self.found(made, stranger, joinable="true") == set()

    def test_by_game_and_status(self, made, first):
        assert self.found(made, first, game="pazaak") == {"open"}
        assert self.found(made, first, game="whist") == set()
        assert self.found(made, first, status="open") == {"open", "hidden", "invited"}
        assert self.found(made, first, status="open", game="pisti") == {"hidden", "invited"}
        assert self.found(made, first, status="finished") == set()


class TestPages:
    def test_cursors_lead_through_all_of_them(self, first):
        made = [new_match(first)["id"] for _ in range(7)][::-1]
        seen, path = [], "/api/v1/matches?limit=3&mine=true"
        while path:
            told = first.get(path).json()
            assert len(told["results"]) <= 3
            seen += [match["id"] for match in told["results"]]
            path = told["next"]
        assert seen == made

    def test_a_match_made_meanwhile_shifts_nothing(self, first):
        made = [new_match(first)["id"] for _ in range(4)][::-1]
        told = get(first, "matches", {"limit": 2}).json()
        new_match(first)
        assert [m["id"] for m in first.get(told["next"]).json()["results"]] == made[2:]

    @pytest.mark.parametrize(
        "query",
        [
            *({"limit": wrong} for wrong in ("0", "101", "-1", "x", "1.5", "")),
            *({"cursor": wrong} for wrong in ("x", "%00", "AAAA", "ä", "x" * 2000, "bm8")),
            *({"mine": "maybe"}, {"joinable": "2"}, {"status": "lost"}),
        ],
    )
    def test_malformed(self, first, query):
        refused(get(first, "matches", query), "malformed")

    def test_a_page_costs_the_same_however_long(self, first):
        counts = []
        for many in (1, 9):
            for _ in range(many):
                new_match(first)
            with CaptureQueriesContext(connection) as seen:
                get(first, "matches", {"limit": 100})
            counts.append(len(seen))
        assert counts[0] == counts[1] <= 4
