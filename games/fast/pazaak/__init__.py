"""Pazaak compiled: whole matches, R1 to R25 with every option of the rules and every side deck.

The policies ``random``, ``rookie``, ``gambler`` and ``cheater`` play exactly as the bots of these
names. ``professor`` has none but a compiled search (``search``): it chooses as the bot.
"""

from typing import Final

from games.fast.kernel import Kernel, assemble
from games.fast.pazaak.layout import GAMBLER, RANDOM, ROOKIE
from games.rules.pazaak.options import PazaakOptions


def two(_options: PazaakOptions) -> int:
    return 2


KERNEL: Final[Kernel] = assemble(
    __name__,
    policies={"random": RANDOM, "rookie": ROOKIE, "gambler": GAMBLER, "cheater": GAMBLER},
    trace_width=300,
    sides=two,
    seats=two,
)
