"""`make tournaments`: each form with many players while parts of the service are killed.

Some of the players are programs that join over the API and play at random, the others computers.
At the end every round is paired, nobody is at two boards of a round, no match was opened twice, and
the standings are those that ``tests/competitions/recounted.py`` counts from the public archive of
the day, in a process of its own that knows nothing of the service.

A form takes at most a quarter of an hour (``--patience``), and can be tried alone:

    make tournaments TOURNAMENTS="--forms swiss"
    make tournaments TOURNAMENTS="--forms arena --players 24 --kills 2"
"""

import argparse
import json
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPException
from typing import Any, Final

from tests.chaos.kills import Killer
from tests.served import ROOT, Caller, Served

STATE: Final = ROOT / "var" / "chaos" / "tournaments"
FORMS: Final = ("swiss", "knockout", "arena", "round_robin")
OPTIONS: Final = {"rounds_to_win": 1}
ASKS_EVERY: Final = 0.5
ALLOWED: Final = {"THROTTLE_GUESTS": "1000000/min", "STREAMS_PER_ACCOUNT": "100"}
DOUBLED: Final = """
SELECT count(*) FROM games_match m JOIN accounts_user u ON u.id = m.creator_id
WHERE u.is_house
    AND NOT EXISTS (SELECT FROM competitions_boardmatch b WHERE b.match_id = m.id)
"""


RECOUNT: Final = ROOT / "tests" / "competitions" / "recounted.py"
# The archive of today, as the worker writes it after three o'clock, with all that is over by now.
WRITE_ARCHIVE: Final = """
from django.utils import timezone
from games.exports import writing
from games.exports.models import RecordFile
RecordFile.objects.filter(owner=None).delete()
now = timezone.now()
file = RecordFile.objects.create(day=now.date(), created_at=now, worked_at=now)
while writing._write_part(file.id):
    pass
print(file.day)
"""


class Player(threading.Thread):
    """A program that plays a random legal move whenever a match of the tournament awaits it."""

    def __init__(self, port: int, tournament: str, seed: int) -> None:
        super().__init__(daemon=True)
        self._port, self._tournament, self._random = port, tournament, random.Random(seed)
        self.caller = patiently(lambda: Caller(port).sign_in_as_guest())
        patiently(lambda: self._ok(self.caller.post(f"/api/v1/tournaments/{tournament}/join", {})))

    @staticmethod
    def _ok(answer: Any) -> Any:
        if answer.status >= 500:
            raise OSError(answer.status)
        return answer

    def run(self) -> None:
        while True:
            with suppress(OSError, HTTPException, KeyError, ValueError):
                one = self._ok(self.caller.get(f"/api/v1/tournaments/{self._tournament}")).json()
                if one["status"] in ("finished", "aborted"):
                    return
                if one["your_match"]:
                    self._play(one["your_match"])
            time.sleep(ASKS_EVERY)

    def _play(self, match_id: str) -> None:
        match = self.caller.get(f"/api/v1/matches/{match_id}").json()
        for _ in range(20):
            if not match.get("legal_moves"):
                return
            move = self._random.choice(match["legal_moves"])["move"]
            body = {"move": move, "version": match["version"]}
            match = self.caller.post(f"/api/v1/matches/{match_id}/moves", body).json()


def patiently(act: Any) -> Any:
    for _ in range(120):
        try:
            return act()
        except (OSError, HTTPException, KeyError, ValueError):
            time.sleep(0.5)
    raise SystemExit("The service did not come back.")


def main() -> int:
    arguments = _arguments()
    faults: list[str] = []
    with Served(STATE, **ALLOWED) as service:
        chance, operator = random.Random(arguments.seed), _operator(service)
        for form in arguments.forms:
            players = arguments.players if form != "round_robin" else arguments.all_against_all
            faults += _held(service, operator, form, players, arguments, chance)
    for fault in faults:
        print(f"FAULT {fault}")
    return bool(faults)


def _operator(service: Served) -> Caller:
    caller = Caller(service.port)
    body = {"username": "boss", "password": "a long and quiet evening"}
    caller.use_key(caller.post("/api/v1/accounts/register", body).json()["token"])
    with service.database() as database:
        database.execute("UPDATE accounts_user SET is_superuser = true WHERE username = 'boss'")
    return caller


def _held(
    service: Served, operator: Caller, form: str, players: int, arguments: Any, chance: Any
) -> list[str]:
    begun = time.monotonic()
    terms = {"name": f"{form} of {players}", "game": "pazaak", "form": form, "pace": "normal"}
    terms |= {"options": OPTIONS, "most": players, "fill_to": players, "round_minutes": 10}
    terms |= {"minutes": arguments.minutes} if form == "arena" else {}
    starts = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + arguments.joining))
    key = {"Idempotency-Key": f"{form} {starts}"}  # the last kill broke the connection
    made = patiently(
        lambda: operator.post("/api/v1/tournaments", terms | {"starts_at": starts}, **key).json()
    )
    tournament = made["id"]
    scripts = [
        Player(service.port, tournament, chance.randrange(2**32))
        for _ in range(min(arguments.scripts, players))
    ]
    for script in scripts:
        script.start()
    killer = Killer(service)
    kills = killer.plan(arguments.kills, chance)
    for one in _until_over(operator, tournament, begun + arguments.patience):
        after = f"{time.monotonic() - begun:4.0f} s"
        print(f"  {after} {form}: {one['status']}, round {one['round']}", flush=True)
        if one["status"] == "running" and (parts := next(kills, None)):
            kill = killer.kill(parts)
            print(f"         killed {kill.part}, back after {kill.back - kill.begun:.1f} s")
    print(f"{form} of {players} took {time.monotonic() - begun:.0f} s", flush=True)
    return [f"{form}: {fault}" for fault in _faults(service, operator, tournament)]


def _until_over(operator: Caller, tournament: str, end: float) -> Iterator[Any]:
    while time.monotonic() < end:
        time.sleep(random.uniform(2, 6))
        one = patiently(lambda: operator.get(f"/api/v1/tournaments/{tournament}").json())
        if one.get("status") in ("finished", "aborted"):
            return
        if "status" in one:
            yield one


def _faults(service: Served, operator: Caller, tournament: str) -> Iterator[str]:
    one = patiently(lambda: operator.get(f"/api/v1/tournaments/{tournament}").json())
    if one["status"] != "finished":
        yield f"it is {one['status']} in round {one['round']}"
        return
    results = patiently(lambda: operator.get(f"/api/v1/tournaments/{tournament}/results").json())
    yield from _recounted(service, results)
    if one["rounds"] and {board["round"] for board in results["boards"]} != set(
        range(1, one["rounds"] + 1)
    ):
        yield "a round is missing"
    with service.database() as database:
        (lost,) = database.execute(DOUBLED).fetchone() or (0,)
        if lost:
            yield f"{lost} matches belong to no board"


def _recounted(service: Served, results: Any) -> Iterator[str]:
    """The faults by a script that counts from two files alone: the results, the day's archive."""
    written = service.run("manage.py", "shell", "-c", WRITE_ARCHIVE)
    if written.returncode:
        yield f"the archive was not written: {written.stderr[-500:]}"
        return
    day, visitor = written.stdout.split()[-1], service.caller()
    archive = patiently(lambda: visitor.get(f"/api/v1/archives/{day}.jsonl"))
    here = service.state / "results.json", service.state / "archive.jsonl"
    here[0].write_text(json.dumps(results))
    here[1].write_bytes(archive.body)
    counted = subprocess.run(
        [sys.executable, str(RECOUNT), *map(str, here)], capture_output=True, text=True, check=False
    )
    print(f"  {counted.stdout.strip()}")
    if counted.returncode:
        yield (counted.stdout + counted.stderr).strip()[-2000:]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make tournaments", description=__doc__)
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--all-against-all", type=int, default=24, help="players of a round robin")
    parser.add_argument("--scripts", type=int, default=20, help="of them programs")
    parser.add_argument("--kills", type=int, default=6, help="in each form")
    parser.add_argument("--minutes", type=int, default=5, help="of the arena")
    parser.add_argument("--joining", type=float, default=20.0, help="seconds before it begins")
    parser.add_argument("--patience", type=float, default=840.0, help="seconds for each form")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--forms", nargs="+", choices=FORMS, default=list(FORMS))
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
