"""A process that lives as told: it `beats`, `hangs`, `rests`, `waits`, or `never` begins."""

import sys
import time
from pathlib import Path

from config.telemetry import pulse as signs
from config.telemetry.pulse import pulse

signs.EVERY, signs.PATIENCE, signs.SHOWN_AFTER = 0.5, 0.6, 0.8
how, heard = sys.argv[1], Path(sys.argv[2])
if how != "never":
    pulse.beats()
    pulse.start()
while True:
    if how == "beats":
        pulse.beats()
    if how == "rests":
        pulse.rests()
    if how == "waits":
        pulse.waits()
    if pulse.is_called():
        heard.touch()
    time.sleep(0.1)
