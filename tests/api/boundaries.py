"""Values at the boundaries that a schema of the document draws, and just outside of them.

Candidates come from the schema's own bounds; what is one of its values and what is none says a
validator, so that a candidate is never judged by who made it up.
"""

from collections.abc import Iterator
from datetime import date, datetime
from functools import partial
from typing import Any
from uuid import UUID

import msgspec
from jsonschema import Draft202012Validator, FormatChecker

Schema = dict[str, Any]
PREFIX = "#/components/schemas/"
LONG = 5000  # characters, where a text has no bound
FAR = 10**30  # where a number has none
FORMATS = {
    "uuid": ["x", "0" * 32 + "z", "0193c5a0-4d2e-7000-8000-000000000001"],
    "date-time": ["x", "2026-13-01T00:00:00Z", "2026-11-01T00:00:00Z", "2026-11-01T00:00:00+03:00"],
    "date": ["x", "2026-11-01", "2026-13-01"],
}
TYPES = {"uuid": UUID, "date-time": datetime, "date": date}
CHECKER = FormatChecker(formats=())


def holds(value: Any, kind: type) -> bool:
    return not isinstance(value, str) or bool(msgspec.convert(value, kind))


for _name, _kind in TYPES.items():
    CHECKER.checks(_name, msgspec.ValidationError)(partial(holds, kind=_kind))


class Boundaries:
    def __init__(self, document: Schema) -> None:
        self._document = document
        self._validators: dict[bytes, Draft202012Validator] = {}

    def is_valid(self, schema: Schema, value: Any) -> bool:
        name = msgspec.json.encode(schema)
        if name not in self._validators:  # a new one reads the whole document
            whole = schema | {"components": self._document["components"]}
            self._validators[name] = Draft202012Validator(whole, format_checker=CHECKER)
        return self._validators[name].is_valid(value)

    def around(self, schema: Schema, base: Any) -> Iterator[tuple[str, Any]]:
        """Where the value differs from ``base``, which is one of the schema's, and the value."""
        schema = self.resolved(schema, base)
        for each in schema.get("anyOf", ()):
            yield from self.around(each, base)
        if base is not None:
            yield "", None
        match schema.get("type"):
            case "object":
                yield from self._objects(schema, base)
            case "array":
                yield from self._arrays(schema, base)
            case "string":
                yield from (("", value) for value in _texts(schema))
            case "integer" | "number":
                yield from (("", value) for value in _numbers(schema))
            case "boolean":
                yield from (("", value) for value in (True, False, "true", 1))

    def _objects(self, schema: Schema, base: Any) -> Iterator[tuple[str, Any]]:
        base = base if isinstance(base, dict) else {}
        yield from (("", value) for value in ([], "x", 1))
        yield "?", base | {"nobody_knows_me": 1}
        for name, part in schema.get("properties", {}).items():
            yield f"-{name}", {key: value for key, value in base.items() if key != name}
            for where, value in self.around(part, base.get(name)):
                yield f".{name}{where}", base | {name: value}

    def _arrays(self, schema: Schema, base: Any) -> Iterator[tuple[str, Any]]:
        base = base if isinstance(base, list) else []
        yield from (("", value) for value in ({}, "x", 1))
        bounds = {schema.get("minItems", 0), schema.get("maxItems", len(base))}
        if base:
            for count in sorted({n for bound in bounds for n in (bound - 1, bound, bound + 1)}):
                if count >= 0:
                    yield f"[{count}]", [base[n % len(base)] for n in range(count)]
            for where, value in self.around(schema["items"], base[0]):
                yield f"[0]{where}", [value, *base[1:]]

    def resolved(self, schema: Schema, base: Any) -> Schema:
        """The schema behind references; of several told apart by a field the one of ``base``."""
        if "$ref" in schema:
            name = schema["$ref"].removeprefix(PREFIX)
            return self.resolved(self._document["components"]["schemas"][name], base)
        if "discriminator" in schema:
            told_by = schema["discriminator"]
            reference = told_by["mapping"][base[told_by["propertyName"]]]
            return self.resolved({"$ref": reference}, base)
        return schema


def _texts(schema: Schema) -> Iterator[Any]:
    yield from (1, True, [], {})
    if choices := schema.get("enum", [schema["const"]] if "const" in schema else []):
        yield from (*choices, "nobody_knows_me", choices[0].upper() + "x", "")
        return
    yield from FORMATS.get(schema.get("format", ""), ())
    if "format" in schema or "pattern" in schema:
        return
    least, most = schema.get("minLength", 0), schema.get("maxLength", LONG)
    for length in {max(0, least - 1), least, most, *([most + 1] if most != LONG else [])}:
        yield "x" * length


def _numbers(schema: Schema) -> Iterator[Any]:
    yield from ("1", "x", True, [], 0.5)
    least, most = schema.get("minimum", -FAR), schema.get("maximum", FAR)
    yield from (least - 1, least, most, most + 1) if abs(least) != FAR else (least, most, most + 1)
