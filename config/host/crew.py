"""The processes of a service: on one machine, and in a container of each kind."""

from collections.abc import Iterator, Sequence
from typing import Final

from config.environment import Environment
from config.host import sizes
from config.host.supervisor import Role
from config.tasks.queues import BATCH, DUTIES, INTERACTIVE, LONG, OUTWARD, WORKERS

env: Final = Environment()

VARIABLES: Final = {INTERACTIVE: "WORKER_PROCESSES", DUTIES: "DUTY_WORKER_PROCESSES"}
NAMES: Final = {INTERACTIVE: "A worker"}
ON_DEMAND: Final = (BATCH, LONG, OUTWARD)  # on one machine: begun when there is work, ended without


def roles(kind: str, listening: Sequence[int]) -> Iterator[Role]:
    """Of a container of this kind, or of a whole machine; pages are accepted from that socket."""
    match kind:
        case "machine":
            yield from web(listening, env.int("WEB_PROCESSES", default=usual_web_processes()))
            for worker in WORKERS:
                yield from workers(worker, one_machine=True)
        case "web":
            usual = usual_web_processes(one_machine=False)
            yield from web(listening, env.int("WEB_PROCESSES", default=usual))
        case "beat":
            yield Role("The beat", ["config.processes.beat"])
        case _:
            yield from workers("interactive" if kind == "worker" else kind, one_machine=False)


def web(listening: Sequence[int], number: int) -> Iterator[Role]:
    """All of them accept from one socket: while one ends or hangs, the others answer."""
    command = ["config.processes.web", "--fd", *map(str, listening)]
    for _ in range(max(1, number)):
        yield Role("A web process", command, keep_open=[*listening], pages=True)


def workers(kind: str, *, one_machine: bool) -> Iterator[Role]:
    """Each takes one task at a time."""
    prompt = kind in (INTERACTIVE, DUTIES)  # one waits for a lock or a bot, the other goes on
    usual = 2 if prompt and not one_machine else max(1, cores() // 2)
    number = env.int(variable(kind), default=1 if kind == OUTWARD else usual)
    beat = ["--beat"] if one_machine and kind == INTERACTIVE else []
    for n in range(number):
        named = [f"--hostname={kind}@%h-{n + 1}"] if n else []
        yield Role(
            NAMES.get(kind, f"The {kind} worker"),
            ["config.processes.worker", kind, *named, *beat],
            on_demand=kind if one_machine and kind in ON_DEMAND else "",
        )


def variable(kind: str) -> str:
    """Of the environment: how many processes there are of this kind of worker."""
    return VARIABLES.get(kind, f"{kind.upper()}_WORKER_PROCESSES")


def usual_web_processes(*, one_machine: bool = True) -> int:
    return sizes.web_processes(sizes.machine(), one_machine=one_machine)


def cores() -> int:
    return sizes.machine().cores
