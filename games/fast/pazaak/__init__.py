"""Pazaak compiled: whole matches, R1 to R25 with every option of the rules and every side deck.

The policies ``random``, ``rookie``, ``gambler`` and ``cheater`` play exactly as the bots of these
names. ``professor`` has none but a compiled search (``search``, ``worlds``): it chooses as the bot.
"""

from typing import Final

from games.fast.kernel import Kernel, covers_every_option
from games.fast.pazaak.batch import play_batch, scratch
from games.fast.pazaak.layout import COLUMNS, GAMBLER, RANDOM, ROOKIE
from games.fast.pazaak.states import encode, row
from games.fast.pazaak.variants import VARIANTS
from games.rules.pazaak.options import PazaakOptions


def two(_options: PazaakOptions) -> int:
    return 2


KERNEL: Final = Kernel(
    slug="pazaak",
    columns=COLUMNS,
    policies={"random": RANDOM, "rookie": ROOKIE, "gambler": GAMBLER, "cheater": GAMBLER},
    encode=encode,
    uncovered=covers_every_option,
    play_batch=play_batch,
    scratch=scratch,
    row=row,
    trace_width=300,
    sides=two,
    seats=two,
    variants=VARIANTS,
)
