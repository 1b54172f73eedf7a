"""The OpenAPI document says what every call may answer."""

import msgspec
import pytest
from rest_framework.test import APIClient

from config.api.errors import MEDIA_TYPE

ACCOUNTS = "/api/v1/accounts/"


@pytest.fixture(scope="module")
def document():
    return msgspec.json.decode(APIClient().get("/api/v1/schema").content)


def answers(document, call, method):
    return document["paths"][ACCOUNTS + call][method]["responses"]


@pytest.mark.parametrize(
    ("call", "method", "statuses"),
    [
        ("guest", "post", {201, 400, 403, 409, 413, 415, 429, 503}),
        ("register", "post", {201, 400, 401, 403, 409, 413, 415, 422, 429, 503}),
        ("token", "post", {201, 400, 401, 403, 409, 413, 415, 429, 503}),
        ("tokens", "get", {200, 400, 401, 403, 429, 503}),
        ("tokens/{key_id}", "delete", {204, 401, 403, 404, 429, 503}),
        ("me", "get", {200, 401, 403, 429, 503}),
        ("me", "patch", {200, 400, 401, 403, 413, 415, 422, 429, 503}),
    ],
)
def test_every_answer_is_documented(document, call, method, statuses):
    assert {int(status) for status in answers(document, call, method)} == statuses


def test_every_refusal_is_a_problem(document):
    for path in document["paths"].values():
        for operation in path.values():
            for status, answer in operation.get("responses", {}).items():
                if status >= "400":
                    assert list(answer["content"]) == [MEDIA_TYPE]
                    schema = answer["content"][MEDIA_TYPE]["schema"]
                    assert schema == {"$ref": "#/components/schemas/Problem"}


def test_codes_of_one_status_stand_together(document):
    conflict = answers(document, "register", "post")["409"]["description"]
    assert "`username_taken`" in conflict
    assert "`already_registered`" in conflict


def test_structs_are_components(document):
    components = document["components"]["schemas"]
    assert components["Account"]["properties"]["user"] == {"$ref": "#/components/schemas/Person"}
    every = {"type", "title", "status", "code", "detail", "request_id"}
    assert set(components["Problem"]["required"]) == every
    assert "display_name" in components["Person"]["properties"]


def test_a_key_is_the_way_in(document):
    assert document["components"]["securitySchemes"]["key"]["scheme"] == "bearer"
    assert document["openapi"].startswith("3.1")
