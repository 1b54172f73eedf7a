"""The file that a worker or the beat touches as long as it works: for the engine's healthcheck.

A worker touches it with each heartbeat, which needs its connection to Valkey; the beat when it
has asked what is due. `docker/healthy` looks how old it is. Without ALIVE_FILE there is none.
"""

import os
from pathlib import Path
from typing import Any

from celery.signals import heartbeat_sent


@heartbeat_sent.connect
def touch(**_: Any) -> None:
    path = os.environ.get("ALIVE_FILE", "")
    if path:
        Path(path).touch()
