"""Workers move the bots that search by their compiled forms, where these are ready.

Each process of a worker loads them soon after its start, beside its first turns: the first player
who meets such a bot would wait for that otherwise. What is not compiled yet is played by the rules
and loaded once it is. Web processes do none of this: they never import kernels.
"""

from threading import Thread
from time import sleep
from typing import Any, Final

import structlog
from celery.signals import worker_process_init

from games.arena import compiled_code
from games.matches.turns.thinking import quicker_forms

FIRST: Final = 2.0  # seconds for what is owed when the process starts
PAUSE: Final = 15.0  # between two looks at what is still being compiled

log = structlog.get_logger(__name__)


@worker_process_init.connect
def use_compiled_searches(**_: Any) -> None:
    if compiled_code.quick not in quicker_forms:
        quicker_forms.append(compiled_code.quick)
    Thread(target=load_searches, name="load-kernels", daemon=True).start()


def load_searches() -> None:
    """Until all of them are loaded."""
    sleep(FIRST)
    try:
        while not compiled_code.load_searches():
            sleep(PAUSE)
    except Exception:
        log.exception("kernels_not_loaded")
