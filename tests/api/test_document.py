"""The OpenAPI document: valid, complete, and true of what the calls answer."""

import copy
import gzip
import json
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from drf_spectacular import validation
from jsonschema_rs import Draft202012Validator
from rest_framework.settings import api_settings
from rest_framework.test import APIClient

import config.urls  # noqa: F401 - it imports every module that declares a refusal
from config.api.document import shortened
from config.api.scopes import SCOPES
from config.refusals import Refusal
from tests.api.calls import API, get
from tests.api.compatibility import Comparison
from tests.api.test_examples import document as examples_document
from tests.recorded import FIXTURES, RECORDING, agrees, laid_out


@pytest.fixture(scope="module")
def document():
    from rest_framework.test import APIClient

    return msgspec.json.decode(get(APIClient(), "schema").content)


def operations(document):
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if method in ("get", "post", "put", "patch", "delete"):
                yield f"{path.removeprefix(API)} {method}", operation


def test_it_is_openapi_3_1(document):
    assert document["openapi"].startswith("3.1")
    specification = Path(validation.__file__).parent / "openapi_3_1_schema.json"
    faults = Draft202012Validator(msgspec.json.decode(specification.read_bytes())).iter_errors(
        document
    )
    assert [f"{fault.instance_path} {fault.message}" for fault in faults] == []


def test_every_reference_leads_somewhere(document):
    text = msgspec.json.encode(document).decode()
    named = {part.split('"')[0] for part in text.split("#/components/schemas/")[1:]}
    assert named <= document["components"]["schemas"].keys()


def test_components_that_would_share_a_name_keep_their_own():
    kept = {name: name for name in ("Daily", "DailyLine", "RowLine", "Run", "RunJson")}
    names = shortened([*kept, "RowJson", "SeatJson", "KeyLine"])
    assert names == kept | {"RowJson": "Row", "SeatJson": "Seat", "KeyLine": "Key"}


def test_every_operation_has_a_name_of_its_own_and_says_what_it_does(document):
    names = [operation["operationId"] for _, operation in operations(document)]
    assert len(set(names)) == len(names)


def test_answers_name_their_headers(document):
    needed = {"401": "WWW-Authenticate", "429": "Retry-After", "503": "Retry-After"}
    for name, operation in operations(document):
        for status, answer in operation["responses"].items():
            assert status not in needed or needed[status] in answer["headers"], name
    found = document["paths"][API + "matches/{match_id}"]["get"]["responses"]
    assert "ETag" in found["200"]["headers"]
    assert "ETag" in found["304"]["headers"]


def test_a_move_needs_somebody_who_makes_it(document):
    move = document["paths"][API + "matches/{match_id}/moves"]["post"]
    assert move["security"] == [{"key": []}, {"oauth2": ["play"]}, {"cookieAuth": []}]
    assert move["x-required-scope"] == "play"
    assert "Idempotency-Key" in [parameter["name"] for parameter in move["parameters"]]


def test_what_a_call_needs_is_said_as_generators_read_it(document):
    """The scopes of OAuth are requirements; a key is a bearer, whose scopes no linter knows."""
    schemes = document["components"]["securitySchemes"]
    assert (schemes["key"]["type"], schemes["key"]["scheme"]) == ("http", "bearer")
    flow = schemes["oauth2"]["flows"]["authorizationCode"]
    assert set(flow["scopes"]) == set(SCOPES)
    for name, operation in operations(document):
        needed = [each["oauth2"] for each in operation["security"] if "oauth2" in each]
        assert needed in ([], [[]], [[operation.get("x-required-scope")]]), name
        refused = "Connected programs are refused." in operation["description"]
        assert bool(needed and needed[0]) == ("x-required-scope" in operation and not refused), name


def test_every_tag_is_declared_and_no_address_ends_with_a_slash(document):
    declared = [tag["name"] for tag in document["tags"]]
    calls = [operation for _, operation in operations(document)]
    calls += [item["post"] for item in document["webhooks"].values()]
    assert {tag for call in calls for tag in call["tags"]} == set(declared)
    assert len(declared) == len(set(declared))
    assert [path for path in document["paths"] if path.endswith("/")] == []


def test_links_lead_to_operations_with_their_parameters(document):
    known = {operation["operationId"]: operation for _, operation in operations(document)}
    linked = set()
    for operation in known.values():
        for answer in operation["responses"].values():
            for link in answer.get("links", {}).values():
                needed = known[link["operationId"]].get("parameters", ())
                paths = {p["name"] for p in needed if p["in"] == "path"}
                assert set(link["parameters"]) == paths
                linked.add((operation["operationId"], link["operationId"]))
    assert linked >= {("create_match", to) for to in ("move", "join", "load", "invite")}
    assert ("move", "move") in linked


def test_the_index_has_every_address_without_a_parameter(document, api, db):
    told = get(api, "").json()
    assert {each["href"] for each in told["resources"]} == {
        path for path in document["paths"] if "{" not in path
    }
    assert next(each for each in told["resources"] if each["href"] == f"{API}matches") == {
        "href": f"{API}matches",
        "calls": {"GET": "List matches", "POST": "Open a match"},
    }
    assert [
        get(api, told[page].removeprefix(API)).status_code for page in ("document", "page")
    ] == [
        200,
        200,
    ]


def test_an_address_with_a_character_that_nothing_holds_names_nothing(document, first, caplog):
    named = [(path, method) for path, item in document["paths"].items() for method in item]
    asked = [(path, method) for path, method in named if "{" in path]
    for path, method in asked:
        answer = getattr(first, method)(re.sub(r"{\w+}", "%00", path))
        assert (path, method, answer.status_code) == (path, method, 404)
    assert len(asked) > 90
    assert "A value reached the database" not in caplog.text


class TestDocsPage:
    def test_says_how_programs_get_on(self, api, db, settings):
        page = get(api, "docs").content.decode()
        for said in ("RateLimit-Remaining", "Last-Event-ID", "Idempotency-Key", "Sunset"):
            assert said in page
        assert api_settings.DEFAULT_THROTTLE_RATES["moves"] in page
        assert f"at most {settings.LIMITS['open_matches']} open" in page

    def test_loads_nothing_from_elsewhere(self, api, db):
        page = get(api, "docs").content.decode()
        assert not re.findall(r"(?:src|href)=.?https?:", page)
        assert "/static/" in page

    def test_has_no_script_and_no_style_that_our_policy_forbids(self, api, db):
        answer = get(api, "docs")
        page = answer.content.decode()
        assert "script-src 'self'" in answer["Content-Security-Policy"]
        assert "<style" not in page
        assert "style=" not in page
        assert all("src=" in tag.split(">")[0] for tag in page.split("<script")[1:])

    def test_brings_its_own_script(self, api, db):
        page = get(api, "docs").content.decode()
        source = [tag.split('src="')[1].split('"')[0] for tag in page.split("<script")[1:]]
        own = [src for src in source if src.startswith(API)]
        assert len(own) == 1
        answer = api.get(own[0])
        assert answer.status_code == 200
        assert "javascript" in answer["Content-Type"]
        assert "SwaggerUIBundle" in answer.content.decode()


# The codes that clients rely on, each with its status and title, are those of the fixture.


def test_every_code_has_its_status_and_title():
    told = {
        code: {"status": kind.status, "title": kind.title} for code, kind in Refusal.by_code.items()
    }
    agrees(FIXTURES / "problems.json", laid_out(dict(sorted(told.items()))) + "\n")


# The OpenAPI document keeps its paths, answers and fields; words may change.
#
# ``tests/fixtures/openapi.json`` is the whole document; ``RECORD=1`` writes it again where its
# outline has changed (tests/recorded).

FILE = FIXTURES / "openapi.json"
WORDS = ("description", "summary", "title")


def outline(document: dict[str, Any]) -> Iterator[str]:
    """One line for each parameter, body, answer and field, without words."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            call = f"{method.upper()} {path}"
            yield f"{call} {operation['operationId']} {_plain(operation.get('security'))}"
            for parameter in operation.get("parameters", ()):
                yield f"{call} {parameter['in']} {parameter['name']} {_plain(parameter)}"
            yield f"{call} body {_plain(operation.get('requestBody'))}"
            for status, answer in operation["responses"].items():
                yield f"{call} {status} {answer['description']} {_plain(answer)}"
    for name, schema in document["components"]["schemas"].items():
        fields = schema.get("properties", {})
        yield f"{name} {_plain({key: schema[key] for key in schema if key != 'properties'})}"
        for field, value in fields.items():
            yield f"{name}.{field} {_plain(value)}"


def _plain(value: Any) -> str:
    return msgspec.json.encode(_without_words(value), order="sorted").decode()


def _without_words(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            name: _without_words(one)
            for name, one in value.items()
            if not (name in WORDS and isinstance(one, str))
        }
    return [_without_words(one) for one in value] if isinstance(value, list) else value


def test_paths_and_fields_are_as_they_were(db):
    now = msgspec.json.decode(get(APIClient(), "schema").content)
    if RECORDING:
        FILE.write_text(laid_out(now) + "\n", encoding="utf-8")
    then = msgspec.json.decode(FILE.read_bytes())
    gone = sorted(set(outline(then)) - set(outline(now)))
    new = sorted(set(outline(now)) - set(outline(then)))
    if gone or new:
        told = [*(f"- {line}" for line in gone), *(f"+ {line}" for line in new)]
        pytest.fail("RECORD=1 writes it again\n" + "\n".join(told), pytrace=False)


# The API keeps what clients of version 1 rely on.
#
# ``tests/fixtures/openapi-v1.json`` is the document that they were written against, without
# words. It is never written again inside version 1; a correction before the release of 1.0 is
# made in it by hand: ``BASELINE=1 pytest tests/api/test_document.py``.

COMPATIBLE_FILE = FIXTURES / "openapi-v1.json"
COMPATIBLE_WORDS = {"description", "summary", "title", "example", "tags", "security", "headers"}


def without_words(value, name=""):
    if isinstance(value, list):
        return [without_words(each) for each in value]
    if not isinstance(value, dict):
        return value
    fields = name in ("properties", "schemas")  # their keys are names, not keywords
    return {
        key: without_words(each, key)
        for key, each in value.items()
        if fields or (key not in COMPATIBLE_WORDS and not key.startswith("x-"))
    }


def test_nothing_that_version_1_promised_is_gone():
    if os.environ.get("BASELINE"):
        told = {
            key: without_words(examples_document()[key], key) for key in ("paths", "components")
        }
        COMPATIBLE_FILE.write_text(laid_out(told) + "\n", encoding="utf-8")
    breaks = Comparison(json.loads(COMPATIBLE_FILE.read_bytes()), examples_document()).breaks()
    said = re.compile(r": (min|max)\w+ is \d+ now")  # that document left bounds unsaid
    assert [each for each in breaks if not said.search(each)] == []


# Nor is anything that the last release promised beyond it. ``openapi-released.json.gz`` is written
# when the next one has landed: ``git show RELEASE:tests/fixtures/openapi.json | gzip -9n``.


@pytest.fixture(scope="module")
def released():
    return json.loads(gzip.decompress((FIXTURES / "openapi-released.json.gz").read_bytes()))


# It named another component there; what is answered has not changed.
CORRECTED = (
    "GET /api/v1/users/{username}: 200.series[].",
    "POST /api/v1/tournaments: body.name: maxLength is 40",  # longer ones were always refused
)


def test_nothing_that_the_last_release_promised_is_gone(released):
    breaks = Comparison(released, examples_document()).breaks()
    assert [each for each in breaks if not each.startswith(CORRECTED)] == []


ADDED_TO = ("enum", "pattern", "format")  # a list may grow; chance is written as <id 1>


def without_bounds(value):
    if isinstance(value, list):
        return [without_bounds(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        key: without_bounds(each)
        for key, each in value.items()
        if not (key in ADDED_TO and isinstance(each, str | list))
    }


def test_recorded_answers_are_as_the_last_release_said(released):
    known = without_bounds(released)
    calls = [
        (re.compile(method.upper() + " " + re.sub(r"{\w+}", "[^/]+", path[len(API) :])), operation)
        for path, item in sorted(known["paths"].items(), key=lambda each: each[0].count("{"))
        for method, operation in item.items()
    ]

    @cache
    def validator(schema):
        return Draft202012Validator(json.loads(schema) | {"components": known["components"]})

    checked, faults = set(), []
    for file in sorted((FIXTURES / "api").glob("*.json")):
        for step in json.loads(file.read_bytes()):
            call = step["call"].partition("?")[0]
            operation = next((each for name, each in calls if name.fullmatch(call)), None)
            media = step["headers"].get("Content-Type", "").partition(";")[0]
            if operation is None or not media.endswith("json"):
                continue
            answer = operation["responses"].get(str(step["status"]), {})
            if schema := answer.get("content", {}).get(media, {}).get("schema"):
                checked.add(operation["operationId"])
                found = validator(json.dumps(schema)).iter_errors(step["answer"])
                faults += [f"{file.name}: {call}: {fault.message}" for fault in found]
    assert faults == []
    assert len(checked) > 120


PATHS = "/api/v1/matches", "/api/v1/matches/{match_id}/moves", "/api/v1/games"
CHANGES = {
    "a call gone": (lambda d: d["paths"].pop(PATHS[2]), "GET /api/v1/games: is gone"),
    "a field of an answer gone": (
        lambda d: d["components"]["schemas"]["Seat"]["properties"].pop("points"),
        "points is gone",
    ),
    "a field not always there": (
        lambda d: d["components"]["schemas"]["Seat"]["required"].remove("place"),
        "place is not always there any more",
    ),
    "a field of a request required": (
        lambda d: d["components"]["schemas"]["NewMove"]["required"].append("seat"),
        "seat is required now",
    ),
    "another type": (
        lambda d: d["components"]["schemas"]["NewMove"]["properties"]["version"].update(
            type="string"
        ),
        "integer is now string",
    ),
    "a value of a request gone": (
        lambda d: d["components"]["schemas"]["Visibility"]["enum"].remove("private"),
        "private not accepted any more",
    ),
    "a narrower bound": (
        lambda d: d["components"]["schemas"]["NewMove"]["properties"]["move"].update(maxLength=40),
        "maxLength is 40 now",
    ),
    "a parameter required": (
        lambda d: d["paths"][PATHS[0]]["get"]["parameters"][0].update(required=True),
        "is required now",
    ),
    "null where there was none": (
        lambda d: d["components"]["schemas"]["Seat"]["properties"].update(
            name={"anyOf": [{"type": "string"}, {"type": "null"}]}
        ),
        "null is answered now",
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_breaks_a_client_is_named(change):
    edit, told = CHANGES[change]
    changed = copy.deepcopy(examples_document())
    edit(changed)
    assert any(told in line for line in Comparison(examples_document(), changed).breaks())


def test_additions_break_nobody():
    changed = copy.deepcopy(examples_document())
    changed["paths"]["/api/v1/new"] = changed["paths"][PATHS[2]]
    changed["components"]["schemas"]["Seat"]["properties"]["rating"] = {"type": "integer"}
    changed["components"]["schemas"]["NewMove"]["properties"]["note"] = {"type": "string"}
    changed["components"]["schemas"]["ProblemCode"]["enum"].append("too_late")
    assert Comparison(examples_document(), changed).breaks() == []
