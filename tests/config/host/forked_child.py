"""A process that the preloader has forked: it writes what it drew by chance and what it holds."""

import gc
import json
import os
import random
import re
import secrets
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Final
from uuid import uuid4

from django.contrib.auth.hashers import make_password
from django.db import connection
from django.utils.crypto import get_random_string

from config.monitoring.health import valkey
from config.postgres import schema
from config.processes import worker
from config.tasks import duties
from config.telemetry import metrics
from config.telemetry.pulse import bell, pulse
from config.uuid7 import uuid7

LARGE: Final = re.compile(r"aiohttp$|pywebpush|click_repl$|[a-z_.]+\.migrations\.\d")


def main() -> None:
    pulse.start()
    before = sockets()
    threads = threading.active_count()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (backend,) = cursor.fetchone()
    client = valkey().client_id()
    metrics.DROPPED.inc()
    drawn = {
        "bytes": secrets.token_hex(),
        "random": random.random(),
        "urandom": os.urandom(16).hex(),
        "uuid7": str(uuid7())[19:],  # what is left of it without the time
        "uuid4": str(uuid4()),
        "salt": make_password("a long evening").split("$")[-2],
        "string": get_random_string(20),
        "file": next(tempfile._get_candidate_names()),
        "seed": str(random.SystemRandom().getrandbits(64)),
    }
    schema.difference()  # as `/readyz` does
    before_duties = set(sys.modules)
    duties.late()
    counts = Path(os.environ["PROMETHEUS_MULTIPROC_DIR"])
    found = {
        "drawn": drawn,
        "backend": backend,
        "client": client,
        "threads": threads,
        "opened": sorted(sockets() - before),
        "inherited": sorted(before),
        "counts": [file.name for file in counts.glob(f"*_{os.getpid()}.db")],
        "compilers": sorted({"numba", "numpy"} & set(sys.modules)),
        "imported": sorted(set(sys.modules) - before_duties),
        "large": sorted(filter(LARGE.match, sys.modules)),
        "title": Path("/proc/self/cmdline").read_bytes().rstrip(b"\0").decode().split("\0")[0],
        "session": os.getsid(0) == os.getpid(),
        "garbage": [gc.isenabled(), gc.get_freeze_count() > 0],
        "rests": worker.limits.rests_for() >= 0,
    }
    place = Path(sys.argv[1])
    bell.ring("long")
    place.with_suffix(".part").write_text(json.dumps(found))
    place.with_suffix(".part").rename(place.with_suffix(".json"))
    if place.name != "rests":
        time.sleep(60)


def sockets() -> set[str]:
    found = set()
    for link in Path("/proc/self/fd").iterdir():
        with suppress(OSError):  # the one of this look
            found.add(str(link.readlink()))
    return {target for target in found if target.startswith("socket:")}
