"""Whatever is thrown at a call: its documented refusal, and nothing changes."""

import inspect
from contextlib import suppress
from typing import get_type_hints

import msgspec
import pytest

from config.api.document import METHODS
from config.api.errors import Malformed
from config.api.json import shaped
from games.api.docs import FILE
from games.api.urls import RESOURCES
from games.matches.models import Match, Ply, Seat
from tests.api.calls import API, get, new_match, post, read, refused

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


@pytest.fixture
def match(first):
    return new_match(first)


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


def test_an_answer_is_json_whatever_is_asked_for(first, match):
    for accept in ("text/html", "application/xml", "image/png", "nonsense"):
        answer = get(first, f"matches/{match['id']}", Accept=accept)
        assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")
    assert read(first, match) == match
