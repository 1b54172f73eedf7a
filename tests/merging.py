"""Merges modules into one and rewrites all who import them; names that clash are reported.

    python -m tests.merging games.competitions.running.advancing = \\
        games.competitions.running.paying games.competitions.running.beginning [--write]

The parts are written in the order named (what others use first); the first part's docstring becomes
that of the module, the other docstrings stand as comments above their part unless they are dropped
by ``--quiet``. The new module may be one of the parts, or a package whose folder then goes
(``games.causes = games.causes.turns …`` makes ``games/causes.py``). ``--rename part.name=new``
(several times) gives a top-level name another one first, everywhere. Nothing is written without
``--write``, and nothing when something clashes: a name that two parts define or import differently,
a local variable that hides a name which was reached through its module before. Dotted names in
texts (task names, patches of tests) follow. Run ruff and the tests afterwards.
"""

import argparse
import ast
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parent.parent
CODE: Final = ("accounts", "cardroom", "config", "decks", "docs", "examples", "games", "tests")
Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Edit(NamedTuple):
    start: int
    end: int
    text: bytes


class Source:
    """One file with its tree; positions are in bytes, as those of ``ast``."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.bytes = path.read_bytes()
        self.tree = ast.parse(self.bytes)
        self._lines = [0]
        for line in self.bytes.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))
        self.module = module_of(path)
        self.scopes: dict[ast.AST, list[Scope]] = {}
        self._walk(self.tree, [])

    def _walk(self, node: ast.AST, around: list[Scope]) -> None:
        self.scopes[node] = around
        inner = [*around, node] if isinstance(node, Scope) else around
        for child in ast.iter_child_nodes(node):
            self._walk(child, inner)

    def span(self, node: ast.AST) -> tuple[int, int]:
        start = self._lines[node.lineno - 1] + node.col_offset
        return start, self._lines[node.end_lineno - 1] + node.end_col_offset

    def lines(self, first: int, last: int) -> bytes:
        return self.bytes[self._lines[first - 1] : self._lines[last]]

    def is_local(self, name: str, node: ast.AST) -> bool:
        return any(name in bound(scope) for scope in self.scopes[node])

    def edited(self, edits: list[Edit]) -> bytes:
        text = self.bytes
        for edit in sorted(edits, reverse=True):
            text = text[: edit.start] + edit.text + text[edit.end :]
        return text


_BOUND: dict[ast.AST, set[str]] = {}


def bound(scope: Scope) -> set[str]:
    """The names that a function binds itself, those of its comprehensions among them."""
    if scope not in _BOUND:
        names = {arg.arg for arg in ast.walk(scope.args) if isinstance(arg, ast.arg)}
        declared: set[str] = set()
        for node in ast.walk(scope):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
                names.add(node.id)
            elif isinstance(node, ast.Global):
                declared |= set(node.names)
            elif isinstance(node, ast.ExceptHandler) and node.name:
                names.add(node.name)
            elif isinstance(node, ast.FunctionDef | ast.ClassDef) and node is not scope:
                names.add(node.name)
            elif isinstance(node, ast.MatchAs | ast.MatchStar) and node.name:
                names.add(node.name)
        _BOUND[scope] = names - declared
    return _BOUND[scope]


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def file_of(module: str) -> Path:
    folder = ROOT / module.replace(".", "/")
    return folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")


def defined(tree: ast.Module) -> dict[str, ast.stmt]:
    """The top-level names of a module, without what it imports."""
    names: dict[str, ast.stmt] = {}
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names[statement.name] = statement
        elif not isinstance(statement, ast.Import | ast.ImportFrom):
            for node in ast.walk(statement):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    names[node.id] = statement
    return names


def imported(tree: ast.Module) -> Iterator[tuple[ast.Import | ast.ImportFrom, ast.alias]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                yield node, alias


class Merge:
    def __init__(
        self, new: str, parts: list[str], renamed: dict[str, dict[str, str]], *, quiet: bool
    ) -> None:
        self.new, self.parts, self.renamed, self.quiet = new, parts, renamed, quiet
        self.faults: list[str] = []
        self.target = ROOT / (new.replace(".", "/") + ".py")
        self.sources = {part: Source(file_of(part)) for part in parts}
        self.top = {part: set(defined(one.tree)) for part, one in self.sources.items()}

    def renames(self, part: str, name: str) -> str:
        return self.renamed.get(part, {}).get(name, name)

    # -- the merged module

    def merged(self) -> bytes:
        imports: dict[str, tuple[str, str]] = {}
        owner: dict[str, str] = {}
        head, body = b"", []
        plain: list[str] = []
        for part, source in self.sources.items():
            edits, gone = self._edits(source, inside=True)
            for name in self.top[part]:
                self._own(owner, self.renames(part, name), part, source, name)
            kept = []
            for at, statement in enumerate(source.tree.body):
                if at == 0 and isinstance(statement, ast.Expr) and _text(statement):
                    if not head:
                        head = source.lines(statement.lineno, statement.end_lineno)
                    elif not self.quiet:
                        comment = ast.get_docstring(source.tree) or ""
                        kept.append("\n".join(f"# {line}".rstrip() for line in comment.split("\n")).encode())
                    continue
                if isinstance(statement, ast.Import | ast.ImportFrom):
                    for alias in statement.names:
                        if (statement, alias.name) not in gone:
                            self._import(imports, plain, statement, alias, part)
                    continue
            kept.append(self._rest(source, edits))
            body.append(b"\n\n".join(kept))
        for name, (text, part) in imports.items():
            if name in owner:
                self.faults.append(f"{part} imports {name} ({text}), which {owner[name]} defines")
        text = "\n".join([*dict.fromkeys(plain), *dict.fromkeys(text for text, _ in imports.values())])
        return b"\n\n".join([head.rstrip(b"\n"), text.encode(), *body]) + b"\n"

    def _own(
        self, owner: dict[str, str], name: str, part: str, source: Source, old: str
    ) -> None:
        if name in owner and not self._same(name, owner[name], part):
            self.faults.append(f"{name} is defined by {owner[name]} and {part}")
        owner.setdefault(name, part)

    def _same(self, name: str, one: str, other: str) -> bool:
        """A constant or logger that is written alike in both is kept once."""
        texts = []
        for part in (one, other):
            source = self.sources[part]
            statement = defined(source.tree).get(name)
            if statement is None or isinstance(statement, ast.FunctionDef | ast.ClassDef):
                return False
            texts.append(ast.dump(statement))
        return texts[0] == texts[1]

    def _import(
        self,
        imports: dict[str, tuple[str, str]],
        plain: list[str],
        statement: ast.Import | ast.ImportFrom,
        alias: ast.alias,
        part: str,
    ) -> None:
        name = alias.asname or alias.name
        as_ = f" as {alias.asname}" if alias.asname else ""
        if isinstance(statement, ast.Import):
            plain.append(f"import {alias.name}{as_}")
            return
        text = f"from {statement.module} import {alias.name}{as_}"
        if name in imports and imports[name][0] != text:
            self.faults.append(f"{part}: {text}, but {imports[name][1]}: {imports[name][0]}")
        imports.setdefault(name, (text, part))

    def _rest(self, source: Source, edits: list[Edit]) -> bytes:
        """The file without its docstring and its imports; doubled constants go."""
        cut = list(edits)
        first = self.parts.index(next(p for p, s in self.sources.items() if s is source))
        seen = set().union(*(self.top[part] for part in self.parts[:first])) if first else set()
        for at, statement in enumerate(source.tree.body):
            doc = at == 0 and isinstance(statement, ast.Expr) and _text(statement)
            again = (
                isinstance(statement, ast.Assign | ast.AnnAssign)
                and (names := {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)})
                and names <= seen
            )
            if doc or again or isinstance(statement, ast.Import | ast.ImportFrom):
                start, end = source.span(statement)
                end = source.bytes.find(b"\n", end) + 1 or len(source.bytes)
                cut = [edit for edit in cut if not start <= edit.start < end]
                cut.append(Edit(start, end, b""))
        return source.edited(cut).strip(b"\n")

    # -- who imports

    def _edits(
        self, source: Source, *, inside: bool
    ) -> tuple[list[Edit], set[tuple[ast.stmt, str]]]:
        """What changes in a file: names of modules, of what they define, and (``inside``) the way to
        what is now a neighbour. With them the imports that are gone."""
        edits: list[Edit] = []
        gone: set[tuple[ast.stmt, str]] = set()
        modules: dict[str, str] = {}  # a local name of a part
        names: dict[str, str] = {}  # a name that is imported from a part, as it is called now
        own = source.module if inside else ""
        for name, new in self.renamed.get(own, {}).items():
            names[name] = new
        for node, alias in imported(source.tree):
            local = alias.asname or alias.name
            if isinstance(node, ast.Import):
                continue
            module = node.module or ""
            whole = f"{module}.{alias.name}"
            if whole in self.sources and self._is_module(whole):
                modules[local] = whole
                gone.add((node, alias.name))
            elif module in self.sources:
                new = self.renames(module, alias.name)
                if inside and local != new:
                    names[local] = new
                elif not inside and not alias.asname and new != local:
                    names[local] = new
                gone.add((node, alias.name))
        tail = self.new.rpartition(".")[2]
        for node in ast.walk(source.tree):
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and (part := modules.get(node.value.id))
                and not source.is_local(node.value.id, node)
            ):
                start, end = source.span(node)
                inner = source.span(node.value)
                attr = self.renames(part, node.attr)
                if inside:
                    if source.is_local(attr, node):
                        self.faults.append(f"{source.module}:{node.lineno}: {attr} is a local name there")
                    edits.append(Edit(start, end, attr.encode()))
                else:
                    edits.append(Edit(inner[0], end, f"{tail}.{attr}".encode()))
            elif isinstance(node, ast.Name) and not source.is_local(node.id, node):
                if node.id in names:
                    edits.append(Edit(*source.span(node), names[node.id].encode()))
                elif node.id in modules and not isinstance(source.parent(node) if hasattr(source, "parent") else None, ast.Attribute):
                    edits.append(Edit(*source.span(node), tail.encode()))
            elif isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
                if node.name in names and not self_scopes(source, node):
                    start = source.bytes.index(node.name.encode(), source.span(node)[0])
                    edits.append(Edit(start, start + len(node.name), names[node.name].encode()))
        return _without_inner(edits), gone

    def _is_module(self, whole: str) -> bool:
        return whole in self.sources

    def rewritten(self, source: Source) -> bytes | None:
        """A file elsewhere, with its imports changed; None if it has nothing of the parts."""
        dotted = re.compile(
            rb"\b(" + b"|".join(re.escape(part.encode()) for part in sorted(self.parts, key=len, reverse=True)) + rb")\b(?!\.py\b)"
        )
        edits, gone = self._edits(source, inside=False)
        tail, parent = self.new.rpartition(".")[2], self.new.rpartition(".")[0]
        done: set[ast.stmt] = set()
        if gone and any(tail == (a.asname or a.name) for n, a in imported(source.tree) if (n, a.name) not in gone):
            self.faults.append(f"{source.module} has another {tail} already")
        if any((n.module or "") + "." + a.name in self.sources for n, a in imported(source.tree) if isinstance(n, ast.ImportFrom)):
            for node in ast.walk(source.tree):
                if isinstance(node, ast.Name) and node.id == tail and source.is_local(tail, node):
                    self.faults.append(f"{source.module}:{node.lineno}: {tail} is a local name there")
                    break
        for statement, _ in gone:
            if statement in done:
                continue
            done.add(statement)
            texts = []
            for alias in statement.names:
                as_ = f" as {alias.asname}" if alias.asname else ""
                whole = f"{statement.module}.{alias.name}"
                if whole in self.sources:
                    texts.append(f"from {parent} import {tail}")
                elif statement.module in self.sources:
                    name = self.renames(statement.module, alias.name)
                    texts.append(f"from {self.new} import {name}{as_}")
                else:
                    texts.append(f"from {statement.module} import {alias.name}{as_}")
            start, end = source.span(statement)
            indent = b"\n" + b" " * statement.col_offset
            edits = [e for e in edits if not start <= e.start < end]
            edits.append(Edit(start, end, indent.join(t.encode() for t in dict.fromkeys(texts))))
        text = source.edited(edits)

        def follow(found: re.Match[bytes]) -> bytes:
            return self.new.encode()

        for part, names in self.renamed.items():
            for old, new in names.items():
                text = re.sub(rb"\b" + re.escape(f"{part}.{old}".encode()) + rb"\b", f"{part}.{new}".encode(), text)
        text = dotted.sub(follow, text)
        return None if text == source.bytes else text


def self_scopes(source: Source, node: ast.AST) -> bool:
    return bool(source.scopes[node])


def _text(statement: ast.Expr) -> bool:
    return isinstance(statement.value, ast.Constant) and isinstance(statement.value.value, str)


def _without_inner(edits: list[Edit]) -> list[Edit]:
    """An edit that lies within another is part of it already."""
    kept: list[Edit] = []
    for edit in sorted(set(edits), key=lambda e: (e.start, -e.end)):
        if not kept or edit.start >= kept[-1].end:
            kept.append(edit)
    return kept


def python_files() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [ROOT / name for name in listed.stdout.split() if name.split("/")[0] in CODE or "/" not in name]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("new")
    parser.add_argument("equals")
    parser.add_argument("parts", nargs="+")
    parser.add_argument("--rename", action="append", default=[])
    parser.add_argument("--quiet", action="store_true")
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    renamed: dict[str, dict[str, str]] = defaultdict(dict)
    for one in chosen.rename:
        old, _, new = one.partition("=")
        renamed[old.rpartition(".")[0]][old.rpartition(".")[2]] = new
    merge = Merge(chosen.new, chosen.parts, renamed, quiet=chosen.quiet)
    module = merge.merged()
    files = {source.path for source in merge.sources.values()}
    changed = {}
    for path in python_files():
        if path.exists() and path not in files and path != merge.target:
            try:
                text = merge.rewritten(Source(path))
            except SyntaxError:
                continue
            if text is not None:
                changed[path] = text
    for fault in dict.fromkeys(merge.faults):
        print("clash:", fault)
    print(f"{len(module.splitlines())} lines of {len(files)} modules; {len(changed)} files follow")
    if merge.faults or not chosen.write:
        return bool(merge.faults)
    for path, text in changed.items():
        path.write_bytes(text)
    for path in files:
        path.unlink()
    for folder in sorted({path.parent for path in files}, key=lambda f: -len(f.parts)):
        left = [p for p in folder.rglob("*") if p.is_file() and "__pycache__" not in p.parts]
        if not left or [p.name for p in left] == ["__init__.py"] and folder / "__init__.py" not in files and merge.target.parent != folder:
            subprocess.run(["rm", "-rf", str(folder)], check=True)
    merge.target.parent.mkdir(parents=True, exist_ok=True)
    merge.target.write_bytes(module)
    return 0


if __name__ == "__main__":
    sys.exit(main())
