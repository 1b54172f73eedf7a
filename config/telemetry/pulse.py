"""Signs of life: a working process sends one to its parent every two seconds, or is replaced.

A process may run and still do nothing: it is stopped, or waits for ever. So each thread that must
go on (of an event loop, a consumer, the beat) `beats`, and signs are sent only while all of them
do. A process that hangs for long writes into the log where it hangs. A thread that tries to reach a
lost broker `waits`. The parent may call too, and the process asks whether it `is_called`. Standard
library only.
"""

import faulthandler
import os
import socket
import time
from contextlib import suppress
from threading import Thread, get_ident
from typing import Final

VARIABLE: Final = "PULSE_SOCKET"
EVERY: Final = 2.0  # seconds
PATIENCE: Final = 4.0  # with a thread that does not beat
SHOWN_AFTER: Final = 8.0
SIGN: Final = b"."


class Pulse:
    """One a process."""

    def __init__(self) -> None:
        self._beats: dict[int, float] = {}  # by thread
        self._called = False

    def beats(self, within: float = 0.0) -> None:
        """This thread works at this moment, and will say so again, at the latest after so long."""
        self._beats[get_ident()] = time.monotonic() + within

    def waits(self) -> None:
        """This thread waits for a moment longer, if it is one of those that beat."""
        if get_ident() in self._beats:
            self.beats()

    def rests(self) -> None:
        """This thread may be silent until it beats again."""
        self._beats.pop(get_ident(), None)

    def is_called(self) -> bool:
        """Whether the parent has called since the last call of this."""
        called, self._called = self._called, False
        return called

    def start(self) -> None:
        """From now on signs are sent, if there is a parent that wants them."""
        number = os.environ.pop(VARIABLE, "")  # processes started from here must not use it
        if number:
            there = socket.socket(fileno=int(number))
            there.settimeout(EVERY)
            Thread(target=self._say, args=(there,), name="pulse", daemon=True).start()

    def _say(self, there: socket.socket) -> None:
        shown = False
        while True:
            silence = self._silence()
            if silence < PATIENCE:
                shown = False
                with suppress(OSError):  # nobody has listened for long
                    there.send(SIGN, socket.MSG_DONTWAIT)
            elif silence > SHOWN_AFTER and not shown:
                shown = True
                faulthandler.dump_traceback(all_threads=True)
            try:
                self._called |= bool(there.recv(64))
            except TimeoutError:
                continue
            time.sleep(EVERY)

    def _silence(self) -> float:
        """Of the thread that has not beaten for longest, in seconds."""
        now = time.monotonic()
        return max((now - at for at in list(self._beats.values())), default=0.0)


class Bell:
    """Asks the parent for the processes that are begun on demand under a name."""

    def __init__(self) -> None:
        self._there: socket.socket | None = None

    def use(self, number: int) -> None:
        """Rings there from now on; without it nothing happens."""
        self._there = socket.socket(fileno=number)

    def ring(self, name: str) -> None:
        if self._there is not None:
            with suppress(OSError):  # it has been rung often and not been heard yet
                self._there.send(name.encode(), socket.MSG_DONTWAIT)


pulse: Final = Pulse()
bell: Final = Bell()
