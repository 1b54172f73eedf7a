"""Looking up a name in so many seconds and no more.

The resolver of the system has time limits of its own, tens of seconds long, and a stranger chooses
the servers that it waits for. A lookup that is late is left alone in its thread, where it ends.
"""

import socket
import threading
from concurrent.futures import Future


def numbers_of(host: str, port: int, seconds: float) -> list[str]:
    """Raises ``TimeoutError``, or another ``OSError`` for a name that is not known."""
    answer: Future[list[str]] = Future()
    threading.Thread(target=_look_up, args=(answer, host, port), daemon=True).start()
    return answer.result(max(seconds, 0))


def _look_up(answer: "Future[list[str]]", host: str, port: int) -> None:
    try:
        answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        answer.set_exception(error)
    else:
        answer.set_result([str(address[0]) for *_, address in answers])
