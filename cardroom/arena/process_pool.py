"""Runs the parts of a simulation side by side and hands back each as it is done."""

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from itertools import islice
from multiprocessing import get_context, parent_process
from typing import TypeVar

from cardroom.arena.request import Part

T = TypeVar("T")

_AHEAD = 2  # parts in hand per process, so that none waits for the next


def run_parts(
    run: Callable[[Part], T], parts: Sequence[Part], jobs: int, *, threads: bool = False
) -> Iterator[tuple[Part, T]]:
    """Each part with its result, in the order they finish; with one job here and in order.

    ``run`` must be picklable (a function of a module or a ``partial`` of one). The processes are
    fresh ones that have imported nothing but what ``run`` needs, so no connection is shared.
    ``threads`` are enough for kernels, which do not hold the interpreter.
    """
    if jobs == 1 or len(parts) == 1:
        for part in parts:
            yield part, run(part)
        return
    workers = min(jobs, len(parts))
    with _executor(workers, threads=threads) as pool:
        waiting = iter(parts)
        running = {pool.submit(run, part): part for part in islice(waiting, workers * _AHEAD)}
        try:
            while running:
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    part = running.pop(future)
                    for following in islice(waiting, 1):
                        running[pool.submit(run, following)] = following
                    yield part, future.result()
        finally:
            _cancel(running)


def _executor(workers: int, *, threads: bool) -> Executor:
    if threads:
        return ThreadPoolExecutor(workers)
    return ProcessPoolExecutor(workers, get_context("spawn"), _exit_with_parent)


def _exit_with_parent() -> None:
    """Ends a worker process quietly when the process that started it is interrupted or killed."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C reaches every process of a terminal
    threading.Thread(target=_wait_for_parent, daemon=True).start()


def _wait_for_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _cancel(running: dict[Future[T], Part]) -> None:
    """Cancels what has not begun: the caller stopped reading, or a part failed."""
    for future in running:
        future.cancel()
