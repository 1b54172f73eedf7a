"""A night: from shortly before its work begins until it is done, is any duty late?

``python -m tests.chaos.night`` (`make night`) starts a service without compiled searches, whose
clock stands at 01:55, with 2,000 finished matches that nobody has counted, and asks `/metrics` once
a second how long each duty has been due. Exit status 1 when one for which people wait was due for
more than five seconds. ``--begins 02:06 --minutes 3 --matches 200`` is a short one.
"""

import argparse
import re
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from tests.served import ROOT, Caller, Served, say

MOST_SECONDS: Final = 5.0
SETTLES: Final = 10.0  # seconds, after the start
CLOCK: Final = Path(__file__).parent / "clock"
DELAY: Final = re.compile(
    r'^cardroom_duty_delay_seconds\{duty="([^"]+)",kind="(\w+)"\} (\S+)$', re.MULTILINE
)
FINISHED: Final = """
import django; django.setup()
from accounts.services import people
from games.matches.leaving import resign
from games.matches.models import Match
from games.matches.joining import joining, opening
from games.matches.seats import SeatRequest
from games.matches.selectors.access import Caller
from django.conf import settings
settings.LIMITS = dict.fromkeys(settings.LIMITS, 10**6)
names = [f"sleeper{{n}}" for n in range(8)]
sleepers = [people.register(username=name, password="a l0ng and quiet night") for name in names]
for n in range({matches}):
    one, other = sleepers[n % 8], sleepers[(n + 1 + n // 8 % 7) % 8]
    seats = [SeatRequest("me"), SeatRequest("open")]
    match = opening.open_match(creator=one, game="pisti", seats=seats, turn_seconds=3600)
    joining.join(match_id=match.id, user=other)
    resign(match_id=match.id, caller=Caller(user=other.pk))
"""


def main() -> int:
    options = _options()
    with Served(ROOT / "var" / "night", **_environment(options.begins)) as service:
        say(f"The service stands; its clock says {options.begins}.")
        made = service.run("-c", FINISHED.format(matches=options.matches))
        if made.returncode:
            say(made.stderr[-2000:])
            return 1
        with service.database() as database:  # a night before the installation is not missed
            database.execute("UPDATE django_migrations SET applied = applied - interval '7 days'")
        say(f"{options.matches} matches are over; {options.minutes} minutes begin.")
        worst = _watched(service.port, options.minutes * 60)
        with service.database() as database:
            for table in ("operations_cleanup", "operations_replayaudit", "people_result"):
                row = database.execute(f"SELECT count(*) FROM {table}").fetchone()
                say(f"{row[0] if row else 0} rows of {table}")
    return _verdict(worst)


def _environment(begins: str) -> dict[str, str]:
    """The last time that the clock stood so: rows that the database dates are not in the future."""
    now, (hour, minute) = datetime.now(UTC), map(int, begins.split(":"))
    then = now.replace(hour=hour, minute=minute, second=0)
    then -= timedelta(days=then > now)
    return {
        "CLOCK_BEHIND_SECONDS": str(int((now - then).total_seconds())),
        "PYTHONPATH": str(CLOCK),
        "CARDROOM_KERNELS": "python",
    }


def _watched(port: int, seconds: float) -> dict[tuple[str, str], float]:
    """The longest delay of each duty, by name and kind."""
    begun, worst = time.monotonic(), dict[tuple[str, str], float]()
    while (passed := time.monotonic() - begun) < seconds:
        for name, kind, delay in _delays(port):
            known = worst.setdefault((name, kind), 0.0)
            if passed > SETTLES and delay > known:
                worst[name, kind] = delay
                if delay > MOST_SECONDS and kind != "long":
                    say(f"  after {passed:.0f} s: {name} due for {delay:.1f} s")
        time.sleep(1)
    return worst


def _delays(port: int) -> Iterator[tuple[str, str, float]]:
    page = Caller(port, patience=10).get("/metrics").body.decode()
    for name, kind, delay in DELAY.findall(page):
        yield name, kind, float(delay)


def _verdict(worst: dict[tuple[str, str], float]) -> int:
    late = 0
    for (name, kind), delay in sorted(worst.items(), key=lambda one: -one[1]):
        is_late = kind != "long" and delay > MOST_SECONDS
        late += is_late
        say(f"  {delay:6.1f} s  {kind:<8} {name}{'  LATE' if is_late else ''}")
    say(f"{len(worst)} duties, {late} of them late")
    return int(late > 0 or not worst)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make night", description=__doc__)
    parser.add_argument("--begins", default="01:55", help="of UTC")
    parser.add_argument("--minutes", type=float, default=35)
    parser.add_argument("--matches", type=int, default=2000)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
