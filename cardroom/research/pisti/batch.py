"""Thousands of deals of Pişti at once: ``cardroom.research.batch`` on the kernel of Pişti."""

from collections.abc import Sequence
from typing import Any, ClassVar, Final

import numpy

from cardroom.fast.kernel import Kernel
from cardroom.fast.pisti import KERNEL
from cardroom.fast.pisti.layout import OVER, TO_PLAY
from cardroom.research.batch import NOBODY, Batch
from cardroom.research.pisti.steps import deal, look, play


class PistiBatch(Batch):
    """See ``Batch``. An action is the card to be played."""

    slug: ClassVar[str] = "pisti"
    kernel: ClassVar[Kernel] = KERNEL

    def _to_act(self) -> Any:
        facts = self._tables[3]
        return numpy.where(facts[:, OVER], NOBODY, facts[:, TO_PLAY])

    def _deal(self, lanes: Any) -> None:
        deal(self._options, self._starts, self.numbers, lanes, *self._tables)

    def _play(self, actions: Any, lanes: Any, over: Any) -> None:
        play(actions, lanes, over, self._options, *self._tables)

    def _write(self, seats: Any, observations: Any, masks: Any) -> None:
        look(self._options, self._public, seats, observations, masks, *self._tables)

    def _public_numbers(self) -> Sequence[int]:
        rules: Any = self.lineup.options
        return [int(rules.show_counts), *super()._public_numbers()]


BATCH: Final = PistiBatch
