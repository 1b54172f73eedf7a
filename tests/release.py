"""A release: what has to hold, the packages, the image's steps, the notes (``make release``).

``python -m tests.release`` looks at the tree and says what is missing before anything long begins.
Then it runs the targets, builds the packages, and writes the notes to ``var/release``. It makes no
tag and publishes nothing: it prints the commands that do. ``--against v0.1.0`` names the version
whose speed is compared, ``--only look`` stops after the first part.
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Final

from config.version import VERSION

ROOT: Final = Path(__file__).resolve().parent.parent
OUT: Final = ROOT / "var" / "release"
TARGETS: Final = ("check", "test", "sweeps", "audit", "e2e", "packages", "image")
SECTION: Final = re.compile(r"(?ms)^## \[([\w.]+)\](?: - (\S+))?\n(.*?)(?=^## \[|\Z)")


def main() -> int:
    options = _options()
    faults = [*_faults()]
    for fault in faults:
        print(fault)
    if faults:
        return 1
    OUT.mkdir(parents=True, exist_ok=True)
    notes = OUT / f"notes-{VERSION}.md"
    notes.write_text(_sections()[VERSION][1].strip() + "\n", "utf-8")
    if options.only == "look":
        return 0
    targets = [
        *TARGETS,
        *([f"bench BENCH=--check AGAINST={options.against}"] if options.against else ()),
    ]
    for target in targets:
        print(f"--- make {target}", flush=True)
        if subprocess.run(["make", *target.split()], cwd=ROOT, check=False).returncode:
            print(f"make {target} failed; {VERSION} is not released.")
            return 1
    print(f"\n{VERSION} is ready. What is left to a person:")
    print(f"  git tag -a v{VERSION} -F {notes.relative_to(ROOT)}")
    print(f"  docker build -f docker/Dockerfile --build-arg COMMIT=$(git rev-parse HEAD) \\\n"
          f"    -t cardroom:{VERSION} .")  # fmt: skip
    print("  upload var/packages/dist/* to the registries, push the tag and the image")
    return 0


def _faults() -> Iterator[str]:
    """Faults that forbid a release of this tree, each with what to do."""
    if _git("status", "--porcelain"):
        yield "There are changes that are not committed: a release is a commit."
    if _git("tag", "--list", f"v{VERSION}"):
        yield f"v{VERSION} exists already: raise VERSION in config/version.py."
    sections = _sections()
    day, text = sections.get(VERSION, ("", ""))
    if not text.strip():
        yield f"CHANGELOG.md has no section [{VERSION}]: give the entries of Unreleased to it."
    elif not _is_date(day):
        yield f"Section [{VERSION}] of CHANGELOG.md needs the day: ## [{VERSION}] - 2026-11-29"
    if sections.get("Unreleased", ("", "?"))[1].strip():
        yield "CHANGELOG.md has entries under Unreleased that no release would have."


def _sections() -> dict[str, tuple[str, str]]:
    """By version: the day, and the entries."""
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    return {name: (day or "", entries) for name, day, entries in SECTION.findall(text)}


def _is_date(day: str) -> bool:
    try:
        date.fromisoformat(day)
    except ValueError:
        return False
    return True


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", help="a tag or commit whose speed must not be lost")
    parser.add_argument("--only", choices=["look"])
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
