"""Shithead compiled: whole matches, R1 to R19 with every option of the rules.

The policies ``random``, ``lowest`` and ``keeper`` play exactly as the bots of these names; the
searchers have none.

Cards are numbered in the order of ``predicates.in_order`` here: rank times four and suit, so a hand
is the bits of one number, in order, and a rank is four of them.
"""

from typing import Final

from games.fast.kernel import Kernel, covers_every_option, players_of
from games.fast.shithead.batch import play_batch, scratch
from games.fast.shithead.layout import COLUMNS, KEEPER, LOWEST, RANDOM
from games.fast.shithead.states import encode, row
from games.fast.shithead.variants import VARIANTS

KERNEL: Final = Kernel(
    slug="shithead",
    columns=COLUMNS,
    policies={"random": RANDOM, "lowest": LOWEST, "keeper": KEEPER},
    encode=encode,
    uncovered=covers_every_option,
    play_batch=play_batch,
    scratch=scratch,
    row=row,
    trace_width=64 + 18 * 16,
    sides=players_of,
    seats=players_of,
    variants=VARIANTS,
)
