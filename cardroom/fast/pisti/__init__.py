"""Pişti compiled: whole matches, R1 to R28 with every option of the rules.

The policies ``random`` and ``greedy`` play exactly as the bots of these names. ``show_counts``
changes nothing here, as neither looks at what it shows.
"""

from typing import Final

from cardroom.fast.kernel import Kernel, assemble
from cardroom.fast.pisti.match import GREEDY, RANDOM
from cardroom.rules.pisti.options import side_count

KERNEL: Final[Kernel] = assemble(
    __name__,
    policies={"random": RANDOM, "greedy": GREEDY},
    trace_width=100,
    sides=side_count,
)
