"""How large the tree is, by kind and by room, beside its budget (``make size``).

Migrations and examples are not counted, tests apart. ``--rooms`` lists each room.
"""

import ast
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parent.parent
LIBRARY: Final = "cardroom"
SERVICE: Final = ("accounts", "config", "decks", "games")
LEFT_OUT: Final = re.compile(r"(^|/)migrations/|^examples/")
BUDGET: Final = {
    "Python outside tests": 95_000,
    "of it the service": 65_000,
    "modules": 500,
    "share of imports, percent": 8,
    "tests": 72_000,
    "pyproject.toml": 400,
    "README.md": 150,
    "CONTRIBUTING.md": 120,
}


class Lines(NamedTuple):
    all: int
    code: int
    blank: int
    imports: int
    docstrings: int


def measured(text: str) -> Lines:
    rows = text.splitlines()
    tree = ast.parse(text)
    imports, docstrings = set[int](), set[int]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            imports |= {*range(node.lineno, (node.end_lineno or node.lineno) + 1)}
        elif isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                docstrings |= {*range(first.lineno, (first.end_lineno or first.lineno) + 1)}
    blank = sum(not row.strip() for row in rows)
    comments = sum(row.lstrip().startswith("#") for row in rows)
    code = len(rows) - blank - comments - len(imports) - len(docstrings)
    return Lines(len(rows), code, blank, len(imports), len(docstrings))


def files() -> list[str]:
    listed = ["git", "ls-files", "-co", "--exclude-standard", "*.py"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True)
    found = [name for name in names.stdout.split() if (ROOT / name).exists()]
    return [name for name in found if not LEFT_OUT.search(name)]


def added(parts: list[Lines]) -> Lines:
    return Lines(*map(sum, zip(*parts, strict=True))) if parts else Lines(0, 0, 0, 0, 0)


def lines_of(name: str) -> int:
    return len((ROOT / name).read_text("utf-8").splitlines())


def room(name: str) -> str:
    first, *rest = name.split("/")
    return f"{first}/{rest[0]}" if len(rest) > 1 else first


def main() -> None:
    sizes = {name: measured((ROOT / name).read_text("utf-8")) for name in files()}
    outside = {name: size for name, size in sizes.items() if not name.startswith("tests/")}
    whole = added(list(outside.values()))
    modules = [name for name in outside if not name.endswith("__init__.py")]
    service = added([size for name, size in outside.items() if name.split("/")[0] in SERVICE])
    figures = {
        "Python outside tests": whole.all,
        "of it the service": service.all,
        "modules": len(modules),
        "share of imports, percent": round(100 * whole.imports / whole.all, 1),
        "tests": sum(size.all for name, size in sizes.items() if name.startswith("tests/")),
        **{name: lines_of(name) for name in ("pyproject.toml", "README.md", "CONTRIBUTING.md")},
    }
    for what, figure in figures.items():
        print(f"{what:<28}{figure:>10,}   budget {BUDGET[what]:,}")
    shares = {kind: round(100 * part / whole.all) for kind, part in whole._asdict().items()}
    print(f"\nOf 100 lines: {', '.join(f'{kind} {part}' for kind, part in shares.items())}")
    if "--rooms" in sys.argv:
        by_room = Counter[str]()
        for name, size in outside.items():
            by_room[room(name)] += size.all
        counts = Counter(map(room, modules))
        for name, total in by_room.most_common():
            print(f"  {name:<28}{total:>8,} lines {counts[name]:>5} modules")


if __name__ == "__main__":
    main()
