"""When a worker for simulations starts, kernels are compiled beside it if they are not yet.

In a process of its own: the worker takes tasks meanwhile, and the rules play them. Every process
of the worker looks on the disk before it uses a kernel, so it never compiles one itself. A file in
the state folder says what was compiled, so that a later start imports no compiler to find that out.
"""

import hashlib
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, Final

import structlog
from celery.signals import worker_ready
from django.conf import settings

from cardroom.arena import compiled_code
from config.tasks.queues import BATCH

LIBRARY: Final = Path(compiled_code.__file__).resolve().parents[1]

log = structlog.get_logger(__name__)


@worker_ready.connect
def compile_kernels(sender: Any = None, **_: Any) -> None:
    if not str(getattr(sender, "hostname", "")).startswith(f"{BATCH}@"):
        return
    if not compiled_code.installed():
        log.info("kernels_not_installed", simulations="played by the rules")
        return
    note, sources = settings.STATE / "kernels-compiled", _sources()
    if not note.exists() or note.read_text() != sources:
        command = [sys.executable, "-m", "cardroom.fast.kernel", str(note), sources]
        subprocess.Popen(command, stdout=subprocess.DEVNULL)


def _sources() -> str:
    """Changes with the files that compiled code is made from."""
    times = "".join(f"{path} {path.stat().st_mtime_ns}" for path in sorted(files()))
    return hashlib.sha256(f"{sys.version} {times}".encode()).hexdigest()


def files() -> Iterator[Path]:
    for name, kind in product(("fast", "rules"), ("*.py", "*.table")):
        yield from (LIBRARY / name).rglob(kind)
