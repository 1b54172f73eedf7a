"""The file that a worker or the beat touches as long as it works: for the engine's healthcheck.

A worker touches it with each heartbeat, which needs its connection to Valkey; the beat when a task
was taken. `docker/healthy` looks how old it is. Without ALIVE_FILE there is none.
"""

import os
from pathlib import Path
from typing import Any

from celery.signals import after_task_publish, beat_init, heartbeat_sent


@heartbeat_sent.connect
def touch(**_: Any) -> None:
    path = os.environ.get("ALIVE_FILE", "")
    if path:
        Path(path).touch()


@beat_init.connect
def touch_with_each_task(**_: Any) -> None:
    after_task_publish.connect(touch)
