"""Every figure with its commit, so that a slower one is seen: `var/bench/history.jsonl`."""

import json
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime

from tests.served import ROOT

FILE = ROOT / "var" / "bench" / "history.jsonl"


def last() -> dict[str, str]:
    """Row by row what was measured before, with the commit."""
    found: dict[str, str] = {}
    if FILE.exists():
        for line in FILE.read_text().splitlines():
            run = json.loads(line)
            found |= {row: f"{told} ({run['commit']})" for row, told in run["rows"].items()}
    return found


def add(rows: Mapping[int, str]) -> None:
    words = ["git", "describe", "--always", "--dirty", "--abbrev=8"]
    told = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    at = datetime.now(UTC).isoformat(timespec="seconds")
    run = {"at": at, "commit": told.stdout.strip() or "?", "rows": rows}
    FILE.parent.mkdir(parents=True, exist_ok=True)
    with FILE.open("a") as file:
        file.write(json.dumps(run, ensure_ascii=False) + "\n")
