"""Pişti compiled: whole matches, R1 to R28 with every option of the rules.

The policies ``random`` and ``greedy`` play exactly as the bots of these names. ``show_counts``
changes nothing here, as neither looks at what it shows.
"""

from typing import Final

from games.fast.kernel import Kernel, covers_every_option, players_of
from games.fast.pisti.batch import play_batch, scratch
from games.fast.pisti.layout import COLUMNS, GREEDY, RANDOM
from games.fast.pisti.states import encode, row
from games.fast.pisti.variants import VARIANTS
from games.rules.pisti.options import side_count

KERNEL: Final = Kernel(
    slug="pisti",
    columns=COLUMNS,
    policies={"random": RANDOM, "greedy": GREEDY},
    encode=encode,
    uncovered=covers_every_option,
    play_batch=play_batch,
    scratch=scratch,
    row=row,
    trace_width=100,
    sides=side_count,
    seats=players_of,
    variants=VARIANTS,
)
