"""JSON in: strict and bounded. JSON out: structs, dates, what is JSON already."""

from datetime import UTC, datetime
from io import BytesIO
from uuid import UUID

import msgspec
import pytest
from django.utils.translation import gettext_lazy

from config.api.errors import BodyTooLarge, Malformed
from config.api.json import BODY_LIMIT, MsgspecParser, MsgspecRenderer, decoded, shaped


class Seat(msgspec.Struct):
    bot: str


class Asked(msgspec.Struct, forbid_unknown_fields=True):
    version: int
    seats: list[Seat] = []


def told(body):
    with pytest.raises(Malformed) as refused:
        decoded(body)
    return str(refused.value)


def test_a_body_is_read():
    assert decoded(b'{"move": "7\xe2\x99\xa5", "version": 17}') == {"move": "7♥", "version": 17}


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b'"\xff"', "not UTF-8"),
        (b'{"a": 1', "not JSON"),
        (b"", "not JSON"),
        (b"{}{}", "not JSON"),
        (b"[" * 100_000, "too deeply"),
        (b'"\\u0000"', "U+0000"),
        (b'"\\\\\\u0000"', "U+0000"),
        (b"1e400", "out of range"),
    ],
)
def test_what_is_no_body_says_why(body, why):
    assert why in told(body)


def test_an_escaped_backslash_is_no_nul():
    assert decoded(b'"\\\\u0000"') == "\\u0000"


def test_a_body_has_64_kib():
    assert MsgspecParser().parse(BytesIO(b'"' + b"x" * (BODY_LIMIT - 2) + b'"'))
    with pytest.raises(BodyTooLarge, match="64 KiB"):
        MsgspecParser().parse(BytesIO(b'"' + b"x" * (BODY_LIMIT - 1) + b'"'))


@pytest.mark.parametrize(
    ("value", "field", "detail"),
    [
        ({"version": "17"}, "version", "version: Expected 'int', got 'str'."),
        ({"version": True}, "version", "version: Expected 'int', got 'bool'."),
        (
            {"version": 1, "seats": [{"bot": 3}]},
            "seats[0].bot",
            "seats[0].bot: Expected 'str', got 'int'.",
        ),
        ({}, None, "Object missing required field 'version'."),
        ({"version": 1, "x": 1}, None, "Object contains unknown field 'x'."),
        ("no", None, "Expected 'object', got 'str'."),
    ],
)
def test_a_wrong_shape_names_the_field_and_the_type(value, field, detail):
    with pytest.raises(Malformed) as refused:
        shaped(value, Asked)
    assert (str(refused.value), refused.value.extras["field"]) == (detail, field)


def test_a_query_has_its_numbers_as_text():
    assert shaped({"version": "17"}, Asked, strict=False) == Asked(17)


@pytest.mark.parametrize(
    ("value", "json"),
    [
        (Asked(1, [Seat("greedy")]), b'{"version":1,"seats":[{"bot":"greedy"}]}'),
        (b'{"ready": true}', b'{"ready": true}'),
        (None, b""),
        (datetime(2026, 1, 2, tzinfo=UTC), b'"2026-01-02T00:00:00Z"'),
        (UUID(int=7), b'"00000000-0000-0000-0000-000000000007"'),
        (gettext_lazy("Yes"), b'"Yes"'),
    ],
)
def test_an_answer_is_written(value, json):
    assert MsgspecRenderer().render(value) == json


def test_what_has_no_json_form_is_a_bug():
    with pytest.raises(TypeError, match="object has no JSON form"):
        MsgspecRenderer().render(object())
