"""Which processes a service consists of: on one machine, and in a container of each kind."""

import os
from collections.abc import Sequence
from typing import Final

from config.environment import Environment
from config.host.supervisor import ChildProcess

env: Final = Environment()


def web(listening: int, number: int) -> list[ChildProcess]:
    """All of them accept from one socket: while one ends or hangs, the others answer."""
    command = ["config.processes.web", "--fd", str(listening)]
    return [ChildProcess("A web process", command, keep_open=[listening]) for _ in range(number)]


def interactive_workers(*more: str) -> list[ChildProcess]:
    """Two with half of the pool's processes each: when one ends or hangs, the other plays on."""
    processes = env.int("WORKER_PROCESSES", default=2)
    shares = [each for each in (processes - processes // 2, processes // 2) if each > 0]
    return [
        ChildProcess(
            "A worker",
            ["config.processes.worker", "interactive", f"--concurrency={share}", *_named(n), *more],
        )
        for n, share in enumerate(shares)
    ]


def batch_worker() -> ChildProcess:
    return ChildProcess("The batch worker", ["config.processes.worker", "batch"])


def duties_worker() -> ChildProcess:
    """Two processes: while one waits for a lock, the other goes on."""
    return ChildProcess("The duties worker", ["config.processes.worker", "duties"])


def long_worker() -> ChildProcess:
    return ChildProcess("The worker of long duties", ["config.processes.worker", "long"])


def outward_worker() -> ChildProcess:
    """It makes calls to other servers, and waits for them."""
    return ChildProcess("The outward worker", ["config.processes.worker", "outward"])


def beat() -> ChildProcess:
    return ChildProcess("The beat", ["config.processes.beat"])


def usual_web_processes(*, one_machine: bool) -> int:
    """At least two if there are two cores; on one machine, half of the cores.

    Postgres needs the other half. A process writes moves that come in together in one statement, so
    more processes than needed mean smaller and more expensive writes.
    """
    cores = len(os.sched_getaffinity(0))
    return max(min(cores, 2), cores // 2 if one_machine else 0)


def _named(number: int) -> Sequence[str]:
    """The second worker of a machine needs another name."""
    return [f"--hostname=interactive@%h-{number + 1}"] if number else []
