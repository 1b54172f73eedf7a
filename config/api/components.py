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
    """Bounds for the document (``extra_json_schema``) that the services judge, with sentences.

    They stand before those of the field itself, which keep a request cheap.
    """
    return {BOUNDS: bounds}


def one_of(*names: str) -> dict[str, Any]:
    """That just one of two fields is there; said so that generators still see all fields."""
    each = [_needing(name) for name in names]
    return {"not": {"anyOf": [_needing(*names), {"not": {"anyOf": each}}]}}


def _needing(*names: str) -> dict[str, Any]:
    return {"properties": {name: {} for name in names}, "required": [*names]}


def reachable(schemas: dict[str, Any], start: Any) -> set[str]:
    """The components that a part of the document needs, at first or any further hand."""
    found: set[str] = set()
    waiting: Iterable[str] = names_in(start)
    while waiting := set(waiting) - found:
        found |= waiting
        waiting = names_in([schemas[name] for name in waiting])
    return found
