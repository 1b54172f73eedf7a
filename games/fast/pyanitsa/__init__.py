"""Pyanitsa compiled: whole matches, R1 to R16 with every option of the rules but one.

Not covered: ``collect_order`` arbitrary, where the taker decides. Without it nobody decides
anything, so every bot plays alike. ``pace`` changes nothing here.
"""

from typing import Final

from games.fast.kernel import Kernel, players_of
from games.fast.pyanitsa.batch import play_batch, scratch
from games.fast.pyanitsa.layout import COLUMNS
from games.fast.pyanitsa.states import encode, row
from games.fast.pyanitsa.variants import VARIANTS
from games.rules.pyanitsa.options import PyanitsaOptions


def uncovered(options: PyanitsaOptions) -> str:
    return "collect_order arbitrary" if options.collect_order == "arbitrary" else ""


KERNEL: Final = Kernel(
    slug="pyanitsa",
    columns=COLUMNS,
    policies={"automaton": 0, "hoarder": 0, "shuffler": 0, "random": 0},
    encode=encode,
    uncovered=uncovered,
    play_batch=play_batch,
    scratch=scratch,
    row=row,
    trace_width=320,
    sides=players_of,
    seats=players_of,
    variants=VARIANTS,
)
