"""The OpenAPI document keeps its paths, answers and fields; words may change.

``tests/fixtures/openapi.json`` is the whole document; ``RECORD=1`` writes it again where its
outline has changed (tests/recorded).
"""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from rest_framework.test import APIClient

from tests.api.calls import get
from tests.recorded import FIXTURES, RECORDING, laid_out

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
