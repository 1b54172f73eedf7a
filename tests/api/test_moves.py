"""`POST matches/<id>/moves`: the call that matters most."""

import pytest
from django.db import connection
from django.middleware.csrf import get_token
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from games.matches.models import Ply
from tests.api.calls import move, new_match, played, post, read, refused


@pytest.fixture
def match(first):
    return new_match(first)


class TestPlayed:
    def test_the_answer_is_the_match_after_the_move(self, first, match):
        answer = move(first, match)
        assert answer.status_code == 201
        after = answer.json()
        assert after["version"] == 1
        assert after == read(first, match, seat=0)

    def test_a_bots_answer_comes_later(self, first):
        after = move(first, new_match(first, "me, bot greedy")).json()
        assert (after["version"], after["to_act"]) == (1, [1])

    def test_the_last_move_opens_the_seal(self, first):
        match = played(first, new_match(first, preset="single"), 47)
        assert match["seed"] is None
        over = move(first, match).json()
        assert (over["status"], len(over["seed"])) == ("finished", 64)


class TestKeys:
    def test_the_same_key_gives_the_first_answer_again_byte_for_byte(self, first):
        match = new_match(first, turn_seconds=60)
        answer = move(first, match, key="a")
        assert move(first, match, key="a").content == answer.content
        played(first, read(first, match), 9)
        assert move(first, match, key="a").content == answer.content
        refused(move(first, match, "nonsense", key="a"), "key_reused")
        post(first, f"matches/{match['id']}/resign")
        assert move(first, match, key="a").content == answer.content
        assert Ply.objects.filter(match_id=match["id"], version=1).count() == 1

    @pytest.mark.parametrize("key", ["", "x" * 65])
    def test_1_to_64_characters(self, first, match, key):
        refused(move(first, match, key=key), "malformed")
        assert move(first, match, key="x" * 64).status_code == 201

    def test_a_stale_move_may_come_again_with_its_key(self, first, match):
        refused(move(first, match, key="a", version=3), "stale_version")
        assert move(first, match, key="a").status_code == 201


class TestRefused:
    def test_stale_with_the_match_as_it_stands(self, first, match):
        move(first, match)
        told = refused(move(first, match), "stale_version")
        assert told["version"] == 1
        assert told["match"] == read(first, match)

    def test_illegal_with_what_would_be_legal(self, first, match):
        held = {m["move"] for m in match["legal_moves"]}
        other = next(card for card in ("2C", "3C", "4C", "5C", "6C") if card not in held)
        told = refused(move(first, match, other), "illegal_move")
        assert told["reason"]
        assert told["legal_moves"] == match["legal_moves"]
        assert read(first, match) == match

    @pytest.mark.parametrize("text", ["", "7", "7h", "ZZ", "10H", "7H 8H", "♥", "x" * 400])
    def test_malformed(self, first, match, text):
        body = {"move": text, "version": 0}
        refused(post(first, f"matches/{match['id']}/moves", body), "malformed_move")
        assert read(first, match) == match

    def test_of_another_seat(self, first, second, stranger):
        match = new_match(first, "me, open")
        match = post(second, f"matches/{match['id']}/join").json()
        text = read(first, match)["legal_moves"][0]["move"]
        refused(move(second, match, text), "not_your_turn")
        refused(move(second, match, text, seat=1), "not_your_turn")
        refused(move(second, match, text, seat=0), "not_your_seat")
        refused(move(first, match, text, seat=1), "not_your_seat")
        refused(move(stranger, match, text), "not_your_seat")
        assert read(second, match) == match

    def test_where_nothing_is_played(self, first):
        waiting = new_match(first, "me, open")
        refused(move(first, waiting, "7H"), "match_not_active")
        over = new_match(first)
        post(first, f"matches/{over['id']}/resign")
        refused(move(first, over, version=1), "match_not_active")

    @pytest.mark.parametrize("version", [-1, 2**31, 2**70, "0", 0.5, None, True, [], {}])
    def test_a_version_is_a_whole_number(self, first, match, version):
        refused(move(first, match, version=version), "malformed")
        assert read(first, match) == match


class TestStatements:
    """Sign-in included: one SELECT and one statement that writes it all."""

    @pytest.fixture
    def counted(self):
        def count(call, *said, **more):
            with CaptureQueriesContext(
                connection,
            ) as seen:
                answer = call(*said, **more)
            assert answer.status_code == 201, answer.content
            return [query["sql"].split()[0] for query in seen.captured_queries]

        return count

    def test_a_move_takes_two(self, first, match, counted):
        assert counted(move, first, match) == ["SELECT", "WITH"]

    def test_with_a_key_of_idempotency_too(self, first, match, counted):
        assert counted(move, first, match, key="a") == ["SELECT", "WITH"]

    def test_also_the_one_that_turns_a_round(self, first, counted):
        match = played(first, new_match(first), 47)
        assert counted(move, first, match, key="a") == ["SELECT", "WITH"]
        assert read(first, match)["round"] == 2

    def test_also_the_last_one(self, first, counted):
        match = played(first, new_match(first, preset="single"), 47)
        loads = "WITH"  # what ends a match tells all of it, unless somebody has loaded from it
        assert counted(move, first, match) == ["SELECT", "WITH", loads]
        assert read(first, match)["status"] == "finished"

    @pytest.mark.parametrize("game", ["pazaak", "shithead", "pyanitsa"])
    def test_in_every_game(self, first, counted, game):
        assert counted(move, first, new_match(first, game=game)) == ["SELECT", "WITH"]


def test_a_browser_needs_its_csrf_token(ada, api, match):
    browser = APIClient(enforce_csrf_checks=True)
    browser.force_login(ada)
    refused(move(browser, match), "not_allowed")
    assert read(browser, match) == match
    token = get_token(browser.get("/api/v1/docs").wsgi_request)
    browser.cookies["csrftoken"] = token
    assert move(browser, match, csrf=token).status_code == 201
