"""The clients that the service serves, as packages with types: ``cardroom-client`` for Python and
``@cardroom/client`` for JavaScript (``make packages``).

    python -m tests.clients.packages var/packages/clients

The types are those of the recorded OpenAPI document. The code is that of ``games/static/clients``:
a method is typed by the operation whose name it has, and ``AsyncCardroom`` is ``Cardroom`` with
``await`` where something is waited for.
"""

import ast
import json
import re
import shutil
import sys
from collections.abc import Iterator
from keyword import iskeyword
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "games" / "static" / "clients"
DOCUMENT = json.loads((ROOT / "tests/fixtures/openapi.json").read_bytes())
SCHEMAS = DOCUMENT["components"]["schemas"]
VERSION = re.search(r'__version__ = "(.+)"', (SOURCES / "cardroom.py").read_text("utf-8"))[1]
ABOUT = "A typed client of Cardroom, a match service for card games."
Schema = dict[str, Any]


# --- What the document says of an operation.


class Operation:
    """``more`` are the fields of its query and its body, ``fields`` those of its address too."""

    def __init__(self, path: str, facts: Schema) -> None:
        self.name = facts["operationId"]
        self.arguments = f"{self.name.title().replace('_', '')}Arguments"
        self.more = {
            each["name"]: each["schema"]
            for each in facts.get("parameters", ())
            if each["in"] == "query"
        }
        for shape in _shapes(_content(facts.get("requestBody", {}))):
            for name, field in shape.get("properties", {}).items():
                known = self.more.get(name)
                self.more[name] = {"anyOf": [known, field]} if known else field
        parts = re.findall(r"{(\w+)}", path)
        self.fields = {key: {"type": "string"} for key in parts} | self.more
        answers = (facts["responses"].get(status, {}) for status in ("200", "201", "202"))
        self.answer: Schema = next(filter(None, map(_content, answers)), {})

    @property
    def item(self) -> Schema:
        """An item of the answer's list, or a line of it."""
        shape, *others = _shapes(self.answer)
        rows = shape.get("properties", {}).get("results", shape)
        return self.answer if others else rows.get("items", self.answer)


def _content(part: Schema) -> Schema:
    kinds = part.get("content", {})
    chosen = kinds.get("application/json") or kinds.get("application/x-ndjson") or {}
    return chosen.get("schema", {})


def _shapes(schema: Schema) -> Iterator[Schema]:
    """A schema, or its alternatives."""
    if "$ref" in schema:
        schema = SCHEMAS[schema["$ref"].rpartition("/")[2]]
    if "oneOf" in schema:
        for each in schema["oneOf"]:
            yield from _shapes(each)
    else:
        yield schema


OPERATIONS = {
    facts["operationId"]: Operation(path, facts)
    for path, item in DOCUMENT["paths"].items()
    for facts in item.values()
}


# --- Types.


class Python:
    """Types as Python writes them."""

    null, unknown, string, boolean, integer, number = "None", "Any", "str", "bool", "int", "float"

    def const(self, *values: Any) -> str:
        return f"Literal[{', '.join(map(repr, values))}]"

    def array(self, item: str) -> str:
        return f"list[{item}]"

    def mapping(self, value: str) -> str:
        return f"dict[str, {value}]"

    def struct(self, name: str, words: str, fields: dict[str, tuple[str, bool]]) -> str:
        known = {n: t if needed else f"NotRequired[{t}]" for n, (t, needed) in fields.items()}
        if any(map(iskeyword, known)):
            told = ", ".join(f"{name!r}: {type_!r}" for name, type_ in known.items())
            return f"{name} = TypedDict({name!r}, {{{told}}})\n"
        lines = [f"    {name}: {type_}" for name, type_ in known.items()]
        if words or not lines:
            lines.insert(0, f"    {json.dumps(words.replace(chr(10), ' '), ensure_ascii=False)}")
        return "\n".join([f"class {name}(TypedDict):", *lines, ""])

    def alias(self, name: str, type_: str) -> str:
        return f"{name}: TypeAlias = {type_!r}\n"


class TypeScript:
    """The same as TypeScript writes them."""

    null, unknown, string, boolean, integer, number = (
        *("null", "unknown", "string", "boolean", "number", "number"),
    )

    def const(self, *values: Any) -> str:
        return " | ".join(map(json.dumps, values))

    def array(self, item: str) -> str:
        return f"Array<{item}>"

    def mapping(self, value: str) -> str:
        return f"{{ [key: string]: {value} }}"

    def struct(self, name: str, words: str, fields: dict[str, tuple[str, bool]]) -> str:
        head = f"/** {words.replace(chr(10), ' ')} */\n" if words else ""
        lines = [f"  {n}{'' if needed else '?'}: {t};" for n, (t, needed) in fields.items()]
        return head + "\n".join([f"export interface {name} {{", *lines, "}", ""])

    def alias(self, name: str, type_: str) -> str:
        return f"export type {name} = {type_};\n"


Language = Python | TypeScript


def type_of(schema: Schema, to: Language, prefix: str = "") -> str:
    if "$ref" in schema:
        return prefix + schema["$ref"].rpartition("/")[2]
    if "const" in schema:
        return to.const(schema["const"])
    if "enum" in schema:
        return to.const(*schema["enum"])
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " | ".join(dict.fromkeys(type_of(each, to, prefix) for each in schema[key]))
    if schema.get("type") == "array":
        return to.array(type_of(schema.get("items", {}), to, prefix))
    if schema.get("type") == "object":
        value = schema.get("additionalProperties", True)
        return to.mapping(type_of(value if isinstance(value, dict) else {}, to, prefix))
    return getattr(to, schema.get("type", "unknown"))


def types(to: Language, given: dict[str, set[str]]) -> Iterator[str]:
    """Every component, and what each operation takes but the arguments that are ``given``."""
    for name, schema in SCHEMAS.items():
        if "properties" in schema:
            needed = schema.get("required", ())
            fields = {
                field: (type_of(each, to), field in needed)
                for field, each in schema["properties"].items()
            }
            yield to.struct(name, schema.get("description", ""), fields)
        else:
            yield to.alias(name, type_of(schema, to))
    for operation in OPERATIONS.values():
        left = operation.more.keys() - given.get(operation.name, set())
        fields = {
            name: (type_of(each, to), False)
            for name, each in operation.more.items()
            if name in left
        }
        yield to.struct(operation.arguments, "", fields)


# --- Python.

PYTHON = Python()
LIKE = {"play": "match", "find_match": "match", "fetch_export": "export_file"}
"""Methods that are no operations, and the operation whose answer they give."""
ITEMS = re.compile(r"(?:list|Iterator)\[Json\]")


def typed(source: str) -> tuple[str, dict[str, set[str]]]:
    """The client with the types of the document, and the names that each method takes itself."""
    lines, given = source.splitlines(keepends=True), {}
    for method in reversed(list(_methods(ast.parse(source)))):
        operation = OPERATIONS.get(LIKE.get(method.name, method.name))
        if operation is None:
            continue
        if method.name == operation.name:
            given[method.name] = {each.arg for each in (*method.args.args, *method.args.kwonlyargs)}
        told = ast.unparse(method.returns) if method.returns else ""
        if ITEMS.fullmatch(told):
            told = told.replace("Json", type_of(operation.item, PYTHON, "types."))
        elif told == "Json":
            told = type_of(operation.answer, PYTHON, "types.")
        _replace(lines, method.returns, told)
        rest = method.args.kwarg
        if rest is not None and method.name == operation.name:
            _replace(lines, rest.annotation, f"Unpack[types.{operation.arguments}]")
    text = "".join(lines).replace("Callable[[Json]", "Callable[[types.Match]")
    return text.replace("members: Json", "members: types.Problem"), given


def _methods(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    (room,) = (
        each for each in tree.body if isinstance(each, ast.ClassDef) and each.name == "Cardroom"
    )
    return (each for each in room.body if isinstance(each, ast.FunctionDef))


def _replace(lines: list[str], node: ast.expr | None, text: str) -> None:
    """Annotations stand on one line each, and are replaced from the last one on."""
    line = lines[node.lineno - 1]
    lines[node.lineno - 1] = line[: node.col_offset] + text + line[node.end_col_offset :]


class Awaiting(ast.NodeTransformer):
    """``Cardroom`` for asyncio."""

    def __init__(self, tree: ast.Module) -> None:
        methods = {each.name: each for each in _methods(tree)}
        self._iterators = {
            name
            for name, each in methods.items()
            if each.returns and "Iterator" in ast.unparse(each.returns)
        }
        waiting, before = {"_open", "guest"}, set()
        while waiting != before:
            before = set(waiting)
            for name, method in methods.items():
                calls = {_called(node) for node in ast.walk(method)}
                if calls & (waiting | self._iterators | {"sleep"}):
                    waiting.add(name)
        self._waiting = waiting - self._iterators

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        own = ("__init__", "_open")
        body = [each for each in node.body if getattr(each, "name", "") not in own]
        node = ast.ClassDef(f"Async{node.name}", [ast.Name("Connection")], [], body, [])
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        yields = any(isinstance(each, ast.Yield | ast.YieldFrom) for each in ast.walk(node))
        self.generic_visit(node)
        if node.name not in self._waiting and not yields:
            return node
        return ast.copy_location(ast.AsyncFunctionDef(**vars(node)), node)

    def visit_Name(self, node: ast.Name) -> ast.Name:
        renamed = {"Iterator": "AsyncIterator", "Cardroom": "AsyncCardroom", "threads": "together"}
        node.id = renamed.get(node.id, node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.arg = "together" if node.arg == "threads" else node.arg
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        called = _called(node)
        if called == "sleep":
            node.func.value = ast.Name("asyncio")
            return ast.Await(node)
        if called == "choose":
            return ast.Await(ast.Call(ast.Name("_chosen"), [node.func, *node.args], []))
        if called == "read":
            node.func.attr = "aread"
        known = self._waiting - {"_open"} | {"read", "of"}
        return ast.Await(node) if called in known else node

    def visit_With(self, node: ast.With) -> ast.AST:
        self.generic_visit(node)
        opens = _called(node.items[0].context_expr) == "_open"
        return ast.copy_location(ast.AsyncWith(**vars(node)), node) if opens else node

    def visit_For(self, node: ast.For) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.iter, ast.Name) and node.iter.id == "answer":
            node.iter = ast.Call(ast.Name("_lines"), [node.iter], [])
        elif _called(node.iter) not in self._iterators:
            return node
        return ast.copy_location(ast.AsyncFor(**vars(node)), node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        if not isinstance(node.value, ast.YieldFrom):
            return self.generic_visit(node)
        each = ast.Name("each")
        loop = ast.For(each, node.value.value, [ast.Expr(ast.Yield(each))], [])
        return self.visit_For(ast.copy_location(loop, node))


def _called(node: ast.AST) -> str:
    """The method that is called, of whatever object, or the function."""
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)


def asynchronous(source: str) -> str:
    tree = ast.parse(source)
    (room,) = (each for each in tree.body if getattr(each, "name", "") == "Cardroom")
    made = ast.unparse(ast.fix_missing_locations(Awaiting(tree).visit(room)))
    several = "With more ``threads`` it thinks about several matches at the same time."
    assert several in made
    made = made.replace(several, "It thinks about ``together`` matches at the same time.")
    return made.replace("together: int=1", "together: int=50") + "\n"


OF_CLIENT = (
    *("API", "FIRST_PAUSE", "INVITING", "LONGEST_PAUSE", "MOVED_ON", "OVER", "SILENCE", "Body"),
    *("Json", "Problem", "Seat", "StrategyFailed", "_seat", "_Tables", "log"),
)
AIO = f"""\
\"\"\"The client for asyncio, made of ``cardroom.py``.\"\"\"

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import uuid
from collections.abc import AsyncIterator, Collection, Sequence
from typing import Any, Unpack
from urllib.parse import quote

from . import types
from .asynchronous import LOST, Choice, Connection, _chosen, _guarded, _lines, _Thinking
from .cardroom import {", ".join(OF_CLIENT)}


"""
TYPES = """\
\"\"\"The shapes of the API, made of its document.\"\"\"

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


"""
INIT = """\
\"\"\"A client of Cardroom with types: ``Cardroom``, and ``AsyncCardroom`` for asyncio.

``types`` has the shape of every body and answer: ``types.Match``, ``types.PistiView`` and so on.
\"\"\"

from . import types
from .aio import AsyncCardroom
from .cardroom import Cardroom, Problem, StrategyFailed, __version__

__all__ = ["AsyncCardroom", "Cardroom", "Problem", "StrategyFailed", "__version__", "types"]
"""
PYPROJECT = f"""\
[project]
name = "cardroom-client"
version = "{VERSION}"
description = "{ABOUT}"
readme = "README.md"
license = "MIT"
license-files = ["LICENSE"]
requires-python = ">=3.11"
dependencies = ["httpx>=0.27"]

[build-system]
requires = ["uv_build>=0.9,<1"]
build-backend = "uv_build"

[tool.uv.build-backend]
module-root = ""
"""


def python(folder: Path) -> None:
    module = folder / "cardroom_client"
    module.mkdir(parents=True)
    source, given = typed((SOURCES / "cardroom.py").read_text("utf-8"))
    own = (SOURCES / "asynchronous.py").read_text("utf-8")
    for name, text in {
        "__init__.py": INIT,
        "py.typed": "",
        "types.py": TYPES + "\n\n".join(types(PYTHON, given)),
        "cardroom.py": source.replace("import Any, Union", "import Any, Union, Unpack").replace(
            "import quote, urlencode\n", "import quote, urlencode\n\nfrom . import types\n"
        ),
        "asynchronous.py": own.replace("[[Json]", "[[types.Match]").replace(
            "import httpx\n", "import httpx\n\nfrom . import types\n"
        ),
        "aio.py": AIO + asynchronous(source),
    }.items():
        (module / name).write_text(text, "utf-8")
    (folder / "pyproject.toml").write_text(PYPROJECT, "utf-8")
    told = ast.get_docstring(ast.parse(source)) or ""
    more = "`AsyncCardroom` has the same methods, to be awaited; `types` has every shape."
    (folder / "README.md").write_text(f"# cardroom-client\n\n{told}\n\n{more}\n", "utf-8")


# --- JavaScript.

TYPESCRIPT = TypeScript()
METHOD = re.compile(r"^  (?:async )?(\*)?(\w+)\((.*)\) \{((?: .*)?(?:\n    .*)*)", re.MULTILINE)
DECLARED = """\
// Made of the document of the API and of index.js.
import type * as types from "./types.js";

export type * as types from "./types.js";
export const VERSION: string;
/** "me", "open", "bot greedy", "user ada", "local Twin", or the object of the API. */
export type SeatChoice = string | types.SeatRequest;
export type Choice = (match: types.Match) => string | Promise<string>;

/** The service said no. `members` is the whole problem document (RFC 9457). */
export class Problem extends Error {
  readonly code: types.ProblemCode | "";
  readonly members: Partial<types.Problem>;
  readonly status: number;
  readonly retryAfter: number | null;
}

/** A service at `url`, called with `key`; without one only open calls are answered. */
export class Cardroom {
  constructor(url: string, key?: string | null, more?: { tries?: number; timeout?: number });
  url: string;
  key: string | null;
  static guest(url: string): Promise<Cardroom>;
  find_match(game: string, more?: Omit<types.CreateSeekArguments, "game">): Promise<types.Match>;
  fetch_export(query?: types.CreateExportArguments): AsyncGenerator<types.Record, void>;
  play(id: string, choose: Choice): Promise<types.Match>;
  play_all(
    choose: Choice,
    games?: Iterable<string> | null,
    more?: { most?: number; together?: boolean },
  ): Promise<never>;
"""


def declared(source: str) -> Iterator[str]:
    """A line for each operation that is a method."""
    for star, name, given, body in METHOD.findall(source):
        if name in OPERATIONS:
            parameters = ", ".join(_parameters(given, OPERATIONS[name]))
            yield f"  {name}({parameters}): {_answer(OPERATIONS[name], body, bool(star))};"


def _answer(operation: Operation, body: str, generates: bool) -> str:
    item = type_of(operation.item, TYPESCRIPT, "types.")
    if generates or "#pages(" in body or "#records(" in body:
        return f"AsyncGenerator<{item}, void>"
    if ").results" in body:
        return f"Promise<Array<{item}>>"
    if not operation.answer:
        (told,) = re.findall(r"\)\.(text|blob)\(\)", body) or [""]
        return f"Promise<{({'text': 'string', 'blob': 'Blob'}).get(told, 'null')}>"
    return f"Promise<{type_of(operation.answer, TYPESCRIPT, 'types.')}>"


def _parameters(given: str, operation: Operation) -> Iterator[str]:
    known = re.findall(r"(\{.*?\}|\w+)(?: = ([^,]+))?(?:, |$)", given)
    names = [name for name, _ in known]
    for name, default in known:
        mark = "?" if default else ""
        if name.startswith("{"):
            fields = dict(re.findall(r"(\w+) = (\[|\w+)", name))
            parts = [f"{each}?: {_field(each, operation)}" for each in fields]
            if "..." in name:
                (own,) = fields  # a list of what the query joins with commas
                parts = [f"{own}?: Array<string>"]
            rest = f' & Omit<types.{operation.arguments}, "{own}">' if "..." in name else ""
            yield f"more?: {{ {'; '.join(parts)} }}{rest}"
        elif name in WHOLE or default == "{}":
            taken = [f'"{each}"' for each in names if each in operation.more]
            type_ = f"types.{operation.arguments}"
            yield f"{name}{mark}: " + (f"Omit<{type_}, {' | '.join(taken)}>" if taken else type_)
        else:
            yield f"{name}{mark}: {_field(name, operation)}{' | null' if default == 'null' else ''}"


WHOLE = ("changes", "query", "to", "point", "subscription", "player", "source")


def _field(name: str, operation: Operation) -> str:
    if name == "seats":
        return "Array<SeatChoice>"
    if name in ("record", "game"):
        return {"record": "types.Record", "game": "string"}[name]
    return type_of(operation.fields.get(name, {"type": "string"}), TYPESCRIPT, "types.")


def javascript(folder: Path) -> None:
    folder.mkdir(parents=True)
    source = (SOURCES / "cardroom.js").read_text("utf-8")
    assert f'VERSION = "{VERSION}"' in source, "Both clients have one version."
    (folder / "index.js").write_text(source, "utf-8")
    lines = "\n".join(declared(source))
    (folder / "index.d.ts").write_text(f"{DECLARED}{lines}\n}}\n", "utf-8")
    (folder / "types.d.ts").write_text("\n".join(types(TYPESCRIPT, {})), "utf-8")
    facts = {
        "name": "@cardroom/client",
        "version": VERSION,
        "description": ABOUT,
        "license": "MIT",
        "type": "module",
        "sideEffects": False,
        "engines": {"node": ">=18"},
        "exports": {".": {"types": "./index.d.ts", "default": "./index.js"}},
        "files": ["index.js", "index.d.ts", "types.d.ts"],
    }
    (folder / "package.json").write_text(json.dumps(facts, indent=2) + "\n", "utf-8")
    told = "\n".join(
        line.removeprefix("//").removeprefix(" ") for line in source.split("\n\n")[0].splitlines()
    )
    (folder / "README.md").write_text(f"# @cardroom/client\n\n{told}\n", "utf-8")


def main(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    for name, build in {"python": python, "javascript": javascript}.items():
        build(folder / name)
        shutil.copy(ROOT / "LICENSE", folder / name)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
