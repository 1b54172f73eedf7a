"""When a worker for simulations starts, kernels are compiled beside it if they are not yet.

In a process of its own: the worker takes tasks meanwhile, and the rules play them. Every process
of the worker looks on the disk before it uses a kernel, so it never compiles one itself.
"""

import subprocess
import sys
from typing import Any

import structlog
from celery.signals import worker_ready

from config.tasks.queues import BATCH
from games.arena import compiled_code

log = structlog.get_logger(__name__)


@worker_ready.connect
def compile_kernels(sender: Any = None, **_: Any) -> None:
    if not str(getattr(sender, "hostname", "")).startswith(f"{BATCH}@"):
        return
    if not compiled_code.installed():
        log.info("kernels_not_installed", simulations="played by the rules")
        return
    subprocess.Popen([sys.executable, "-m", "games.fast.warming"], stdout=subprocess.DEVNULL)
