"""Starting, recognising and ending a server process that is not always a child of this one."""

import contextlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

_started: list[subprocess.Popen[bytes]] = []


class ServiceError(RuntimeError):
    """Postgres or Valkey cannot be started; the text says why and what to do."""


def start(command: Sequence[str | Path], *, log: Path, cwd: Path, popen: Mapping[str, Any]) -> None:
    """Starts a server that outlives this process and does not receive its Ctrl-C."""
    with log.open("ab") as output:
        _started.append(
            subprocess.Popen(
                [str(part) for part in command],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd=cwd,
                env=environment(),
                start_new_session=True,
                **popen,
            )
        )


def run(
    command: Sequence[str | Path], *, cwd: Path, popen: Mapping[str, Any], words: str = ""
) -> str:
    """Runs a program to its end; its output. It is given the words.

    Raises ServiceError with the output if it fails.
    """
    done = subprocess.run(
        [str(part) for part in command],
        input=words.encode(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=cwd,
        env=environment(),
        check=False,
        **popen,
    )
    output: str = done.stdout.decode(errors="replace").strip()
    if done.returncode != 0:
        raise ServiceError(f"{Path(command[0]).name} failed: {output}")
    return output


def environment() -> dict[str, str]:
    """The environment of a server, without variables that would change it (PG*, LD_*)."""
    return {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}


def alive(pid: int) -> bool:
    """Whether the process runs. A zombie does not, although signals still reach it."""
    for child in _started:
        child.poll()
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return _kernel_state(pid) not in ("Z", "X")


def _kernel_state(pid: int) -> str:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:  # no /proc here, or it has just ended
        return "?"
    return fields[0]


def command_line(pid: int) -> str:
    """The command of a process, or nothing where there is no /proc."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def working_in(folder: Path) -> bool:
    """Whether any process has this working folder, as all of Postgres have."""
    for place in Path("/proc").glob("[0-9]*/cwd"):
        with contextlib.suppress(OSError):
            if place.readlink() == folder:
                return True
    return False


def wait_until(condition: Callable[[], bool], seconds: float, step: float = 0.02) -> bool:
    """Waits until the condition is true; False when the time is over."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(step)
    return True


def end(pid: int, *signals: signal.Signals, seconds: float) -> None:
    """Sends each signal in turn, and at last SIGKILL, until the process has ended."""
    for number in (*signals, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)
        if wait_until(lambda: not alive(pid), seconds):
            return


def size(path: Path) -> int:
    """In bytes; 0 for a file that is not there."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def added(path: Path, since: int) -> str:
    """The part of a log that was written after it had this size."""
    try:
        with path.open("rb") as log:
            log.seek(since)
            return log.read().decode(errors="replace")
    except OSError:
        return ""


def cut(path: Path, longest: int) -> None:
    """Keeps a log that has become longer than this beside it, as ``.1``, and begins it again.

    The program that writes it has it open to append, so it goes on at the new end.
    """
    if size(path) > longest:
        shutil.copyfile(path, path.with_name(path.name + ".1"))
        os.truncate(path, 0)


def last_lines(path: Path, count: int = 5) -> str:
    try:
        return "\n".join(path.read_text(errors="replace").splitlines()[-count:])
    except OSError:
        return ""
