"""`make strength`: what bots and kernels must reach, beside what they do reach.

Each module of this folder may have `ROWS`, a list of functions: the docstring says what is
measured, the answer is the figure, the target and whether it is reached: `!` marks what is not, `?`
what the matches played cannot decide, as the interval holds the target. The last line counts both.
The exit code is 1 if a row is missed; undecided rows alone leave it 0, but with `STRICT=1` it is 2.
All of it must take no more than half an hour of processor time on the reference core.
`STRENGTH="pisti pazaak/2"` chooses modules, or rows by their number; `STRENGTH_SCALE=0.1` plays at
most a tenth of the matches.
"""

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pkgutil import iter_modules
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

from tests import strength
from tests.strength.reference_core import Stopwatch

Row = Callable[[], tuple[str, str, bool | None]]
MARKS = {True: " ", False: "!", None: "?"}


def main() -> None:
    counts, watch = Counter[bool | None](), Stopwatch()
    for name, rows in sections(sys.argv[1:]):
        print(name)
        before = watch.here
        counts.update(_measured(number, row, watch) for number, row in rows)
        print(f"  {name}: {(watch.here - before) / 60:.1f} minutes of processor time")
    here, there = watch.here / 60, watch.there() / 60
    print(
        f"missed {counts[False]}, undecided {counts[None]}, {here:.1f} minutes of processor time, "
        f"{there:.1f} on the reference core"
    )
    sys.exit(exit_code(counts))


def exit_code(counts: Counter[bool | None]) -> int:
    if counts[False]:
        return 1
    return 2 if counts[None] and os.environ.get("STRICT") else 0


def sections(chosen: Sequence[str]) -> Iterator[tuple[str, list[tuple[int, Row]]]]:
    """The modules with rows, and of each the rows chosen with their numbers."""
    modules = {each.partition("/")[0] for each in chosen}
    for found in iter_modules(strength.__path__):
        name = found.name
        if name == "__main__" or (modules and name not in modules):
            continue
        rows = getattr(import_module(f"tests.strength.{name}"), "ROWS", ())
        numbered = list(enumerate(rows, start=1))
        if name not in chosen and chosen:
            numbered = [each for each in numbered if f"{name}/{each[0]}" in chosen]
        if numbered:
            yield name, numbered


def _measured(number: int, row: Row, watch: Stopwatch) -> bool | None:
    begun = process_seconds()
    figure, target, reached = row()
    spent = process_seconds() - begun
    watch.add(spent)
    what = (row.__doc__ or row.__name__).strip()
    print(
        f"{MARKS[reached]} {number}. {what}\n    must {target}   is {figure}   ({spent:.0f} s)",
        flush=True,
    )
    return reached


def process_seconds() -> float:
    """Of processor time, the processes that play side by side included."""
    used = [getrusage(RUSAGE_SELF), getrusage(RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


if __name__ == "__main__":
    main()
