"""Pazaak compiled: whole matches, R1 to R25 with every option of the rules and every side deck.

The policies ``random``, ``rookie``, ``gambler`` and ``cheater`` play exactly as the bots of these
names. ``professor`` has none but a compiled search (``search``): it chooses as the bot.
"""

from typing import Final

from cardroom.fast.kernel import Kernel, assemble
from cardroom.fast.pazaak.match import GAMBLER, RANDOM, ROOKIE
from cardroom.rules.pazaak.options import PazaakOptions


def two(_options: PazaakOptions) -> int:
    return 2


KERNEL: Final[Kernel] = assemble(
    __name__,
    policies={"random": RANDOM, "rookie": ROOKIE, "gambler": GAMBLER, "cheater": GAMBLER},
    trace_width=300,
    sides=two,
    seats=two,
)
