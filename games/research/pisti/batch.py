"""Thousands of deals of Pişti at once: a vectorised environment on the compiled kernel.

    batch = PistiBatch(4096, preset="single", seed=1)
    while training:
        actions = choose(batch.observations, batch.masks)  # an action for every match
        rewards, over = batch.step(actions)

In every match one seat is to act, ``batch.seats``; ``observations`` and ``masks`` are of that seat.
A match that ends gives its rewards and is followed by the next one of the seed: match ``i`` is
number ``i``, then ``i + n``, ``i + 2n`` … Observations, actions and decks are those of
``environment``. The arrays are the batch's own: ``step`` writes into them. Without Numba everything
works, far slower.
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy

from games.fast.pisti.batch import scratch
from games.fast.pisti.layout import CARDS, POINTS
from games.fast.pisti.states import encode
from games.research.lineup import lineup
from games.research.pisti.steps import NOTHING_ILLEGAL, deal_all, first_illegal, look_all, play_all
from games.rules.encoding import option_numbers
from games.rules.pisti import encoding as places
from games.rules.stream import purpose_start

SEATS: Final = places.SEATS
SIZE: Final = places.OBSERVATION.size
RESULTS: Final = POINTS + 2 * SEATS


class PistiBatch:
    """``count`` matches side by side; see the module.

    ``observations`` has a row of ``Game.observe`` a match (int16), ``masks`` 1 for every legal
    action (int8), ``seats`` who is to act, ``numbers`` which match of the seed is played.
    """

    def __init__(
        self,
        count: int,
        *,
        preset: str | None = None,
        options: Mapping[str, Any] | None = None,
        seed: int = 0,
    ) -> None:
        chosen = lineup("pisti", preset=preset, options=options)
        rules: Any = chosen.options
        self.players: int = rules.players
        self.observations = numpy.zeros((count, SIZE), dtype=numpy.int16)
        self.masks = numpy.zeros((count, CARDS), dtype=numpy.int8)
        self.seats = numpy.zeros(count, dtype=numpy.int64)
        self.numbers = numpy.arange(count, dtype=numpy.int64)
        self._rewards = numpy.zeros((count, self.players))
        self._over = numpy.zeros(count, dtype=numpy.bool_)
        self._options = encode(rules, chosen.setups)
        starts = [purpose_start(seed, purpose) for purpose in ("decks", "bots")]
        self._starts = numpy.array(starts, dtype=numpy.uint64)
        shown = int(rules.show_counts)
        self._public = numpy.array([shown, *option_numbers(rules)], dtype=numpy.int16)
        self._tables = _blank_tables(count)
        deal_all(self._options, self._starts, self.numbers, *self._tables)
        self._look()

    def step(self, actions: Any) -> tuple[Any, Any]:
        """Plays one action in every match: the rewards of all seats and which matches ended.

        ``ValueError`` names the first match whose action is not legal; then none is played.
        """
        chosen = numpy.ascontiguousarray(actions, dtype=numpy.int64)
        if chosen.shape != self.numbers.shape:
            raise ValueError(f"There are {len(self.numbers)} matches; name an action for each.")
        wrong = first_illegal(chosen, self.masks)
        if wrong != NOTHING_ILLEGAL:
            legal = numpy.flatnonzero(self.masks[wrong]).tolist()
            raise ValueError(f"Action {chosen[wrong]} is not legal in match {wrong}, {legal} are.")
        play_all(
            chosen, self._options, self._starts, self.numbers, self._rewards, self._over,
            *self._tables,
        )  # fmt: skip
        self._look()
        return self._rewards, self._over

    def _look(self) -> None:
        _, _, piles, facts, seats, hands, _ = self._tables
        look_all(
            self._options, self._public, self.observations, self.masks, self.seats, piles, facts,
            seats, hands,
        )  # fmt: skip


def _blank_tables(count: int) -> tuple[Any, ...]:
    """Words, decks, piles, facts, seats, hands and counts of every match, as in the kernel."""
    shapes = [array.shape for array in scratch()]
    words, *others = [numpy.zeros((count, *shape), dtype=numpy.int64) for shape in shapes]
    return (words.astype(numpy.uint64), *others, numpy.zeros((count, RESULTS), dtype=numpy.int64))
