"""Shithead compiled: whole matches, R1 to R19 with every option of the rules, version 2.

The policies ``random``, ``lowest`` and ``keeper`` play exactly as the bots of these names; the
searchers have none.
"""

from typing import Final

from cardroom.fast.kernel import Kernel, assemble
from cardroom.fast.shithead.match import KEEPER, LOWEST, RANDOM

KERNEL: Final[Kernel] = assemble(
    __name__,
    policies={"random": RANDOM, "lowest": LOWEST, "keeper": KEEPER},
    trace_width=64 + 18 * 16,
    rules_version=2,
)
