"""Pyanitsa compiled: whole matches, R1 to R16 with every option of the rules but one.

Not covered: ``collect_order`` arbitrary, where the taker decides. Without it nobody decides
anything, so every bot plays alike. ``pace`` changes nothing here.
"""

from typing import Final

from cardroom.fast.kernel import Kernel, assemble
from cardroom.rules.pyanitsa.options import PyanitsaOptions


def uncovered(options: PyanitsaOptions) -> str:
    return "collect_order arbitrary" if options.collect_order == "arbitrary" else ""


KERNEL: Final[Kernel] = assemble(
    __name__,
    policies={"automaton": 0, "hoarder": 0, "shuffler": 0, "random": 0},
    trace_width=320,
    uncovered=uncovered,
)
