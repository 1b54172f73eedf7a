"""How long a test waits, on a machine that may have other work.

What ends as soon as something comes true may wait for long: it costs a test that passes nothing.
What has to be quick is as quick as the processes leave it that wait for the same cores.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

PATIENCE = 240.0  # seconds
# Tests that mostly wait, for processes and clocks, run in one worker; the others use the cores.
WAITING = pytest.mark.xdist_group("waiting")


def wait_until(condition: Callable[[], object], seconds: float = PATIENCE, pause: float = 0.01):
    """The condition's true value; fails when it is still false after so many seconds."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, "It did not come true."
        time.sleep(pause)
    return found


def on_a_busy_machine(seconds: float) -> float:
    """A limit of a quiet machine, for as many processes as wait for a core now, or did lately.

    The average follows a load that has just begun only after half a minute.
    """
    lately, *_, running, _ = Path("/proc/loadavg").read_text().split()
    waiting = max(float(lately), float(running.partition("/")[0]))
    return seconds * max(1.0, waiting / len(os.sched_getaffinity(0)))
