"""`make bench`: the service's figures beside their targets. It measures and never fails a build.

BENCH="--rows 1,3 --seconds 10" chooses rows (1, 3, 4, 5, 7, 11, 12, 13, 16, 17, 18) and how long
each load lasts. Rates swing with whatever else the machine does; ratios and processor time a move
do not.
"""

import argparse
import asyncio
import statistics
import sys
import time
from collections.abc import Callable

from tests.bench import boardgameio, flood, limit, rules, service, waiting
from tests.served import ROOT, Served

STATE = ROOT / "var" / "bench" / "state"
OF_OUR_SIDE = ("web", "Postgres", "Valkey")
WITH_HUMAN_LOAD = {1, 3, 4, 7, 11}
WITH_PEER = {1, 7}

ROWS = {
    1: ("durable moves a core-second against boardgame.io + bgio-postgres", "≥ 8×, stretch 15×"),
    3: ("moves/s against pgbench of the same write, 32 clients", "≥ 20 %"),
    4: ("p99 / p50 at 32 connections", "≤ 2.5"),
    5: ("SQL statements a move, sign-in included", "≤ 2"),
    7: ("WAL a move against the peer's", "≤ 0.5×"),
    11: ("processor time of a bot's move against a human's", "≤ 0.5×"),
    12: ("human move → bot's answer visible, p50", "≤ 60 ms"),
    16: ("a bot's answer to one person while another account floods, p50 against idle", "≤ 3×"),
    17: ("100 simulated games of Pişti behind three of the longest simulations", "≤ 5 s"),
    18: ("an ordinary read beside eight checks of large records, p50 against idle", "≤ 3×"),
    13: (
        "reference rules, random play, one core",
        "≤ 15 µs a ply; Pişti ≥ 1,300 deals/s; Pyanitsa ≥ 130 games/s",
    ),
}


class Bench:
    """The rows that were asked for, measured in the order that saves work."""

    def __init__(self, rows: set[int], seconds: float) -> None:
        self._rows, self._seconds = rows, seconds
        self._human: service.Load | None = None

    def run(self) -> None:
        if self._rows - {13}:
            with Served(STATE, **flood.ALLOWED) as served:
                self._serve(served)
        if self._rows & WITH_PEER:
            self._against_the_peer()
        if 13 in self._rows:
            self._rules()

    def _serve(self, served: Served) -> None:
        if self._rows & WITH_HUMAN_LOAD:
            self._human = asyncio.run(service.human_moves(served, self._seconds))
        for row, measure in self._on_the_service(served).items():
            if row in self._rows:
                measure()

    def _on_the_service(self, served: Served) -> dict[int, Callable[[], None]]:
        return {
            3: lambda: self._limit(served),
            4: self._spread,
            5: lambda: self._statements(served),
            11: lambda: self._bots(served),
            12: lambda: self._answer_times(served),
            17: lambda: self._simulations(served),
            18: lambda: self._checks(served),
            16: lambda: self._flood(served),
        }

    @property
    def human(self) -> service.Load:
        assert self._human is not None, "measured first"
        return self._human

    def _limit(self, served: Served) -> None:
        limit_rate, by = limit.writes_a_second(served, self._seconds)
        share = self.human.per_second / limit_rate
        _row(3, f"{share:.0%}: {self.human.per_second:.0f} of {limit_rate:.0f}/s by {by}")

    def _spread(self) -> None:
        p50, p99 = (self.human.tally.percentile(part) * 1000 for part in (0.5, 0.99))
        _row(4, f"{p99 / p50:.1f}: p50 {p50:.0f} ms, p99 {p99:.0f} ms")

    def _statements(self, served: Served) -> None:
        done = served.run("-m", "tests.bench.statements")
        told = done.stdout.split()
        counted = f"at most {told[0]}, {float(told[1]):.2f} on average" if told else ""
        _row(5, counted or f"not counted: {done.stderr[-300:]}")

    def _bots(self, served: Served) -> None:
        """What a load took, less what idling and reading took, shared among its moves."""
        idle = asyncio.run(service.idleness(served))
        reading = asyncio.run(service.reads(served))
        a_read = (reading.bill.of("all") - idle * reading.seconds) / reading.tally.reads
        answered = asyncio.run(service.bot_moves(served, self._seconds))

        def spent(load: service.Load) -> float:
            return load.bill.of("all") - idle * load.seconds - a_read * load.tally.reads

        human = spent(self.human) / self.human.tally.moves
        bot = (spent(answered) - human * answered.tally.moves) / answered.bot_moves
        _row(
            11,
            f"{bot / human:.2f}×: bot {bot * 1e6:.0f} µs, human {human * 1e6:.0f} µs all in, "
            f"read {a_read * 1e6:.0f} µs",
        )

    def _answer_times(self, served: Served) -> None:
        times = asyncio.run(service.answer_times(served, self._seconds / 2))
        p50, p90 = statistics.median(times), times[int(0.9 * len(times))]
        _row(12, f"{p50 * 1000:.0f} ms, p90 {p90 * 1000:.0f} ms, {len(times)} answers")

    def _simulations(self, served: Served) -> None:
        times = waiting.small_simulations(served)
        each = ", ".join(f"{seconds:.1f}" for seconds in times)
        _row(17, f"{max(times):.1f} s; one after the other {each}")

    def _checks(self, served: Served) -> None:
        idle, beside, checks = waiting.reads_beside_checks(served)
        _row(
            18,
            f"{beside / idle:.1f}×: {idle * 1000:.0f} ms idle, {beside * 1000:.0f} ms beside them, "
            f"{checks} checked",
        )

    def _flood(self, served: Served) -> None:
        """Last of all: the flood plays on until the service ends."""
        idle = statistics.median(asyncio.run(service.answer_times(served, self._seconds / 2)))
        opened = flood.begin(served)
        times = asyncio.run(service.answer_times(served, self._seconds / 2))
        p50, p90 = statistics.median(times), times[int(0.9 * len(times))]
        _row(
            16,
            f"{p50 / idle:.1f}×: {idle * 1000:.0f} ms idle, {p50 * 1000:.0f} ms (p90 "
            f"{p90 * 1000:.0f} ms) beside {opened} matches",
        )

    def _against_the_peer(self) -> None:
        moves, bill = self.human.tally.moves, self.human.bill
        ours, wal = moves / bill.of(*OF_OUR_SIDE), bill.wal_bytes / moves
        parts = ", ".join(f"{name} {bill.of(name) / moves * 1e6:.0f} µs" for name in OF_OUR_SIDE)
        try:
            peer = boardgameio.measure(STATE, self._seconds)
        except boardgameio.NoPeer as reason:
            against = f"{{}} (no peer: {reason})"
            rate, log = against.format(f"{ours:.0f}"), against.format(f"{wal:.0f} bytes")
        else:
            rate = f"{ours / peer.moves_a_core_second:.1f}×: {ours:.0f} to "
            rate += f"{peer.moves_a_core_second:.0f}, peer p50 {peer.p50:.0f} ms"
            log = f"{wal / peer.wal_a_move:.2f}×: {wal:.0f} to {peer.wal_a_move:.0f} bytes"
        _row(1, f"{rate}; {parts} a move", self._rows)
        _row(7, log, self._rows)

    def _rules(self) -> None:
        seconds = min(3.0, self._seconds)
        pisti, pyanitsa = rules.pace("pisti", seconds), rules.pace("pyanitsa", seconds)
        _row(
            13,
            f"Pişti {pisti.microseconds_a_ply:.1f} µs a ply, {pisti.rounds_a_second:.0f} "
            f"deals/s; Pyanitsa {pyanitsa.microseconds_a_ply:.1f} µs, "
            f"{pyanitsa.rounds_a_second:.0f} games/s",
        )


def _row(number: int, measured: str, wanted: set[int] | None = None) -> None:
    if wanted is None or number in wanted:
        what, target = ROWS[number]
        print(f"{number:>3}  {what}\n     target {target}   measured {measured}", flush=True)


def main() -> None:
    options = _options()
    begun = time.monotonic()
    Bench(options.rows, options.seconds).run()
    print(f"{time.monotonic() - begun:.0f} s")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--rows", type=_numbers, default=set(ROWS), help="such as 1,3")
    parser.add_argument("--seconds", type=float, default=15.0, help="of each load")
    return parser.parse_args()


def _numbers(text: str) -> set[int]:
    chosen = {int(word) for word in text.split(",")}
    if chosen - set(ROWS):
        raise argparse.ArgumentTypeError(f"rows are {', '.join(map(str, ROWS))}")
    return chosen


if __name__ == "__main__":
    sys.exit(main())
