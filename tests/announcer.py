"""An announcer of a scene's own, whose thread ends with the scene.

A thread that goes on trying a broker that is not there would take what later scenes announce.
"""

import queue
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from config.tasks import after_commit
from tests.patience import PATIENCE


class End:
    """An announcement that ends the thread which sends it."""

    def send(self, _broker: object) -> None:
        raise SystemExit


@contextmanager
def own_announcer(monkeypatch: pytest.MonkeyPatch, pause: float) -> Iterator[None]:
    """With an empty queue, and ``pause`` seconds after a failure.

    The one of earlier scenes ends first: in the middle of its work it would go on with this queue.
    """
    _end()
    after_commit._last_one_failed = False
    monkeypatch.setattr(after_commit, "_waiting", queue.Queue(after_commit.LONGEST_QUEUE))
    monkeypatch.setattr(after_commit, "_thread", None)
    monkeypatch.setattr(after_commit, "_last_one_failed", False)
    monkeypatch.setattr(after_commit, "PAUSE_AFTER_FAILURE", pause)
    yield
    _end()


def _end() -> None:
    thread = after_commit._thread
    if thread is not None and thread.is_alive():
        after_commit._waiting.put((End(),))
        thread.join(PATIENCE)
        assert not thread.is_alive()
