"""The API keeps what clients of version 1 rely on.

``tests/fixtures/openapi-v1.json`` is the document that they were written against, without words. It
is never written again inside version 1; a correction before the release of 1.0 is made in it by
hand: ``BASELINE=1 pytest tests/api/test_compatible.py``.
"""

import copy
import json
import os

import pytest

from tests.api.compatibility import Comparison
from tests.api.test_examples import document
from tests.recorded import FIXTURES, laid_out

FILE = FIXTURES / "openapi-v1.json"
WORDS = {"description", "summary", "title", "example", "tags", "security", "headers"}


def without_words(value, name=""):
    if isinstance(value, list):
        return [without_words(each) for each in value]
    if not isinstance(value, dict):
        return value
    fields = name in ("properties", "schemas")  # their keys are names, not keywords
    return {
        key: without_words(each, key)
        for key, each in value.items()
        if fields or (key not in WORDS and not key.startswith("x-"))
    }


def test_nothing_that_version_1_promised_is_gone():
    if os.environ.get("BASELINE"):
        told = {key: without_words(document()[key], key) for key in ("paths", "components")}
        FILE.write_text(laid_out(told) + "\n", encoding="utf-8")
    assert Comparison(json.loads(FILE.read_bytes()), document()).breaks() == []


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
    changed = copy.deepcopy(document())
    edit(changed)
    assert any(told in line for line in Comparison(document(), changed).breaks())


def test_additions_break_nobody():
    changed = copy.deepcopy(document())
    changed["paths"]["/api/v1/new"] = changed["paths"][PATHS[2]]
    changed["components"]["schemas"]["Seat"]["properties"]["rating"] = {"type": "integer"}
    changed["components"]["schemas"]["NewMove"]["properties"]["note"] = {"type": "string"}
    changed["components"]["schemas"]["ProblemCode"]["enum"].append("too_late")
    assert Comparison(document(), changed).breaks() == []
