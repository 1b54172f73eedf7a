"""The picture as a PNG, for programs that show no SVG. The pixels are drawn by another process."""

import subprocess
import sys
from pathlib import Path
from threading import BoundedSemaphore
from typing import Final

from config.api.errors import Unavailable

PROGRAM: Final = Path(__file__).with_name("rasterizing.py")
AT_ONCE: Final = 2  # a web process has other things to do
SECONDS: Final = 10

_free: Final = BoundedSemaphore(AT_ONCE)


def png_of(svg: str) -> bytes:
    """Raises ``Unavailable`` when it takes too long."""
    if not _free.acquire(timeout=SECONDS):
        raise Unavailable
    try:
        command = [sys.executable, "-P", str(PROGRAM)]
        done = subprocess.run(
            command, input=svg.encode(), capture_output=True, timeout=SECONDS, check=True
        )
    except subprocess.SubprocessError as error:
        raise Unavailable from error
    finally:
        _free.release()
    return done.stdout
