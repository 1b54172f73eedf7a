"""What is done before a service can be used: its tables, its pages' files, its administrator.

Each in a process of its own, which prints its line when it is done; one that fails says why, and
the service does not start.
"""

import os
import sys
import time
from collections.abc import Callable
from itertools import chain
from typing import Final

from config.host import reaching, setup
from config.host.embedded import ServiceError
from config.host.state_folder import CannotServe
from config.offers import offered
from config.telemetry.pulse import pulse


def tables() -> str:
    if fault := reaching.postgres_fault():
        raise CannotServe(fault.sentence)
    return setup.make_tables()


def pages() -> str:
    return "collected" if setup.collect_files() else "unchanged"


def games() -> str:
    return "\n            ".join(chain.from_iterable(lines() for lines in offered("start_lines")))


def administrator() -> str:
    """Nothing where there is one. The password is stored nowhere."""
    if not (made := setup.create_first_admin()):
        return ""
    command = f"{os.path.relpath(sys.executable)} manage.py changepassword {made.partition(' ')[0]}"
    return f"{made} (shown only this once)\n  Another password: {command}"


STEPS: Final[dict[str, Callable[[], str]]] = {
    "Tables": tables,
    "Pages": pages,
    "Games": games,
    "Administrator": administrator,
}


def main() -> None:
    pulse.start()
    name, begun = sys.argv[1], time.monotonic()
    try:
        done = STEPS[name]()
    except (CannotServe, ServiceError) as error:
        sys.exit(str(error))
    if done:
        took = "" if name == "Administrator" else f" ({time.monotonic() - begun:.1f} s)"
        print(f"  {name:<9} {done}{took}", flush=True)  # noqa: T201
