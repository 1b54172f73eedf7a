"""The first process of a container: it watches the others, as `manage.py serve` does.

`python -m config.host.container web` (`worker`, `duties`, `batch`, `long`, `outward`, `beat`)
starts the processes of such a container, forked from one that has imported what they need. It
restarts those that end, and replaces those that show no sign of life, which no container engine
does by itself. A process that ends before its first sign of life cannot start, so the container
ends too: the engine then waits longer each time.
"""

import os
import signal
import sys
from typing import Final

from config.host.state_folder import CannotServe, listen
from config.host.supervisor import NoFork
from config.host.watch import Watch, say_on_stderr
from config.tasks.queues import WORKERS

SECONDS_TO_END: Final = 55.0  # a worker finishes its tasks; the engine waits as compose.yml says
KINDS: Final = ("web", "worker", "beat", *WORKERS)


class Container:
    """Runs until a signal stops it, and returns the exit code."""

    def __init__(self, kind: str) -> None:
        listening = [_listen()] if kind == "web" else []
        self._watch = Watch(kind, listening, say_on_stderr)
        self._watch.stop_at(signal.SIGINT, signal.SIGTERM)

    def run(self) -> int:
        watch, preloader = self._watch, self._watch.load()
        try:
            while not preloader.is_loaded():
                watch.sleep()
                if watch.stopping:
                    return 0
            watch.use(preloader)
            watch.add(preloader.roles or [], preloader)
            return self._look()
        except NoFork:
            return _of_a_shell(preloader.process.wait()) or 1
        finally:
            watch.end(SECONDS_TO_END)

    def _look(self) -> int:
        watch = self._watch
        while not watch.stopping:
            for child in watch.children:
                code = child.process.poll() if child.process else None
                if code is not None and not child.has_begun:
                    return _of_a_shell(code)
            watch.look()
            watch.sleep()
        return 0


def _of_a_shell(code: int) -> int:
    return code if code >= 0 else 128 - code


def _listen() -> int:
    port = os.environ.get("PORT") or "8000"
    if not port.isdigit():
        raise CannotServe(f"PORT={port} is not a whole number.")
    return listen(os.environ.get("HOST") or "0.0.0.0", int(port)).detach()  # noqa: S104


def main() -> None:
    if sys.argv[1] not in KINDS:
        sys.exit(f"There is no container {sys.argv[1]!r}; there are {', '.join(KINDS)}.")
    try:
        code = Container(sys.argv[1]).run()
    except CannotServe as error:
        sys.exit(str(error))
    sys.exit(code)


if __name__ == "__main__":
    main()
