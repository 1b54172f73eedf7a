"""The cost of 1,000 webhook calls a minute to a person who waits for a computer's turn.

`make webhooks` (`WEBHOOKS="--rounds 9 --seconds 10 --rate 1200"`). A whole service; idle and loaded
parts take turns, so that whatever else the machine does falls on both. In a loaded part causes come
in at the rate, for webhooks of twenty accounts; their receiver is a process of this machine that
takes 50 ms to answer, and one in ten hangs for ten seconds each time. Printed are the calls that
were answered, a minute, the computer's answer in both parts, their ratio, which is to be at most
1.1, how fast a heap of causes is delivered, and the processor's time for one call.
"""

import argparse
import asyncio
import multiprocessing
import os
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, count
from typing import Any, Final, LiteralString

from tests.bench import service
from tests.bench.accounting import Meter
from tests.notifications.receiver import Receiver
from tests.served import ROOT, Caller, Served

STATE: Final = ROOT / "var" / "bench" / "telling"
OPEN: Final = {
    "WEBHOOK_PRIVATE_ADDRESSES": "true",
    "WEBHOOK_HTTP": "true",
    "WEBHOOK_PORTS": "*",
}
TARGET: Final = 1.1
ACCOUNTS: Final = 20
HANGING: Final = 10  # every so many-th webhook hangs
RUN_UP: Final = 3.0  # seconds of load before it is measured
_CAUSES: Final = """
INSERT INTO notifications_cause (account_id, kind, key, payload)
SELECT e.account_id, 'result', 'bench:' || gen_random_uuid(), '{"game": "pisti"}'
FROM generate_series(1, %s) n
JOIN (SELECT account_id, row_number() OVER (ORDER BY id) - 1 AS place FROM notifications_endpoint) e
    ON e.place = (%s + n) %% %s
"""
_SENT: Final = "SELECT count(*) FROM notifications_delivery WHERE state = 'sent'"
_WAITS: Final = """
SELECT EXISTS (SELECT FROM notifications_cause WHERE routed_at IS NULL)
    OR EXISTS (SELECT FROM notifications_delivery d JOIN notifications_endpoint e
        ON e.id = d.endpoint_id WHERE state = 'waiting' AND e.url = %s)
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.telling")
    parser.add_argument("--rate", type=int, default=1200, help="causes a minute, a tenth hangs")
    parser.add_argument("--seconds", type=float, default=10, help="of each part")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--heap", type=int, default=1000, help="causes at once, at the end")
    wanted = parser.parse_args()
    service.compile_kernels()
    with (
        receiver(0.05) as quick,
        receiver(10.5) as hanging,
        Served(STATE, **OPEN) as served,
        served.database() as database,
    ):
        _make_webhooks(served, quick, hanging)
        _compare(served, database, quick, wanted)
        _heap(served, database, quick, wanted.heap)


def _make_webhooks(served: Served, quick: str, hanging: str) -> None:
    for number in range(ACCOUNTS):
        caller = Caller(served.port)
        account = {"username": f"Bench{number}", "password": "a long evening"}
        caller.use_key(_made(caller, "accounts/register", account)["token"])
        url = quick if number % HANGING else hanging
        _made(caller, "accounts/me/webhooks", {"url": url, "kinds": ["result"]})


def _made(caller: Caller, path: str, body: Any) -> Any:
    answer = caller.post(f"/api/v1/{path}", body)
    if answer.status != 201:
        raise RuntimeError(f"{path}: {answer.status} {answer.body[:300]!r}")
    return answer.json()


def _compare(served: Served, database: Any, quick: str, wanted: argparse.Namespace) -> None:
    """Idle and loaded parts in turn; the first pair warms everything and is not counted."""
    idle, loaded, made = [], [], 0
    for number in range(wanted.rounds + 1):
        alone = _answers(served, wanted.seconds)
        with causes(served, wanted.rate):
            time.sleep(RUN_UP)
            before = _number(database, _SENT)
            beside = _answers(served, wanted.seconds)
            sent = _number(database, _SENT) - before
        _wait_until_made(database, quick)
        if number:
            idle.append(alone)
            loaded.append(beside)
            made += sent
    _print(idle, loaded, 60 * made / (wanted.rounds * wanted.seconds))


def _answers(served: Served, seconds: float) -> list[float]:
    return asyncio.run(service.answer_times(served, seconds))


def _print(idle: list[list[float]], loaded: list[list[float]], rate: float) -> None:
    pairs = list(zip(idle, loaded, strict=True))
    ratios = sorted(statistics.median(b) / statistics.median(a) for a, b in pairs)
    alone, beside = (statistics.median(chain(*times)) for times in (idle, loaded))
    print(f"{rate:.0f} webhooks a minute were called beside a person who plays a computer")
    print(f"its answer: alone {1000 * alone:.1f} ms, beside them {1000 * beside:.1f} ms")
    print(
        f"ratio {beside / alone:.2f} of all, median of the rounds {statistics.median(ratios):.2f}"
        f" ({ratios[0]:.2f} to {ratios[-1]:.2f}), target at most {TARGET}"
    )


def _heap(served: Served, database: Any, quick: str, number: int) -> None:
    """So many at once: how long until the receiver that answers has them all."""
    meter, begun, before = _meter(served, database), time.monotonic(), _number(database, _SENT)
    _owe(database, number)
    _wait_until_made(database, quick)
    seconds, made = time.monotonic() - begun, _number(database, _SENT) - before
    spent = meter.bill().of("all")
    print(
        f"a heap of {number}: {made} calls in {seconds:.1f} s, {60 * made / seconds:.0f} a minute"
    )
    print(f"{1000 * spent / made:.1f} ms of a processor for each, the idle service included")


def _meter(served: Served, database: Any) -> Meter:
    return Meter(service.roots(served), database)


@contextmanager
def causes(served: Served, rate: int) -> Iterator[None]:
    """As many a minute, a few each time, while the block lasts."""
    over = threading.Event()

    def write() -> None:
        with served.database() as database:
            written, begun = 0, time.monotonic()
            while not over.wait(0.1):
                due = int((time.monotonic() - begun) * rate / 60) - written
                _owe(database, due)
                written += due

    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


_turn = count()


def _owe(database: Any, number: int) -> None:
    """To one account after the other."""
    database.execute(_CAUSES, [number, next(_turn), ACCOUNTS])


def _wait_until_made(database: Any, quick: str) -> None:
    """Until nothing waits for the receiver that answers; the other's calls wait for hours."""
    while database.execute(_WAITS, [quick]).fetchone()[0]:
        time.sleep(0.1)


def _number(database: Any, query: LiteralString) -> int:
    return int(database.execute(query).fetchone()[0])


@contextmanager
def receiver(seconds: float) -> Iterator[str]:
    """Its address. Its process gives way to everybody: it stands for machines of others."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_receive, args=(seconds, there), daemon=True)
    process.start()
    try:
        yield here.recv()
    finally:
        process.terminate()
        process.join()


def _receive(seconds: float, parent: Any) -> None:
    os.nice(19)
    parent.send(Receiver(seconds=seconds).url)
    threading.Event().wait()


if __name__ == "__main__":
    main()
