"""`make bench`: the service's figures beside their targets. It measures and never fails a build.

BENCH="--rows 1,3 --seconds 10" chooses rows and how long each load lasts. Our load, the peer's and
pgbench's take turns, `--rounds` times; a figure is the median, with the lowest and highest in
brackets. Rates swing with whatever else the machine does; ratios and processor time a move do not.
AGAINST=COMMIT alternates this version and that one instead (`tests.bench.versions`); with --check
it does so with what a release may not lose, the footprint too, and ends with 1 if something is.
Processor time is that of the supervisor, the web processes, the workers, Postgres and Valkey.
"""

import argparse
import asyncio
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack

from tests.bench import (
    boardgameio,
    flood,
    footprint,
    history,
    limit,
    live,
    rules,
    service,
    versions,
    waiting,
)
from tests.bench.players import Player
from tests.served import ROOT, Served

STATE = ROOT / "var" / "bench" / "state"
IN_ROUNDS = {1, 2, 3, 4, 5, 7, 11}
WITH_PEER = {1, 2, 7}

ROWS = {
    1: ("durable moves a core-second against boardgame.io + bgio-postgres", "≥ 12×, stretch 16×"),
    2: ("the same with four live listeners a match", "≥ 4×"),
    3: ("moves/s against pgbench of the same write, 32 clients", "≥ 20 %, stretch 30 %"),
    4: ("p99 / p50 at 32 connections", "≤ 2.5, stretch 2.0"),
    5: ("SQL statements a move, sign-in included", "≤ 2 singly, ≤ 0.3 in load"),
    7: ("WAL a move against the peer's", "≤ 0.5×"),
    10: (
        "500 live listeners on one process, 250 moves/s: memory each; a delivery; its delay",
        "≤ 100 KB; ≤ 100 µs; p99 ≤ 50 ms",
    ),
    11: ("processor time of a bot's move against a human's", "≤ 1.2×, stretch 0.7×"),
    12: ("human move → bot's answer visible, idle, p50", "≤ 15 ms"),
    20: ("GET of a match that is kept, all in", "≤ 250 µs, stretch 150 µs"),
    21: ("one connection, moves/s", "none; AGAINST compares it"),
    22: ("opening a match, all in", "none"),
    17: ("100 simulated games of Pişti behind three of the longest simulations", "≤ 5 s"),
    18: ("an ordinary read beside eight checks of large records, p50 against idle", "≤ 3×"),
    16: ("a bot's answer to one person while another account floods, p50 against idle", "≤ 3×"),
    13: (
        "reference rules, random play, one core",
        "≤ 15 µs a ply; Pişti ≥ 1,300 deals/s; Pyanitsa ≥ 130 games/s",
    ),
    14: ("kernels against these rules, one core", "as `make strength` lists them, row by row"),
    31: (
        "a load of a match of 15,000 plies, the worst of all kinds: database; caller; kept",
        "≤ 5 ms; none; ≤ 4 KB",
    ),
}


class Bench:
    """The rows that were asked for, measured in the order that saves work."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._rows, self._seconds = options.rows, options.seconds
        self._rounds = options.rounds
        self._before, self._told = history.last(), dict[int, str]()
        self._humans: list[service.Load] = []
        self._theirs: list[float] = []
        self._idle = 0.0

    def run(self) -> None:
        if self._rows - {13, 14}:
            service.compile_kernels()
            with Served(STATE, **flood.ALLOWED, **live.ALLOWED) as served:
                service.drop_past_deals(served)
                self._serve(served)
        if 13 in self._rows:
            self._rules()
        if 14 in self._rows:
            self._kernels()
        history.add(self._told)

    def _serve(self, served: Served) -> None:
        self._idle = asyncio.run(service.idleness(served))
        if self._rows & IN_ROUNDS:
            self._in_rounds(served)
        for row, measure in self._on_the_service(served).items():
            if row in self._rows:
                measure(served)

    def _on_the_service(self, _served: Served) -> dict[int, Callable[[Served], None]]:
        return {
            2: self._with_listeners,
            5: self._statements,
            10: self._listeners,
            20: self._reads,
            11: self._bots,
            12: self._answer_times,
            21: self._one_connection,
            22: self._openings,
            17: self._simulations,
            18: self._checks,
            31: self._loads,
            16: self._flood,
        }

    def _in_rounds(self, served: Served) -> None:
        peers, limits, by = list[boardgameio.Round](), list[float](), ""
        with ExitStack() as stack:
            peer = self._peer(stack) if self._rows & WITH_PEER else None
            idle = asyncio.run(service.idleness(served, "Postgres"))
            for _ in range(self._rounds):
                self._humans.append(asyncio.run(service.human_moves(served, self._seconds)))
                if peer:
                    peers.append(peer.round(self._seconds, idle))
                if 3 in self._rows:
                    rate, by = limit.writes_a_second(served, self._seconds / 2)
                    limits.append(rate)
        self._load()
        self._against_the_peer(peers)
        if limits:
            shares = [h.per_second / rate for h, rate in zip(self._humans, limits, strict=True)]
            rates = _spread([h.per_second for h in self._humans], "{:.0f}")
            self._row(
                3, f"{_spread(shares, '{:.0%}')}: {rates} of {_spread(limits, '{:.0f}')}/s by {by}"
            )

    def _peer(self, stack: ExitStack) -> "boardgameio.Peer | None":
        try:
            return stack.enter_context(boardgameio.Peer(STATE))
        except boardgameio.NoPeer as reason:
            print(f"     no peer: {reason}")
            return None

    def _load(self) -> None:
        p50, p99 = (
            _spread([h.tally.percentile(part) * 1000 for h in self._humans], "{:.0f}")
            for part in (0.5, 0.99)
        )
        self._row(4, f"{_spread([h.ratio for h in self._humans])}: p50 {p50} ms, p99 {p99} ms")
        players = _spread([h.player_seconds / h.tally.moves * 1e6 for h in self._humans], "{:.0f}")
        opened = sum(h.tally.opened for h in self._humans)
        print(
            f"     the players took {players} µs a move; {opened} matches were opened in the loads"
        )

    def _against_the_peer(self, peers: list[boardgameio.Round]) -> None:
        ours = [h.tally.moves / h.bill.of("all") for h in self._humans]
        told = _spread(ours, "{:.0f}")
        parts = ", ".join(
            f"{part} {_spread(spent, '{:.0f}')}"
            for part in ("all", "Postgres", "Valkey")
            for spent in [[h.bill.of(part) / h.tally.moves * 1e6 for h in self._humans]]
        )
        wal = [h.bill.wal_bytes / h.tally.moves for h in self._humans]
        if not peers:
            self._row(1, f"{told} moves a core-second; µs a move: {parts}")
            self._row(7, f"{_spread(wal, '{:.0f}')} bytes")
            return
        self._theirs = theirs = [peer.moves_a_core_second for peer in peers]
        ratios = [one / other for one, other in zip(ours, theirs, strict=True)]
        self._row(
            1,
            f"{_spread(ratios)}×: {told} to {_spread(theirs, '{:.0f}')}, peer p50 "
            f"{_spread([peer.p50 for peer in peers], '{:.0f}')} ms; our µs a move: {parts}",
        )
        shares = [one / peer.wal_a_move for one, peer in zip(wal, peers, strict=True)]
        self._row(7, f"{_spread(shares, '{:.2f}')}×: {_spread(wal, '{:.0f}')} bytes")

    def _with_listeners(self, served: Served) -> None:
        load = asyncio.run(live.moves_with_listeners(served, self._seconds))
        rate = load.tally.moves / load.bill.of("all")
        without = statistics.median(h.tally.moves / h.bill.of("all") for h in self._humans)
        told = f"{rate:.0f} moves a core-second, {rate / without:.0%} of those without listeners"
        if self._theirs:
            told = f"{rate / statistics.median(self._theirs):.1f}×: {told}"
        self._row(2, told)

    def _listeners(self, served: Served) -> None:
        weight = asyncio.run(live.weigh(served, self._seconds))
        self._row(
            10,
            f"{weight.kilobytes:.0f} KB; {weight.microseconds:.0f} µs; p50 "
            f"{weight.p50 * 1000:.0f} ms, p99 {weight.p99 * 1000:.0f} ms; "
            f"{weight.deliveries} deliveries at {weight.moves_a_second:.0f} moves/s",
        )

    def _statements(self, served: Served) -> None:
        done = served.run("-m", "tests.bench.statements")
        told = done.stdout.split()
        singly = f"at most {told[0]} singly" if told else f"not counted: {done.stderr[-300:]}"
        in_load = [(h.bill.commits / (h.tally.moves + h.tally.reads)) for h in self._humans]
        self._row(5, f"{singly}, {_spread(in_load, '{:.2f}')} a move or read in load")

    def _a_read(self, step: Callable[[Player], object] = Player.read) -> Callable[[Served], float]:
        def measure(served: Served) -> float:
            load = asyncio.run(service.reads(served, step))  # type: ignore[arg-type]
            return (load.bill.of("all") - self._idle * load.seconds) / load.tally.reads

        return measure

    def _reads(self, served: Served) -> None:
        whole, known = self._a_read()(served), self._a_read(Player.look)(served)
        self._row(20, f"{whole * 1e6:.0f} µs, 304 {known * 1e6:.0f} µs")

    def _bots(self, served: Served) -> None:
        """The cost of a load, less that of idling and reading, shared among its moves."""
        a_read = self._a_read()(served)
        answered = asyncio.run(service.bot_moves(served, self._seconds))

        def spent(load: service.Load) -> float:
            return load.bill.of("all") - self._idle * load.seconds - a_read * load.tally.reads

        human = statistics.median(spent(load) / load.tally.moves for load in self._humans)
        bot = (spent(answered) - human * answered.tally.moves) / answered.bot_moves
        self._row(
            11,
            f"{bot / human:.2f}×: bot {bot * 1e6:.0f} µs, human {human * 1e6:.0f} µs all in, "
            f"{answered.bot_moves / answered.seconds:.0f} bot moves/s",
        )

    def _answer_times(self, served: Served) -> None:
        times = asyncio.run(service.answer_times(served, self._seconds / 2))
        p50, p90 = statistics.median(times), times[int(0.9 * len(times))]
        self._row(12, f"{p50 * 1000:.0f} ms, p90 {p90 * 1000:.0f} ms, {len(times)} answers")

    def _one_connection(self, served: Served) -> None:
        loads = [
            asyncio.run(service.human_moves(served, self._seconds / 2, connections=1))
            for _ in range(self._rounds)
        ]
        self._row(21, f"{_spread([load.per_second for load in loads], '{:.0f}')} moves/s")

    def _openings(self, served: Served) -> None:
        load = asyncio.run(service.openings(served))
        spent = load.bill.of("all") - self._idle * load.seconds
        self._row(22, f"{spent / load.tally.opened * 1e6:.0f} µs, {load.tally.opened} opened")

    def _simulations(self, served: Served) -> None:
        times = waiting.small_simulations(served)
        each = ", ".join(f"{seconds:.1f}" for seconds in times)
        self._row(17, f"{max(times):.1f} s; one after the other {each}")

    def _checks(self, served: Served) -> None:
        idle, beside, checks = waiting.reads_beside_checks(served)
        self._row(
            18,
            f"{beside / idle:.1f}×: {idle * 1000:.0f} ms idle, {beside * 1000:.0f} ms beside them, "
            f"{checks} checked",
        )

    def _loads(self, served: Served) -> None:
        done = served.run("-m", "tests.bench.loads")
        worst, _, others = done.stdout.partition("\n")
        self._row(31, worst or f"not measured: {done.stderr[-300:]}")
        print(others)

    def _flood(self, served: Served) -> None:
        """Last of all: the flood plays on until the service ends."""
        idle = statistics.median(asyncio.run(service.answer_times(served, self._seconds / 2)))
        opened = flood.begin(served)
        times = asyncio.run(service.answer_times(served, self._seconds / 2))
        p50, p90 = statistics.median(times), times[int(0.9 * len(times))]
        self._row(
            16,
            f"{p50 / idle:.1f}×: {idle * 1000:.0f} ms idle, {p50 * 1000:.0f} ms (p90 "
            f"{p90 * 1000:.0f} ms) beside {opened} matches",
        )

    def _rules(self) -> None:
        seconds = min(3.0, self._seconds)
        pisti, pyanitsa = rules.pace("pisti", seconds), rules.pace("pyanitsa", seconds)
        self._row(
            13,
            f"Pişti {pisti.microseconds_a_ply:.1f} µs a ply, {pisti.rounds_a_second:.0f} "
            f"deals/s; Pyanitsa {pyanitsa.microseconds_a_ply:.1f} µs, "
            f"{pyanitsa.rounds_a_second:.0f} games/s",
        )

    def _kernels(self) -> None:
        from tests.strength import kernels  # compiles, so only when it is asked for

        rows = [(row.__doc__, row()) for row in kernels.ROWS]
        told = "".join(f"\n     {what}: {found} ({must})" for what, (found, must, _) in rows)
        self._row(14, told)

    def _row(self, number: int, measured: str) -> None:
        if number not in self._rows:
            return
        what, target = ROWS[number]
        print(f"{number:>3}  {what}\n     target {target}   measured {measured}", flush=True)
        if str(number) in self._before:
            print(f"     before {self._before[str(number)]}", flush=True)
        self._told[number] = measured


def _spread(figures: Iterable[float], shape: str = "{:.1f}") -> str:
    """The median; the lowest and the highest of several."""
    ordered = sorted(figures)
    median = shape.format(statistics.median(ordered))
    if len(ordered) < 2:
        return median
    return f"{median} ({shape.format(ordered[0])}–{shape.format(ordered[-1])})"


def main() -> None:
    options = _options()
    begun = time.monotonic()
    print(f"{os.cpu_count()} cores, {options.rounds} rounds of {options.seconds:.0f} s")
    if options.against:
        rows = set(versions.CHECKED) if options.check else options.rows & versions.ROWS.keys()
        lost = versions.compare(options.against, rows, options.rounds, options.seconds)
        if options.check:
            root = versions.root_of(options.against)
            lost += footprint.compare([ROOT, root], footprint.SECONDS_OF_REST, options.rounds)
            for what in lost:
                print(f"LOST  {what}")
            sys.exit(bool(lost))
    else:
        Bench(options).run()
    print(f"{time.monotonic() - begun:.0f} s")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--rows", type=_numbers, default=set(ROWS), help="such as 1,3")
    parser.add_argument("--seconds", type=float, default=10.0, help="of each load")
    parser.add_argument("--rounds", type=int, default=3, help="in which the loads take turns")
    parser.add_argument("--against", help="a commit, a tag or a folder: compares, row by row")
    parser.add_argument("--check", action="store_true", help="with --against: a release's")
    options = parser.parse_args()
    if options.check and not options.against:
        parser.error("--check needs --against, the release before")
    return options


def _numbers(text: str) -> set[int]:
    chosen = {int(word) for word in text.split(",")}
    if chosen - set(ROWS):
        raise argparse.ArgumentTypeError(f"rows are {', '.join(map(str, ROWS))}")
    return chosen


if __name__ == "__main__":
    sys.exit(main())
