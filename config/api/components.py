"""Components of the OpenAPI document by name, and which of them refer to which."""

import re
from collections.abc import Iterable
from typing import Any, Final

import msgspec

REF: Final = "#/components/schemas/{name}"
BOUNDS: Final = "x-bounds"
_NAMED: Final = re.compile(re.escape(REF).replace(re.escape("{name}"), r"([\w.-]+)").encode())


def names_in(value: Any) -> set[str]:
    """The components that a part of the document refers to."""
    return {name.decode() for name in _NAMED.findall(msgspec.json.encode(value))}


def drawn(**bounds: Any) -> dict[str, Any]:
    """Bounds for the document only (``extra_json_schema``); services check them, with sentences.

    In the document they replace the bounds of the field itself, which keep a request cheap.
    """
    return {BOUNDS: bounds}


def deprecated(instead: str) -> msgspec.Meta:
    """Of a field that says the same as another one, which is to be read."""
    schema = {"deprecated": True, "description": f"The same as `{instead}`."}
    return msgspec.Meta(extra_json_schema=schema)


def one_of(*names: str) -> dict[str, Any]:
    """Exactly one of these fields is there, in a form in which generators still see all fields."""
    each = [_needing(name) for name in names]
    return {"not": {"anyOf": [_needing(*names), {"not": {"anyOf": each}}]}}


def _needing(*names: str) -> dict[str, Any]:
    return {"properties": {name: {} for name in names}, "required": [*names]}


def reachable(schemas: dict[str, Any], start: Any) -> set[str]:
    """The components that a part of the document needs, directly or through others."""
    known: set[str] = set()
    waiting: Iterable[str] = names_in(start)
    while waiting := set(waiting) - known:
        known |= waiting
        waiting = names_in([schemas[name] for name in waiting])
    return known
