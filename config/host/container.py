"""The first process of a container: it watches the others, as `manage.py serve` does.

`python -m config.host.container web` (`worker`, `duties`, `batch`, `long`, `outward`, `beat`)
starts the processes of such a container. It restarts those that end, and replaces those that show
no sign of life, which no container engine does by itself. A process that ends before its first sign
of life cannot start, so the container ends too: the engine then waits longer each time.
"""

import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Final

from prometheus_client.multiprocess import mark_process_dead

from config.host import crew
from config.host.state_folder import CannotServe, listen
from config.host.supervisor import ChildProcess, call_others, end_all

LOOK_SECONDS: Final = 0.2
SECONDS_TO_END: Final = 55.0  # a worker finishes its tasks; the engine waits as compose.yml says

Children = list[ChildProcess]


class Container:
    """Runs until a signal stops it, and returns the exit code."""

    def __init__(self, children: Children) -> None:
        self._children = children
        self._stopping = False

    def run(self) -> int:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        for child in self._children:
            child.start()
        try:
            return self._watch()
        finally:
            end_all(self._children, SECONDS_TO_END)

    def _watch(self) -> int:
        while not self._stopping:
            for child in self._children:
                code = _code_of(child)
                if code is not None and not child.has_begun:
                    return code
                self._look_after(child)
            self._reap()
            time.sleep(LOOK_SECONDS)
        return 0

    def _look_after(self, child: ChildProcess) -> None:
        pid, ended = child.pid, child.restart_if_ended()
        if ended:
            print(ended, file=sys.stderr, flush=True)  # noqa: T201 - there is no log here
            call_others(self._children, child)
            folder = os.environ.get("PROMETHEUS_MULTIPROC_DIR")
            if folder:
                mark_process_dead(pid, folder)  # type: ignore[no-untyped-call]

    def _reap(self) -> None:
        """Waits for orphans: the first process of a container inherits them."""
        own = {child.pid for child in self._children}
        with suppress(ChildProcessError):
            while (ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)) and (
                ended.si_pid not in own
            ):
                os.waitpid(ended.si_pid, 0)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self._stopping = True


def _code_of(child: ChildProcess) -> int | None:
    """The exit code if it ended; a shell's for a signal."""
    code = child.process.poll() if child.process else None
    return code if code is None or code >= 0 else 128 - code


def _web() -> Children:
    number = crew.env.int("WEB_PROCESSES", default=crew.usual_web_processes(one_machine=False))
    listener = listen(crew.env.str("HOST", default="0.0.0.0"), crew.env.int("PORT", default=8000))  # noqa: S104
    return crew.web(listener.detach(), max(1, number))


KINDS: Final[dict[str, Callable[[], Children]]] = {
    "web": _web,
    "worker": crew.interactive_workers,
    "duties": lambda: [crew.duties_worker()],
    "batch": lambda: [crew.batch_worker()],
    "long": lambda: [crew.long_worker()],
    "outward": lambda: [crew.outward_worker()],
    "beat": lambda: [crew.beat()],
}


def main() -> None:
    try:
        children = KINDS[sys.argv[1]]()
    except CannotServe as error:
        sys.exit(str(error))
    sys.exit(Container(children).run())


if __name__ == "__main__":
    main()
