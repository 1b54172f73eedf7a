"""`make strength`: what bots and kernels must reach, beside what they do reach.

Each module of this folder may have `ROWS`, a list of functions: the docstring says what is
measured, the answer is the figure, the target and whether it is reached. `STRENGTH="pisti"`
chooses modules, `STRENGTH_SCALE=0.1` plays a tenth of the matches. All rows take about an hour on
two cores, with `STRENGTH_SCALE=0.2` a quarter of an hour.
"""

import sys
from importlib import import_module
from pkgutil import iter_modules
from time import monotonic

from tests import strength


def main() -> None:
    chosen = sys.argv[1:]
    found = [module.name for module in iter_modules(strength.__path__)]
    failed, begun = 0, monotonic()
    for name in found:
        if name != "__main__" and (not chosen or name in chosen):
            failed += _section(name)
    print(
        f"{failed} of these missed what they must reach; {(monotonic() - begun) / 60:.0f} minutes"
    )
    sys.exit(1 if failed else 0)


def _section(name: str) -> int:
    rows = getattr(import_module(f"tests.strength.{name}"), "ROWS", ())
    failed = 0
    if rows:
        print(name)
    for row in rows:
        begun = monotonic()
        figure, target, reached = row()
        failed += not reached
        mark = " " if reached else "!"
        what = (row.__doc__ or row.__name__).strip()
        print(
            f"{mark} {what}\n    must {target}   is {figure}   ({monotonic() - begun:.0f} s)",
            flush=True,
        )
    return failed


if __name__ == "__main__":
    main()
