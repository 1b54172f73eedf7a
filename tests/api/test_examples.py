"""Examples in the OpenAPI document come from recorded answers; recorded answers are as it says.

``RECORD=1`` writes ``games/api/examples.json`` again (tests/recorded).
"""

import json
import re
from functools import cache

import msgspec
import pytest
from drf_spectacular.generators import SchemaGenerator
from jsonschema_rs import Draft202012Validator

from config.api.document import operations
from games.api.docs import FILE
from tests.recorded import FIXTURES, agrees, laid_out

DAYS = {
    "yesterday": "2026-11-20",
    "today": "2026-11-21",
    "tomorrow": "2026-11-22",
    "monday": "2026-11-16",
    "next monday": "2026-11-23",
    "third monday": "2026-11-30",
}
# Values that the recorder took out, replaced by some value of their kind.
CHANCE = (
    (re.compile(r"<id (\d+)>"), lambda found: f"0193c5a0-4d2e-7000-8000-{int(found[1]):012d}"),
    (re.compile(r"<key \d+>"), lambda _: "3f9c1a" * 10 + "7e42"),
    (re.compile(r"<time>"), lambda _: "2026-11-21T10:00:00"),
    (re.compile(f"<({'|'.join(DAYS)})>"), lambda found: DAYS[found[1]]),
    (re.compile(r"<secret>"), lambda _: "whsec_" + "Y2FyZHJvb20h" * 4),
    (re.compile(r"<client>"), lambda _: "Zb4kQxT1rW8mYc2HdN5vLs9pUe3jGaFo"),
    (re.compile(r"<(program's|other) secret>"), lambda _: "s0meThing-th4t-is-sh0wn-0nce-0nly-43x"),
    (re.compile(r"<guest's username>"), lambda _: "guest-8c1f"),
    (re.compile(r"<guest's name>"), lambda _: "Quiet Otter"),
    (re.compile(r"<cursor>"), lambda _: "MDE5M2M1YTA"),
    (re.compile(r"<seconds>"), lambda _: "30"),
    (re.compile(r"<sha256>"), lambda _: "9b4f6d21" * 8),
    (re.compile(r"<request>"), lambda _: "9b4f6d217c3e08a5"),
)
LONG = {
    "events": 6,
    "results": 2,
    "verdicts": 1,
    "": 3,
}  # how many of a list are shown; "" is an answer's own
BEST = ("pisti_between_two_people", "pisti_alone_to_the_end", "decks", "accounts")


@cache
def document():
    return json.loads(msgspec.json.encode(SchemaGenerator().get_schema(public=True), enc_hook=str))


SCENARIOS = sorted(path.stem for path in (FIXTURES / "api").glob("*.json"))


def steps_of(scenario):
    """Its recorded calls with what chance gave them."""
    text = (FIXTURES / "api" / f"{scenario}.json").read_text("utf-8")
    for pattern, instead in CHANCE:
        text = pattern.sub(instead, text)
    return json.loads(text)


def best_first():
    for name in sorted(SCENARIOS, key=lambda name: (*BEST, name).index(name)):
        yield from steps_of(name)


@cache
def calls():
    """The pattern of every path, the plain ones first, with its operations."""
    patterns = []
    for path, method, operation in operations(document()):
        pattern = re.compile(
            re.sub(r"{\w+}", r"[^/]+", path.removeprefix("/api/v1").removeprefix("/")) + r"(\?.*)?$"
        )
        patterns.append((path.count("{"), pattern, method, operation))
    return sorted(patterns, key=lambda found: found[0])


def operation_of(step):
    method, path = step["call"].lower().split(" ")
    return next((o for _, p, m, o in calls() if m == method and p.match(path)), None)


def shown(value, name=""):
    if isinstance(value, list):
        return [shown(each, "?") for each in value[: LONG.get(name, len(value))]]
    if isinstance(value, dict):
        return {key: shown(each, key) for key, each in value.items()}
    return value


def test_examples_are_recorded_answers():
    found = {}
    for step in best_first():
        operation = operation_of(step)
        if operation is None or step["status"] >= 300:
            continue
        answer = None if step["answer"] == "<bytes>" else shown(step["answer"])
        known = found.get(operation["operationId"])
        if known is None or (known["answer"] is None and answer is not None):
            example = {"request": step.get("body"), "status": step["status"], "answer": answer}
            found[operation["operationId"]] = example
    agrees(FILE, laid_out(dict(sorted(found.items()))) + "\n")


def test_no_example_holds_a_name_that_the_recorder_gave_to_chance():
    assert re.findall(r'"<[^">]*>[^"]*"', FILE.read_text("utf-8")) == []


def test_examples_have_the_form_that_the_document_says():
    """A date is a date, an address an address: linters and generators check these too."""
    for path, method, operation in operations(document()):
        bodies = [operation.get("requestBody", {}), *operation["responses"].values()]
        for media in (kind for body in bodies for kind in body.get("content", {}).values()):
            if "example" in media:
                found = validator(msgspec.json.encode(media["schema"]))
                faults = list(found.iter_errors(media["example"]))
                assert not faults, (method, path, faults[0].message)


def test_every_call_with_an_answer_has_an_example():
    for path, method, operation in operations(document()):
        for status, answer in operation["responses"].items():
            body = answer.get("content", {}).get("application/json")
            assert status[0] != "2" or body is None or "example" in body, (method, path)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_recorded_answers_are_as_the_document_says(scenario):
    for step in steps_of(scenario):
        operation = operation_of(step)
        if operation is None:
            continue
        answer = operation["responses"][str(step["status"])]
        kinds = list(answer.get("content", {}).values())
        if step["status"] >= 400:
            assert f"`{step['answer']['code']}`" in answer["description"], step["call"]
        if kinds and step["answer"] != "<bytes>":
            faults = list(
                validator(msgspec.json.encode(kinds[0]["schema"])).iter_errors(step["answer"])
            )
            assert not faults, (step["call"], faults[0].message, faults[0].instance_path)


@cache
def validator(schema):
    whole = json.loads(schema) | {"components": document()["components"]}
    return Draft202012Validator(whole, validate_formats=True)
