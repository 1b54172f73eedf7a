"""Signs of life: a process that works says so twice a second to its parent, or is replaced.

A process may run and yet do nothing: stopped, or waiting for ever. So each thread that has to go on
(of an event loop, a consumer, the beat) says that it `beats`, and only while all of them do so is a
sign sent; what hangs for long shows in the log where it does. One that tries to reach a broker
which is away `waits`. The parent may call, too, and the process asks whether it `is_called`.
Standard library only.
"""

import faulthandler
import os
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Thread, get_ident
from typing import Final

VARIABLE: Final = "PULSE_SOCKET"
EVERY: Final = 0.5  # seconds
PATIENCE: Final = 4.0  # with a thread that does not beat
SHOWN_AFTER: Final = 8.0
SIGN: Final = b"."


class Pulse:
    """One a process."""

    def __init__(self) -> None:
        self._beats: dict[int, float] = {}  # by thread
        self._called = False

    def beats(self) -> None:
        """This thread works at this moment, and will say so again."""
        self._beats[get_ident()] = time.monotonic()

    def waits(self) -> None:
        """It tries for one more moment, if it is one of those that have to go on."""
        if get_ident() in self._beats:
            self.beats()

    def rests(self) -> None:
        """It may be silent until it beats again."""
        self._beats.pop(get_ident(), None)

    def is_called(self) -> bool:
        """Whether the parent has called since this was asked last."""
        called, self._called = self._called, False
        return called

    def start(self) -> None:
        """From now on signs are sent, if there is a parent that wants them."""
        number = os.environ.pop(VARIABLE, "")  # it is nobody's who is started from here
        if number:
            there = socket.socket(fileno=int(number))
            there.settimeout(EVERY)
            Thread(target=self._say, args=(there,), name="pulse", daemon=True).start()

    def keep(self, call_later: Callable[[float, Callable[[], None]], object]) -> None:
        """``call_later`` of the event loop of this thread, which beats as long as that goes on."""

        def beat() -> None:
            self.beats()
            call_later(EVERY, beat)

        beat()

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


pulse: Final = Pulse()
