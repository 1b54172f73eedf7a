"""The processes of one machine's service: started, watched, started again, ended.

No child survives its parent: `python -m config.host.supervisor PARENT MODULE …` first asks the
kernel for that and then runs the module. Each child leads its own session, so that Ctrl-C reaches
only the parent, which ends them in order.
"""

import ctypes
import os
import runpy
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

PR_SET_PDEATHSIG = 1  # linux/prctl.h
SHORT_LIFE = 5.0  # seconds; a child that lives no longer is not started again at once
LONGEST_PAUSE = 2.0


def end_with_parent(parent: int) -> None:
    """Called by a child: it is killed when this process, its parent, ends for any reason."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it ended before we asked
        os.kill(os.getpid(), signal.SIGKILL)


@dataclass
class ChildProcess:
    """One process that has to run: a module of this project and its arguments."""

    name: str
    command: Sequence[str]
    keep_open: Sequence[int] = ()
    process: subprocess.Popen[bytes] | None = None
    _started_at: float = 0.0
    _pause: float = 0.0
    _start_again_at: float = 0.0

    @property
    def pid(self) -> int:
        """0 while it does not run."""
        return self.process.pid if self.process else 0

    def start(self) -> None:
        self._started_at = time.monotonic()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "config.host.supervisor", str(os.getpid()), *self.command],
            stdin=subprocess.DEVNULL,
            pass_fds=self.keep_open,
            start_new_session=True,
        )

    def restart_if_ended(self) -> str | None:
        """Starts it again if it ended; a sentence about that, once for each end."""
        if self.process is not None and self.process.poll() is None:
            return None
        now, sentence = time.monotonic(), None
        if self.process is not None:
            sentence = f"{self.name} ended ({_reason(self.process.returncode)}); starting it again"
            self._end_group()
            lived_long = now - self._started_at > SHORT_LIFE
            self._pause = 0.0 if lived_long else min(LONGEST_PAUSE, self._pause * 2 or 0.2)
            self._start_again_at = now + self._pause
            self.process = None
        if now >= self._start_again_at:
            self.start()
        return sentence

    def terminate(self) -> None:
        if self.process is not None:
            with suppress(ProcessLookupError):
                self.process.terminate()

    def end(self, until: float) -> None:
        """Waits for its end until then; after that it is killed."""
        if self.process is None:
            return
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(max(0.0, until - time.monotonic()))
        self._end_group()
        self.process.wait()
        self.process = None

    def _end_group(self) -> None:
        """Kills the processes that it started, and itself."""
        if self.process is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)


def end_all(children: Sequence[ChildProcess], seconds: float) -> None:
    """Terminates all, waits this long, kills those that are left."""
    for child in children:
        child.terminate()
    until = time.monotonic() + seconds
    for child in children:
        child.end(until)


def _reason(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    with suppress(ValueError):
        return signal.Signals(-code).name
    return f"signal {-code}"


if __name__ == "__main__":
    end_with_parent(int(sys.argv[1]))
    sys.argv[:] = sys.argv[2:]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
