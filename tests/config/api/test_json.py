"""JSON in: strict and bounded. JSON out: structs, dates, what is JSON already."""

import re
from datetime import UTC, datetime
from io import BytesIO
from uuid import UUID

import msgspec
import pytest
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import DataError, IntegrityError, InterfaceError, OperationalError
from django.http import Http404
from django.test import RequestFactory
from django.utils.translation import gettext_lazy
from rest_framework import exceptions
from rest_framework.test import APIClient

from config.api.errors import (
    MEDIA_TYPE,
    BodyTooLarge,
    Malformed,
    ProblemResponse,
    no_such_call,
    problem_document,
    problem_for,
    problem_handler,
    server_failed,
    translates,
)
from config.api.json import BODY_LIMIT, MsgspecParser, MsgspecRenderer, decoded, shaped
from config.refusals import Refusal
from games.matches.refusals import SeatTaken


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


# Every refusal is a problem of RFC 9457; what nobody has foreseen stays a bug.


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (SeatTaken(), 409, "seat_taken"),
        (exceptions.ParseError("no"), 400, "malformed"),
        (exceptions.NotAuthenticated(), 401, "not_authenticated"),
        (exceptions.AuthenticationFailed("no"), 401, "bad_key"),
        (exceptions.PermissionDenied(), 403, "not_allowed"),
        (PermissionDenied(), 403, "not_allowed"),
        (exceptions.NotFound(), 404, "not_found"),
        (Http404(), 404, "not_found"),
        (exceptions.MethodNotAllowed("PUT"), 405, "method_not_allowed"),
        (exceptions.NotAcceptable(), 406, "not_acceptable"),
        (RequestDataTooBig(), 413, "body_too_large"),
        (exceptions.UnsupportedMediaType("image/png"), 415, "unsupported_media_type"),
        (exceptions.Throttled(wait=7.2), 429, "throttled"),
        (SuspiciousOperation(), 400, "malformed"),
        (DataError(), 400, "malformed"),
        (OperationalError("connection refused"), 503, "unavailable"),
        (InterfaceError("connection already closed"), 503, "unavailable"),
    ],
)
def test_a_cause_has_a_status_and_a_code(error, status, code):
    answer = problem_handler(error, {})
    told = msgspec.json.decode(answer.content)
    assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")
    assert (told["status"], told["code"]) == (status, code)
    assert told["type"] == f"urn:cardroom:problem:{code}"
    assert told["title"] == Refusal.by_code[code].title
    assert re.fullmatch(r"\S.*\.?", told["detail"])


@pytest.mark.parametrize("bug", [ValueError("x"), KeyError("x"), IntegrityError("x")])
def test_a_bug_is_not_dressed_up(bug):
    assert problem_handler(bug, {}) is None


def test_where_the_database_is_nobody_learns():
    error = OperationalError('connection to server at "10.0.0.7", user "cardroom" failed')
    assert b"10.0.0.7" not in problem_handler(error, {}).content


def test_who_comes_too_often_learns_when_to_come_again():
    assert problem_handler(exceptions.Throttled(wait=7.2), {})["Retry-After"] == "8"
    assert problem_handler(OperationalError(), {})["Retry-After"] == "2"


def test_extras_stand_beside_the_rest():
    refusal = SeatTaken(seat=1)
    assert problem_document(refusal, version=18).items() >= {"seat": 1, "version": 18}.items()


def test_an_app_adds_what_a_reader_needs():
    class LostSeat(SeatTaken):
        pass

    @translates(LostSeat)
    def _lost(refusal):
        return ProblemResponse(refusal, seats=[1, 2])

    answer = problem_for(LostSeat("Somebody was quicker."))
    told = msgspec.json.decode(answer.content)
    assert (told["code"], told["detail"]) == ("seat_taken", "Somebody was quicker.")
    assert told["seats"] == [1, 2]


def test_an_unknown_address_is_a_problem_too():
    request = RequestFactory().get("/api/v1/nowhere")
    assert no_such_call(request, rest="nowhere").status_code == 404


@pytest.mark.parametrize(
    ("path", "error", "status", "kind"),
    [
        ("/api/v1/games", ZeroDivisionError("secret"), 500, "application/problem+json"),
        ("/api/v1/games", OperationalError("secret"), 503, "application/problem+json"),
        ("/lobby", ZeroDivisionError("secret"), 500, "text/html; charset=utf-8"),
    ],
)
def test_an_accident_is_a_problem_below_the_api_and_a_page_elsewhere(path, error, status, kind):
    try:
        raise error
    except (ZeroDivisionError, OperationalError):
        answer = server_failed(RequestFactory().get(path))
    assert (answer.status_code, answer["Content-Type"]) == (status, kind)
    assert b"secret" not in answer.content


def test_a_database_that_goes_away_is_503_wherever_it_is_missed(client, monkeypatch):
    client.raise_request_exception = False

    def away(*_):
        raise OperationalError("connection refused")

    monkeypatch.setattr("accounts.signing_in.key_by_digest", away)
    answer = client.get("/api/v1/accounts/me", headers={"Authorization": "Token x"})
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    monkeypatch.setattr(SessionMiddleware, "process_request", away)
    answer = client.get("/api/v1/accounts/me")
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")


# The OpenAPI document says what every call may answer.


@pytest.fixture(scope="module")
def document():
    return msgspec.json.decode(APIClient().get("/api/v1/schema").content)


def test_every_refusal_is_a_problem(document):
    for path in document["paths"].values():
        for operation in path.values():
            for status, answer in operation.get("responses", {}).items():
                if status >= "400":
                    assert list(answer["content"]) == [MEDIA_TYPE]
                    schema = answer["content"][MEDIA_TYPE]["schema"]
                    assert schema == {"$ref": "#/components/schemas/Problem"}
