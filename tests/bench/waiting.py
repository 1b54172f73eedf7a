"""How long one waits while others use the workers of background tasks for all they are worth."""

import json
import statistics
import threading
import time
from random import Random
from typing import Any, Final

from cardroom.rules import catalog, record
from tests.rules.playing import Sitting
from tests.served import Caller, Served

LONGEST: Final[dict[str, Any]] = {
    "game": "shithead",
    "options": {"players": 18},
    "bots": ["searcher"],
    "games": 1000,
}
SMALL: Final[dict[str, Any]] = {"game": "pisti", "games": 100}
LONG_ONES: Final = 3
TURNS: Final = 4
SECONDS_TO_BEGIN: Final = 5.0
CHECKS: Final = 8
DEALS: Final = {"players": 4, "target_score": 10_000}  # a record of nearly 2 MiB, the most allowed
READS: Final = 200


def small_simulations(service: Served) -> list[float]:
    """Seconds until a small simulation is finished beside the longest ones of three others."""
    long_ones = [_ask(service, LONGEST) for _ in range(LONG_ONES)]
    time.sleep(SECONDS_TO_BEGIN)
    times = [_seconds_of(*_ask(service, SMALL)) for _ in range(TURNS)]
    for asked, path in long_ones:
        caller = Caller(service.port)  # the connection has been idle for too long
        caller.use_key(asked.key)
        caller.post(f"{path}/cancel", {})
    return times


def _ask(service: Served, wanted: dict[str, Any]) -> tuple[Caller, str]:
    caller = Caller(service.port).sign_in_as_guest()
    answer = caller.post("/api/v1/simulations", wanted)
    if answer.status != 201:
        raise RuntimeError(f"{answer.status} {answer.body[:300]!r}")
    return caller, f"/api/v1/simulations/{answer.json()['id']}"


def _seconds_of(caller: Caller, path: str) -> float:
    begun = time.monotonic()
    while caller.get(path).json()["status"] == "running":
        time.sleep(0.05)
    return time.monotonic() - begun


def reads_beside_checks(service: Served) -> tuple[float, float, int]:
    """Seconds of an ordinary read, alone and beside checks of large records; how many checks."""
    caller = Caller(service.port).sign_in_as_guest()
    idle = statistics.median(_read(caller) for _ in range(READS))
    body, over, done = large_record(), threading.Event(), []
    threads = [
        threading.Thread(target=_check, args=(service.port, body, over, done))
        for _ in range(CHECKS)
    ]
    for thread in threads:
        thread.start()
    time.sleep(1)
    beside = statistics.median(_read(caller) for _ in range(READS))
    over.set()
    for thread in threads:
        thread.join()
    return idle, beside, len(done)


def _read(caller: Caller) -> float:
    begun = time.monotonic()
    caller.get("/api/v1/matches")
    seconds = time.monotonic() - begun
    time.sleep(0.01)
    return seconds


def _check(port: int, body: Any, over: threading.Event, done: list[int]) -> None:
    caller = Caller(port, patience=60)
    while not over.is_set():
        if caller.post("/api/v1/records/verify", body).status == 200:
            done.append(200)
        else:  # no worker was free: try again, but not at once
            over.wait(1)


def large_record() -> Any:
    """As large as a request may be: deal after deal."""
    game = catalog.find("pisti")
    sitting, rng = Sitting.begun(game, game.choose_options(DEALS)), Random(1)
    return json.loads(record.write(sitting.play_on(rng).record()))
