"""A whole Cardroom of its own, served as `make run` does, for browsers to look at."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tests.bench.accounting import children, tree
from tests.patience import PATIENCE, wait_until

ROOT = Path(__file__).resolve().parents[2]
OURS = (
    "DATABASE_URL",
    "VALKEY_URL",
    "TEST_DATABASE",
    "DJANGO_SETTINGS_MODULE",
    "HOST",
    "LOG_LEVEL",
)


class House(str):
    """The address of a running Cardroom; ``pid`` is the process that serves it."""

    __slots__ = ("pid",)
    pid: int

    def web_processes(self) -> list[int]:
        return children(self.pid, "config.processes.web")

    @contextmanager
    def without_workers(self) -> Iterator[None]:
        """The workers that play the computers' turns stand still, and who would replace them."""
        workers = children(self.pid, "config.processes.worker interactive")
        stopped = [self.pid, *(process.pid for worker in workers for process in tree(worker))]
        try:
            for pid in stopped:
                os.kill(pid, signal.SIGSTOP)
            yield
        finally:
            for pid in stopped:
                os.kill(pid, signal.SIGCONT)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def new_folder() -> Iterator[Path]:
    """For the state of a house, whose database has a user of its own. Pytest's own folders are made
    where other runs tidy up.
    """
    named = {"prefix": "cardroom-e2e-", "dir": "/tmp"}
    with tempfile.TemporaryDirectory(**named, ignore_cleanup_errors=True) as made:
        Path(made).chmod(0o755)
        yield Path(made)


@contextmanager
def served(
    folder: Path,
    settings: str = "tests.e2e.settings",
    more: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[House]:
    """Keeps its state in ``folder``, and ``said.txt``: what it printed."""
    port = _free_port()
    env = {name: value for name, value in os.environ.items() if name not in OURS}
    env |= {"CARDROOM_STATE": str(folder / "state"), "PORT": str(port)}
    env |= {"DJANGO_SETTINGS_MODULE": settings, "DOCS_ROOT": str(folder / "site")}
    env |= {"THROTTLE_GUESTS": "2000/hour", **more}  # every visitor has the same address
    said = folder / "said.txt"
    with said.open("w") as out:
        serve = [sys.executable, "manage.py", "serve"]
        process = subprocess.Popen(serve, cwd=ROOT, env=env, stdout=out, stderr=out)
    try:
        _wait_until_ready(process, said)
        house = House(f"http://127.0.0.1:{port}")
        house.pid = process.pid
        yield house
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=PATIENCE)


def prepared(folder: Path, module: str) -> Any:
    """What the function ``prepare`` of a module of tests prints, run by the shell of that house."""
    env = {name: value for name, value in os.environ.items() if name not in OURS}
    env |= {"CARDROOM_STATE": str(folder / "state"), "DJANGO_SETTINGS_MODULE": "tests.e2e.settings"}
    code = f"from {module} import prepare; prepare()"
    shell = [sys.executable, "manage.py", "shell", "-v", "0", "-c", code]
    said = subprocess.run(shell, cwd=ROOT, env=env, check=True, stdout=subprocess.PIPE)
    return json.loads(said.stdout.splitlines()[-1])


def _wait_until_ready(process: "subprocess.Popen[bytes]", said: Path) -> None:
    def is_ready() -> bool:
        if process.poll() is not None:
            raise RuntimeError(f"Cardroom did not start:\n{said.read_text()}")
        return "is ready" in said.read_text()

    wait_until(is_ready, pause=0.2)


def installed_chromium() -> str | None:
    """The system's own; without one playwright takes the one it brought."""
    return shutil.which("chromium") or shutil.which("chromium-browser")
