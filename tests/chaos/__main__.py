"""`make chaos`: kill every part of a service under load and count what was lost.

CHAOS="--kills 24 --tables 16 --races 1000 --listeners 8 --seed 1" chooses otherwise; the exit
status is 1 when any count is bad.
"""

import argparse
import random
import sys
import time
from dataclasses import dataclass, field

from tests.chaos.audit import audit
from tests.chaos.kills import Kill, Killer
from tests.chaos.listeners import Listener, compared, listeners
from tests.chaos.load import Book, Table, tables
from tests.chaos.race import race
from tests.served import ROOT, Served, say

SECONDS_TO_GO_ON = 10.0
SLOW = 1.0


@dataclass
class Storm:
    """The kills so far, and the tables that did not go on after them."""

    kills: list[Kill] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)
    slowest: float = 0.0


def main() -> int:
    options = _options()
    begun = time.monotonic()
    with Served(ROOT / "var" / "chaos") as service:
        say(f"The service stands after {time.monotonic() - begun:.0f} s")
        unclean = 0
        for name, (clean, others) in race(service.port, options.races).items():
            say(f"Races {name}: {clean} of {options.races} clean", *others)
            unclean += options.races - clean
        book, storm = Book(), Storm()
        seated = tables(service.port, book, options.tables, options.pause)
        listening = listeners([match.people[0] for match in seated[: options.listeners]])
        for match in seated:
            match.start()
        _rage(Killer(service), storm, seated, options)
        for match in seated:
            match.stop()
        for match in seated:
            match.join()
        counts = _counts(service, book, storm) | {"races not clean": unclean}
        counts |= _heard(service, listening)
    return _verdict(counts, book, storm, time.monotonic() - begun)


def _rage(killer: Killer, storm: Storm, seated: list[Table], options: argparse.Namespace) -> None:
    rng = random.Random(options.seed)
    _go_on(killer, storm, seated, "the start", time.monotonic())
    for parts in killer.plan(options.kills, rng):
        time.sleep(rng.uniform(0.1, 1.0))
        kill = killer.kill(parts)
        storm.kills.append(kill)
        seconds = _go_on(killer, storm, seated, kill.part, kill.back)
        owed = f", {kill.bots_owed} bot turns owed" if kill.bots_owed else ""
        say(
            f"  {len(storm.kills):>2}  {kill.part}{owed}: "
            f"back after {kill.back - kill.begun:.1f} s, all matches go on after {seconds:.1f} s"
        )


def _go_on(killer: Killer, storm: Storm, seated: list[Table], cause: str, since: float) -> float:
    """Waits until every match has gone on; notes those that have not in time."""
    before = {match: match.progress for match in seated}
    waiting = set(seated)
    while waiting or killer.owed_since(since):
        if time.monotonic() - since > SECONDS_TO_GO_ON:
            names = [match.name for match in waiting] or ["a bot"]
            storm.stuck += [f"{name} after {cause}" for name in names]
            break
        waiting = {table for table in waiting if not table.has_gone_on(before[table])}
        time.sleep(0.05)
    seconds = time.monotonic() - since
    storm.slowest = max(storm.slowest, seconds)
    return seconds


def _counts(service: Served, book: Book, storm: Storm) -> dict[str, int]:
    found = audit(service, book)
    silences = [(kill.begun, kill.back) for kill in storm.kills if kill.part == "Valkey"]
    during = [
        request
        for request in book.requests
        if any(request.begun < back and request.ended > begun for begun, back in silences)
    ]
    slowest = max((request.seconds for request in during), default=0.0)
    say(
        f"Acknowledged moves: {len(book.acknowledged)} in {found.matches} matches, "
        f"{found.unheard} applied without an answer heard, {book.hung_up} hung up on purpose",
        f"While Valkey was down: {len(during)} requests, the slowest {slowest * 1000:.0f} ms",
        f"Answers by status (0: none): {dict(sorted(book.statuses.items()))}",
    )
    return {
        "acknowledged moves lost": found.lost,
        "moves doubled": found.doubled,
        "moves refused but applied": found.refused_but_applied,
        "matches with a gap in the log": found.gaps,
        "matches that verify_matches faults": found.faulty,
        "matches that did not go on within 10 s": len(storm.stuck),
        "parts that did not come back": sum(not kill.came_back for kill in storm.kills),
        "requests over 1 s while Valkey was down": sum(r.seconds > SLOW for r in during),
        "answers of 500 and other faults": len(book.faults),
    }


def _heard(service: Served, listening: list[Listener]) -> dict[str, int]:
    found = compared(service, listening)
    say(
        f"Streams: {found.messages} messages on {found.streams} streams of {len(listening)} "
        f"accounts, opened again {found.cut} times: lost {found.lost}, doubled {found.doubled}",
        *(f"  !  {one}" for one in found.missing[:10]),
    )
    return {"plies and news lost by streams": found.lost, "told twice": found.doubled}


def _verdict(counts: dict[str, int], book: Book, storm: Storm, seconds: float) -> int:
    say(f"{len(storm.kills)} kills in {seconds:.0f} s, slowest going on {storm.slowest:.1f} s")
    for name, count in counts.items():
        say(f"  {count:>4}  {name}")
    say(*(f"  !  {fault}" for fault in [*storm.stuck, *book.faults[:10]]))
    return int(any(counts.values()))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make chaos", description=__doc__)
    parser.add_argument("--kills", type=int, default=24)
    parser.add_argument("--tables", type=int, default=16)
    parser.add_argument("--races", type=int, default=1000)
    parser.add_argument("--listeners", type=int, default=8, help="accounts with streams")
    parser.add_argument("--pause", type=float, default=0.05, help="seconds between two looks")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
