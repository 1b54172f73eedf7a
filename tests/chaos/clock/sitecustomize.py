"""Python begins here at another time of the day: for processes whose path has this folder."""

import os
from datetime import UTC, datetime, timedelta

import time_machine

if seconds := os.environ.get("CLOCK_BEHIND_SECONDS"):
    time_machine.travel(datetime.now(UTC) - timedelta(seconds=int(seconds)), tick=True).start()
