"""Memory and cores of this machine, and the settings of Postgres and Valkey that follow from it.

The limits of a cgroup count, not what its host has: a container on a large host is a small machine.
`python -m config.host.sizes --memory 4096 --cores 4` prints the lines of docker/.env for a host of
that size. Standard library only: the parent of a service (`config.host.serve`) needs it.
"""

import argparse
import math
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

MB: Final = 2**20
CGROUPS: Final = Path("/sys/fs/cgroup")
LITTLE: Final = 1536  # MB; below, one process of each kind
MANY_CONNECTIONS: Final = 100
FEW_CONNECTIONS: Final = 60


class Machine(NamedTuple):
    memory: int  # MB
    cores: int


def machine(root: Path = Path("/")) -> Machine:
    """Of this process. `MEMORY_MB` says less where no cgroup does."""
    cores = len(os.sched_getaffinity(0))
    quotas = [math.ceil(quota) for quota in _processors(root)]
    memory = [_of_the_host(root), *_memory(root)]
    if (named := os.environ.get("MEMORY_MB", "")).isdigit() and int(named):
        memory.append(int(named) * MB)
    return Machine(min(memory) // MB, max(1, min([cores, *quotas])))


def postgres(here: Machine, *, alone: bool = False) -> dict[str, str]:
    """`alone`: the memory is that of the database, as in a container of its own."""
    cached = here.memory // (4 if alone else 16)
    little = here.memory < LITTLE
    connections = FEW_CONNECTIONS if little else MANY_CONNECTIONS
    return {
        "max_connections": str(max(connections, 30 + 25 * here.cores) + (100 if alone else 0)),
        "shared_buffers": f"{_between(32, cached, 4096 if alone else 1024)}MB",
        "effective_cache_size": f"{_between(128, here.memory * (3 if alone else 2) // 4, 2**20)}MB",
        "work_mem": f"{_between(2, here.memory // 256, 32)}MB",
        "maintenance_work_mem": f"{_between(16, here.memory // 32, 512)}MB",
        "max_wal_size": f"{_between(256, here.memory // 2, 2048)}MB",
        "wal_buffers": "1MB",  # of up to 16, all of which it would touch; a commit takes kilobytes
        "autovacuum_max_workers": str(_between(1, here.cores, 3)),
        "max_parallel_workers_per_gather": str(_between(0, here.cores // 2, 2)),
    }


def valkey(here: Machine, *, alone: bool = False) -> dict[str, str]:
    """It refuses to write at its bound: what it forgot to make room would be tasks and counts.

    A container of its own needs room for the copy that rewriting the log makes.
    """
    most = here.memory * 3 // 4 if alone else _between(64, here.memory // 8, 2048)
    return {
        "maxmemory": f"{most}mb",
        "maxmemory-policy": "noeviction",
        "auto-aof-rewrite-min-size": "16mb",  # smaller logs are not rewritten
        "hz": "1",  # of ten times a second that it wakes for nothing
    }


def web_processes(here: Machine, *, one_machine: bool) -> int:
    """Two where there are two cores, one on one; on one machine, half of many cores.

    Postgres needs the other half. A process writes moves that come in together in one statement, so
    more processes than needed mean smaller and more expensive writes.
    """
    most = max(1, here.memory // 512)
    return min(most, max(min(here.cores, 2), here.cores // 2 if one_machine else 0))


def containers(host: Machine) -> dict[str, str]:
    """The variables of docker/compose.yml: a quarter of the memory for Postgres, as it is alone."""
    share = Machine(max(256, host.memory // 4), host.cores)
    names = ("max_connections", "shared_buffers", "effective_cache_size", "work_mem")
    chosen = {name: value for name, value in postgres(share, alone=True).items() if name in names}
    broker = Machine(_between(128, host.memory // 16, 2048), host.cores)
    return {
        "POSTGRES_MEMORY": f"{share.memory}m",
        **{f"POSTGRES_{name.upper()}": value for name, value in chosen.items()},
        "POSTGRES_MAX_WAL_SIZE": postgres(host)["max_wal_size"],
        "VALKEY_MEMORY": f"{broker.memory}m",
        "VALKEY_MAXMEMORY": valkey(broker, alone=True)["maxmemory"],
        "WEB_PROCESSES": str(web_processes(host, one_machine=False)),
    }


def _between(least: int, wanted: int, most: int) -> int:
    return max(least, min(wanted, most))


def _of_the_host(root: Path) -> int:
    for line in (root / "proc/meminfo").read_text().splitlines():
        if line.startswith("MemTotal:"):
            return int(line.split()[1]) * 1024
    raise OSError("/proc/meminfo does not say how much memory there is.")


def _memory(root: Path) -> Iterator[int]:
    for group in _groups(root, ""):
        yield from _number(group / "memory.max")
    for group in _groups(root, "memory"):
        yield from _number(group / "memory.limit_in_bytes")


def _processors(root: Path) -> Iterator[float]:
    for group in _groups(root, ""):
        with suppress(OSError, ValueError, ZeroDivisionError):
            quota, period = (group / "cpu.max").read_text().split()
            yield int(quota) / int(period)
    for group in _groups(root, "cpu"):
        for microseconds in _number(group / "cpu.cfs_quota_us"):
            for each in _number(group / "cpu.cfs_period_us"):
                yield microseconds / each


def _groups(root: Path, controller: str) -> Iterator[Path]:
    """The cgroup of this process and those above it; the second version names no controller.

    In a container the path may be that of the host, which is not there: its own is at the top.
    """
    with suppress(OSError):
        for line in (root / "proc/self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            if controller in controllers.split(","):
                top = root / CGROUPS.relative_to("/") / controller
                here = top / path.strip("/")
                yield from (each for each in (here, *here.parents) if each.is_relative_to(top))


def _number(file: Path) -> Iterator[int]:
    """Nothing where there is no bound: `max`, -1, or more than any machine has."""
    with suppress(OSError, ValueError):
        if 0 < (number := int(file.read_text())) < 2**60:
            yield number


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m config.host.sizes", description=__doc__)
    here = machine()
    parser.add_argument("--memory", type=int, default=here.memory, help="MB")
    parser.add_argument("--cores", type=int, default=here.cores)
    options = parser.parse_args()
    for name, value in containers(Machine(options.memory, options.cores)).items():
        print(f"{name}={value}")  # noqa: T201


if __name__ == "__main__":
    main()
