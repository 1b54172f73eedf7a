"""How long all matches stood still, by kind of fault: the table that a siege prints."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import inf
from statistics import median
from typing import Final

from tests.chaos.faults import Fault

UNDISTURBED: Final = "nothing (how the measure looks)"


def table(done: Sequence[Fault]) -> Iterator[str]:
    """``load``: runnable processes while it was measured, on the median. A match that did not go
    on counts as an endless pause."""
    kinds = defaultdict(list)
    for fault in done:
        kinds[fault.name].append(fault)
    yield f"  {'fault':<34} {'times':>5} {'median':>7} {'worst':>7} {'aim':>6} {'load':>5}"
    for name, same in sorted(kinds.items(), key=lambda kind: (kind[0] != UNDISTURBED, kind[0])):
        pauses = [inf if one.pause is None else one.pause for one in same]
        aim = f"{same[0].aim:.0f} s" if same[0].aim else "-"
        yield (
            f"  {name:<34} {len(same):>5} {median(pauses):>5.1f} s {max(pauses):>5.1f} s "
            f"{aim:>6} {median(one.load for one in same):>5.1f}"
        )


def longest(moments: Sequence[float], since: float) -> float:
    """The longest time without one of these moments, from then on to the last of them."""
    after = [since, *(moment for moment in moments if moment > since)]
    return max((later - earlier for earlier, later in pairwise(after)), default=0.0)
