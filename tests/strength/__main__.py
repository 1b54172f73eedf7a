"""`make strength`: what bots and kernels must reach, beside what they do reach.

Each module of this folder may have `ROWS`, a list of functions: the docstring says what is
measured, the answer is the figure, the target and whether it is reached: `!` marks what is not, `?`
what too few matches cannot tell. `STRENGTH="pisti"` chooses modules, `STRENGTH_SCALE=0.1` plays a
tenth of the matches. All rows take about an hour and a quarter on two cores, with
`STRENGTH_SCALE=0.15` a quarter of an hour.
"""

import sys
from collections import Counter
from importlib import import_module
from pkgutil import iter_modules
from time import monotonic

from tests import strength

MARKS = {True: " ", False: "!", None: "?"}


def main() -> None:
    chosen = sys.argv[1:]
    found = [module.name for module in iter_modules(strength.__path__)]
    reached, begun = Counter[bool | None](), monotonic()
    for name in found:
        if name != "__main__" and (not chosen or name in chosen):
            reached += _section(name)
    minutes = (monotonic() - begun) / 60
    print(f"missed {reached[False]}, undecided {reached[None]}, {minutes:.0f} minutes")
    sys.exit(1 if reached[False] else 0)


def _section(name: str) -> Counter[bool | None]:
    rows = getattr(import_module(f"tests.strength.{name}"), "ROWS", ())
    found = Counter[bool | None]()
    if rows:
        print(name)
    for row in rows:
        begun = monotonic()
        figure, target, reached = row()
        found[reached] += 1
        mark = MARKS[reached]
        what = (row.__doc__ or row.__name__).strip()
        print(
            f"{mark} {what}\n    must {target}   is {figure}   ({monotonic() - begun:.0f} s)",
            flush=True,
        )
    return found


if __name__ == "__main__":
    main()
