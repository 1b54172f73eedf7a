"""Breaks that a newer document must not have for clients written against an older one.

In requests: refuse what was accepted (a call, a field, a value of an enumeration gone; a field or
parameter newly required; another type; a narrower bound). In answers: leave out what was there (a
status below 400, a field, a promise that it is always there) or give it another type. Everything
else is an addition.
"""

from collections.abc import Iterator
from typing import Any

from config.api.document import operations

Schema = dict[str, Any]
PREFIX = "#/components/schemas/"
BOUNDS = {
    f"{end}{of}": sign
    for end, sign in (("min", -1), ("max", 1))
    for of in ("imum", "Length", "Items", "Properties")
}


class Comparison:
    def __init__(self, old: Schema, new: Schema) -> None:
        self._old, self._new = old, new
        self._seen: set[tuple[str, str, bool]] = set()

    def breaks(self) -> list[str]:
        """Everything that breaks a client, a line each."""
        now = {(path, method): each for path, method, each in operations(self._new)}
        found: list[str] = []
        for path, method, then in operations(self._old):
            call = f"{method.upper()} {path}"
            if (path, method) not in now:
                found.append(f"{call}: is gone")
                continue
            found += (f"{call}: {fault}" for fault in self._operation(then, now[path, method]))
        return found

    def _operation(self, old: Schema, new: Schema) -> Iterator[str]:
        if old["operationId"] != new["operationId"]:
            yield f"operationId {old['operationId']} is now {new['operationId']}"
        yield from self._parameters(old, new)
        if "requestBody" in new:
            body = old.get("requestBody", {"content": {}})
            yield from self._content(body, new["requestBody"], "body", sent=True)
        for status, answer in old["responses"].items():
            if status < "400":
                if status not in new["responses"]:
                    yield f"{status} is not answered any more"
                else:
                    yield from self._content(answer, new["responses"][status], status, sent=False)

    def _parameters(self, old: Schema, new: Schema) -> Iterator[str]:
        then = {(p["in"], p["name"]): p for p in old.get("parameters", ())}
        now = {(p["in"], p["name"]): p for p in new.get("parameters", ())}
        for place, name in then.keys() - now.keys():
            yield f"{place} {name} is gone"
        for (place, name), parameter in now.items():
            known = then.get((place, name))
            if parameter.get("required") and not (known or {}).get("required"):
                yield f"{place} {name} is required now"
            if known:
                yield from self._schema(known["schema"], parameter["schema"], name, sent=True)

    def _content(self, old: Schema, new: Schema, where: str, *, sent: bool) -> Iterator[str]:
        for media, told in old.get("content", {}).items():
            if media not in new.get("content", {}):
                yield f"{where} {media} is gone"
            else:
                now = new["content"][media]["schema"]
                yield from self._schema(told["schema"], now, where, sent=sent)

    def _schema(self, old: Schema, new: Schema, where: str, *, sent: bool) -> Iterator[str]:
        names = old.get("$ref", ""), new.get("$ref", ""), sent
        if names[0] or names[1]:
            if names in self._seen:
                return
            self._seen.add(names)
        old, new = _resolved(old, self._old), _resolved(new, self._new)
        alternatives = [each for each in ("oneOf", "anyOf") if each in old or each in new]
        if alternatives:
            yield from self._alternatives(old, new, where, sent=sent)
            return
        if old.get("type") != new.get("type"):
            yield f"{where}: {old.get('type')} is now {new.get('type')}"
            return
        yield from _values(old, new, where, sent=sent)
        if isinstance(old.get("items"), dict) and isinstance(new.get("items"), dict):
            yield from self._schema(old["items"], new["items"], f"{where}[]", sent=sent)
        yield from self._fields(old, new, where, sent=sent)

    def _alternatives(self, old: Schema, new: Schema, where: str, *, sent: bool) -> Iterator[str]:
        then, now = _choices(old), _choices(new)
        if sent and {"type": "object"} in now.values():  # whatever was taken still is
            return
        gone, added = then.keys() - now.keys(), now.keys() - then.keys()
        for name in sorted(gone if sent else added if "null" in added else ()):
            yield f"{where}: {name} is {'not accepted any more' if sent else 'answered now'}"
        for name in then.keys() & now.keys():
            yield from self._schema(then[name], now[name], where, sent=sent)

    def _fields(self, old: Schema, new: Schema, where: str, *, sent: bool) -> Iterator[str]:
        then, now = old.get("properties", {}), new.get("properties", {})
        for name in then.keys() - now.keys():
            yield f"{where}.{name} is gone"
        needed = {*old.get("required", ())}, {*new.get("required", ())}
        changed = needed[1] - needed[0] if sent else needed[0] - needed[1]
        for name in sorted(changed):
            yield f"{where}.{name} is {'required now' if sent else 'not always there any more'}"
        for name in then.keys() & now.keys():
            yield from self._schema(then[name], now[name], f"{where}.{name}", sent=sent)


def _resolved(schema: Schema, document: Schema) -> Schema:
    if "$ref" not in schema:
        return schema
    found: Schema = document["components"]["schemas"][schema["$ref"].removeprefix(PREFIX)]
    return found


def _choices(schema: Schema) -> dict[str, Schema]:
    """The alternatives by what tells them apart."""
    found = schema.get("oneOf") or schema.get("anyOf") or [schema]
    return {each.get("$ref") or str(each.get("type")): each for each in found}


def _values(old: Schema, new: Schema, where: str, *, sent: bool) -> Iterator[str]:
    then = {*old.get("enum", [old["const"]] if "const" in old else [])}
    now = {*new.get("enum", [new["const"]] if "const" in new else [])}
    if sent and now and (gone := sorted((then or {"any other"}) - now)):
        yield f"{where}: {', '.join(gone)} not accepted any more"
    if sent:
        yield from (f"{where}: {bound} is {new[bound]} now" for bound in _narrower(old, new))
    if not sent and "const" in old and not then <= now:
        yield f"{where}: {old['const']} is now {sorted(now)}"


def _narrower(old: Schema, new: Schema) -> Iterator[str]:
    for bound, sign in BOUNDS.items():
        if bound in new and (bound not in old or sign * new[bound] < sign * old[bound]):
            yield bound
