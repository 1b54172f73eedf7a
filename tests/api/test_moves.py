"""`POST matches/<id>/moves`: the call that matters most."""

import inspect
from contextlib import suppress
from typing import get_type_hints

import msgspec
import pytest
from django.db import connection
from django.middleware.csrf import get_token
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from config.api.document import METHODS
from config.api.errors import Malformed
from config.api.json import shaped
from games.api.docs import FILE
from games.api.urls import RESOURCES
from games.matches.models import Match, Ply, Seat
from tests.api.calls import API, get, move, new_match, played, post, read, refused


@pytest.fixture
def match(first):
    return new_match(first)


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
    @pytest.mark.parametrize("text", ["", "7", "7h", "ZZ", "10H", "7H 8H", "♥", "x" * 400])
    def test_malformed(self, first, match, text):
        body = {"move": text, "version": 0}
        refused(post(first, f"matches/{match['id']}/moves", body), "malformed_move")
        assert read(first, match) == match

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


# Whatever is thrown at a call: its documented refusal, and nothing changes.

DEEP = b"[" * 60_000
WITH_BODY = [
    *("matches", "matches/{id}/join", "matches/{id}/leave", "matches/{id}/moves"),
    *("matches/{id}/resign", "matches/{id}/rematch", "matches/{id}/load"),
]
BODIES = [
    (b"", "malformed"),
    (b"{", "malformed"),
    (b"not json", "malformed"),
    (b"{}{}", "malformed"),
    (b"\xff\xfe", "malformed"),
    (b'{"move": "\\u0000"}', "malformed"),
    (b"\0", "malformed"),
    (DEEP, "malformed"),
    (b'{"a":' * 9000 + b"1" + b"}" * 9000, "malformed"),
    (b"1e999", "malformed"),
    (b"NaN", "malformed"),
    (b"[]", "malformed"),
    (b"null", "malformed"),
    (b'"x"', "malformed"),
    (b"7", "malformed"),
    (b'{"nobody_knows_me": 1}', "malformed"),
    (b" " * (64 * 1024 + 1), "body_too_large"),
    (b'{"move": "' + b"x" * 10**6 + b'"}', "body_too_large"),
]


def everything():
    """All there is of matches, to compare."""
    return [list(model.objects.order_by("pk").values()) for model in (Match, Seat, Ply)]


@pytest.mark.parametrize("path", WITH_BODY)
def test_bodies_that_are_none(first, match, path):
    before = everything()
    for body, code in BODIES:
        answer = first.post(
            API + path.format(id=match["id"]), body, content_type="application/json"
        )
        if not (body == b"" and path.rpartition("/")[2] in ("join", "leave", "resign", "rematch")):
            refused(answer, code)
    if path.endswith(("resign", "leave", "rematch", "join")):
        before = None  # an empty body is an empty object there
    assert before is None or everything() == before


@pytest.mark.parametrize("path", WITH_BODY)
def test_other_kinds_of_bodies(first, match, path):
    before = everything()
    for kind in ("text/plain", "application/xml", "application/x-www-form-urlencoded"):
        answer = first.post(API + path.format(id=match["id"]), b"a=b", content_type=kind)
        refused(answer, "unsupported_media_type")
    assert everything() == before


def bodies():
    """Each operation with a body of its own, and the body of its example."""
    examples = msgspec.json.decode(FILE.read_bytes())
    for resource in RESOURCES:
        for view in resource.api.views.values():
            for method in METHODS:
                call = inspect.unwrap(getattr(view, method, None) or len)
                body = get_type_hints(call).get("body") if call is not len else None
                if getattr(body, "__struct_fields__", ()):
                    sent = examples.get(call.__name__, {}).get("request") or {}
                    yield pytest.param(body, sent, id=call.__name__)


def fault(body, shape):
    with pytest.raises(Malformed) as error:
        shaped(body, shape)
    return error.value


@pytest.mark.parametrize(("shape", "sent"), [*bodies()])
def test_a_body_of_any_operation_names_what_is_wrong_with_it(shape, sent):
    assert "nobody_knows_me" in str(fault(sent | {"nobody_knows_me": 1}, shape))
    for other in (None, [], "x", 7, True):
        fault(other, shape)
    fields = {field.encode_name: field for field in msgspec.structs.fields(shape)}
    for name, field in fields.items():
        if field.required:
            assert name in str(fault({key: sent[key] for key in sent if key != name}, shape))
        wrong = object  # one of these is no value of it
        for value in (7, "x" * 9, {"nobody_knows_me": 1}, [{"nobody_knows_me": 1}]):
            with suppress(Malformed):
                shaped(sent | {name: value}, shape)
                continue
            wrong = value
        told = fault(sent | {name: wrong}, shape).extras["field"]
        assert told is None or told.startswith(name)


@pytest.mark.parametrize("text", ["\0", "a\0b"])
def test_nul_where_a_text_is_meant(first, match, text):
    before = everything()
    seats = [{"kind": "me"}, {"kind": "local", "name": text}]
    refused(post(first, "matches", {"game": "pisti", "seats": seats}), "malformed")
    refused(post(first, f"matches/{match['id']}/moves", {"move": text, "version": 0}), "malformed")
    refused(get(first, "matches", {"game": text}), "malformed")
    assert everything() == before


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("\U0001f0cf" * 50, "bad_seats"),
        ("\u202e", "bad_seats"),
        ("\U0001f0cf" * 100, "malformed"),
        ("x" * 5000, "malformed"),
    ],
)
def test_odd_names_of_local_players(first, name, code):
    seats = [{"kind": "me"}, {"kind": "local", "name": name}]
    refused(post(first, "matches", {"game": "pisti", "seats": seats}), code)


def test_a_local_player_of_half_a_character(first):  # which a client's encoder refuses to send
    body = b'{"game": "pisti", "seats": [{"kind": "me"}, {"kind": "local", "name": "\\ud800"}]}'
    answer = first.post(API + "matches", body, content_type="application/json")
    refused(answer, "malformed")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        *(("put", "matches"), ("delete", "matches"), ("patch", "matches/{id}")),
        *(("delete", "matches/{id}"), ("get", "matches/{id}/moves"), ("post", "games")),
        *(("get", "records/verify"), ("get", "matches/{id}/join"), ("post", "matches/{id}/saves")),
    ],
)
def test_methods_that_are_none(first, match, method, path):
    answer = getattr(first, method)(API + path.format(id=match["id"]))
    refused(answer, "method_not_allowed")
    assert answer["Allow"]


# Reading a match is what programs do most: the key is looked up in the SELECT that reads.


def test_it_takes_one_statement(first, match, django_assert_num_queries):
    with django_assert_num_queries(1):
        assert read(first, match)["your_seats"] == match["your_seats"]


def test_without_a_key_one_watches(api, match, django_assert_num_queries):
    with django_assert_num_queries(2):  # the match, and whose names are withheld from strangers
        assert read(api, match)["your_seats"] == []


def test_a_flood_is_stopped_by_key(first, second, match, rates):
    rates(user="2/hour", anon="1/hour")
    path = f"matches/{match['id']}"
    assert [get(first, path).status_code for _ in range(3)] == [200, 200, 429]
    assert get(second, path).status_code == 200
