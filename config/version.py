"""The version of the service and its commit: `/healthz`, the footer, `manage.py --version`.

The standard library only. An image names its commit (``CARDROOM_COMMIT``, a build argument). In a
checkout it is read from git's files, since a process that asks git would slow each start down.
"""

import os
import re
from functools import cache
from pathlib import Path
from typing import Final

VERSION: Final = "1.0.0"
SHORT: Final = 8  # letters of a commit that are shown
_COMMIT: Final = re.compile(r"[0-9a-f]{40,64}")


@cache
def commit() -> str:
    """Its first letters, or nothing where nobody knows it: a folder without git."""
    named = os.environ.get("CARDROOM_COMMIT", "") or _checked_out(Path(__file__).parent.parent)
    return named[:SHORT] if _COMMIT.fullmatch(named) else ""


@cache
def written() -> str:
    """Both for people: ``1.0.0 (ac647756)``."""
    return f"{VERSION} ({commit()})" if commit() else VERSION


def healthy() -> dict[str, str]:
    """The answer of `/healthz`."""
    return {"status": "up", "version": VERSION} | ({"commit": commit()} if commit() else {})


def _checked_out(root: Path) -> str:
    git = root / ".git"
    try:
        if git.is_file():  # a worktree of another checkout
            git = root / git.read_text().removeprefix("gitdir:").strip()
        head = (git / "HEAD").read_text().strip()
        if not head.startswith("ref: "):
            return head
        shared = git / "commondir"
        common = git / shared.read_text().strip() if shared.is_file() else git
        branch = head.removeprefix("ref: ")
        if (common / branch).is_file():
            return (common / branch).read_text().strip()
        packed = (common / "packed-refs").read_text()
    except OSError:
        return ""
    return next(
        (
            line[: -len(branch)].strip()
            for line in packed.splitlines()
            if line.endswith(f" {branch}")
        ),
        "",
    )
