"""A first start on a machine that has no time: `python -m tests.chaos.busy`, of ``make chaos``.

Busy loops wait for every core, each in a session of its own: the kernel shares a core out by
sessions, so that many loops of one session would cost a start no more than one does. The service
must come up from an empty folder, however long that takes, show a page, and print the password of
its administrator when it can be used. Exit status 1 when it ended or killed a process of its own.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from tests.served import ROOT, Served

LOOP: Final = "while True: pass"
LONGEST: Final = 1800.0
READY: Final = "changepassword"  # the last line of a first start


@contextmanager
def busy(loops: int) -> Iterator[None]:
    """So many loops a core."""
    number = loops * len(os.sched_getaffinity(0))
    command = [sys.executable, "-c", LOOP]
    running = [subprocess.Popen(command, start_new_session=True) for _ in range(number)]
    try:
        yield
    finally:
        for one in running:
            one.kill()
            one.wait()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos.busy", description=__doc__)
    parser.add_argument("--loops", type=int, default=12, help="busy loops a core")
    options = parser.parse_args()
    begun = time.monotonic()
    with busy(options.loops), Served(ROOT / "var" / "busy", patience=LONGEST) as service:
        service.wait_for(lambda: READY in service.log.read_text(), LONGEST)
        output, load = service.log.read_text(), os.getloadavg()[0]
    print(output)
    seconds = time.monotonic() - begun
    print(f"Up after {seconds:.0f} s beside {options.loops} busy loops a core, load {load:.0f}")
    return int("starting it again" in output)


if __name__ == "__main__":
    sys.exit(main())
