"""`make bench AGAINST=<commit>`: two versions take turns, so that one machine judges both.

Figures of a machine swing by a tenth from run to run; what two versions did one after the other,
again and again, compares. The other version is that commit's files, in `var/bench`, with today's
environment. Both services run all the time, and each is billed for its own processes alone.
`--check` is the release check: it refuses a version that lost more than 5 % in every round.
"""

import asyncio
import io
import statistics
import subprocess
import tarfile
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final, NamedTuple

from tests.bench import flood, service
from tests.served import ROOT, Served

FOLDER: Final = ROOT / "var" / "bench"
MOST_LOST: Final = 0.05
CHECKED: Final = (1, 3, 4, 11, 12)


class Row(NamedTuple):
    what: str
    unit: str
    factor: float
    more_is_better: bool = False
    share: float = 1.0  # of the figure that is the row's own

    def is_lost(self, pairs: Iterable[tuple[float, float]], least: float = 0.0) -> bool:
        """Whether ours is worse than theirs beyond what is allowed, in every round."""
        ordered = [pair[::-1] if self.more_is_better else pair for pair in pairs]
        most = 1 + MOST_LOST * self.share
        return all(worse > better * most + least for worse, better in ordered)


ROWS: Final = {
    1: Row("processor time a move, all in", "µs", 1e6),
    3: Row("moves a second, 32 connections", "/s", 1, more_is_better=True),
    4: Row("p99 / p50 at 32 connections", "", 1),
    # Both halves in one: the difference of two loads swings by half.
    11: Row("processor time of a person's move and the bot's answer", "µs", 1e6, share=0.5),
    12: Row("human move → bot's answer visible, p50", "ms", 1e3),
    21: Row("one connection, moves a second", "/s", 1, more_is_better=True),
}


def compare(against: str, rows: Collection[int], rounds: int, seconds: float) -> list[str]:
    """Prints how each row of this version stands to the other's; what was lost."""
    measured: dict[int, list[tuple[float, float]]] = defaultdict(list)
    with ExitStack() as stack:
        both = []
        for name, root in (("ours", ROOT), ("theirs", root_of(against))):
            service.compile_kernels(root)
            served = Served(FOLDER / name, root=root, **flood.ALLOWED)
            both.append(stack.enter_context(served))
            service.drop_past_deals(served)
        idle = [asyncio.run(service.idleness(served)) for served in both]
        for n in range(rounds):
            # Who begins changes: the second one has the warmer machine.
            order = (0, 1) if n % 2 == 0 else (1, 0)
            found = {at: dict(_figures(both[at], idle[at], rows, seconds)) for at in order}
            for row in found[0].keys() & found[1].keys():
                measured[row].append((found[0][row], found[1][row]))
            print(f"     round {n + 1} of {rounds}", flush=True)
    for row, pairs in sorted(measured.items()):
        print(f"{row:>3}  {ROWS[row].what}\n     {_words(ROWS[row], pairs)}", flush=True)
    lost = [ROWS[row].what for row, pairs in measured.items() if ROWS[row].is_lost(pairs)]
    return lost + [f"{ROWS[row].what} (not measured)" for row in rows if row not in measured]


def root_of(against: str) -> Path:
    """The folder, or the files of the commit or tag of this name."""
    if Path(against).is_dir():
        return Path(against).resolve()
    name = _git("rev-parse", "--short=8", f"{against}^{{commit}}").decode().strip()
    folder = FOLDER / f"at-{name}"
    if not folder.exists():
        with tarfile.open(fileobj=io.BytesIO(_git("archive", name))) as files:
            files.extractall(folder, filter="data")
    return folder


def before_the_newest_migration() -> str:
    """What had landed before the schema changed last."""
    landed = "log", "-1", "-s", "--format=%h", "--first-parent", "--diff-merges=first-parent"
    newest = _git(*landed, "--diff-filter=A", "--", "*/migrations/*.py").decode().strip()
    return f"{newest}~1"


def _git(*words: str) -> bytes:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=True).stdout


def _figures(
    served: Served, idle: float, rows: Collection[int], seconds: float
) -> Iterator[tuple[int, float]]:
    """Those of one version in one round."""

    if {1, 3, 4} & set(rows):
        humans = asyncio.run(service.human_moves(served, seconds))
        whole = humans.bill.of("all") / humans.tally.moves  # idling is a part of it, as in row 1
        figures = {1: whole, 3: humans.per_second, 4: humans.ratio}
        yield from ((row, figure) for row, figure in figures.items() if row in rows)
    if 11 in rows:
        answered = asyncio.run(service.bot_moves(served, seconds))
        if answered.bot_moves:
            spent = answered.bill.of("all") - idle * answered.seconds
            yield 11, spent / answered.bot_moves
    if 12 in rows:
        yield 12, statistics.median(asyncio.run(service.answer_times(served, seconds / 2)))
    if 21 in rows:
        load = asyncio.run(service.human_moves(served, seconds / 2, connections=1))
        yield 21, load.per_second


def _words(row: Row, pairs: list[tuple[float, float]]) -> str:
    ratios = sorted(ours / theirs for ours, theirs in pairs)
    ours, theirs = (row.factor * statistics.median(one) for one in zip(*pairs, strict=True))
    return (
        f"{statistics.median(ratios):.2f}× ({ratios[0]:.2f}–{ratios[-1]:.2f}), "
        f"{'more' if row.more_is_better else 'less'} is better: "
        f"{ours:.4g} against {theirs:.4g} {row.unit}".rstrip()
    )
