"""Texts kept as fixtures: compared, or written again with ``RECORD=1`` in the environment.

``RECORD=1 make test T=tests/api/test_recorded_answers.py``, then read the diff that git shows.
"""

import difflib
import json
import os
from pathlib import Path
from typing import Any

import pytest

FIXTURES = Path(__file__).parent / "fixtures"
RECORDING = bool(os.environ.get("RECORD"))
WIDTH = 100


def agrees(path: Path, text: str) -> None:
    """Fails with the differing lines unless the fixture at ``path`` is ``text``."""
    if RECORDING:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    then = path.read_text(encoding="utf-8") if path.exists() else ""
    if text != then:
        told = difflib.unified_diff(then.splitlines(), text.splitlines(), "then", "now", n=2)
        pytest.fail(f"{path.name} (RECORD=1 writes it again)\n" + "\n".join(told), pytrace=False)


def laid_out(value: Any, indent: int = 0) -> str:
    """JSON in lines: what fits into one line is one line. Keys keep their order."""
    line = json.dumps(value, ensure_ascii=False)
    if indent + len(line) <= WIDTH or not isinstance(value, dict | list) or not value:
        return line
    inner, (first, last) = " " * (indent + 1), "{}" if isinstance(value, dict) else "[]"
    if isinstance(value, dict):
        parts = [f"{json.dumps(name)}: {laid_out(one, indent + 1)}" for name, one in value.items()]
    else:
        parts = [laid_out(one, indent + 1) for one in value]
    return "\n".join([first, ",\n".join(inner + part for part in parts), " " * indent + last])
