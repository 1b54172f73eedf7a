"""Many matches of Shithead at once: ``cardroom.research.batch`` on the kernel of Shithead."""

from typing import Any, ClassVar, Final

import numpy

from cardroom.fast.kernel import Kernel
from cardroom.fast.shithead import KERNEL
from cardroom.fast.shithead.layout import IN_EXCHANGE, IS_OVER, PHASE, PLAYERS, READY, TURN
from cardroom.research.batch import NOBODY, Batch, Steps
from cardroom.research.shithead.steps import deal, look, play


class ShitheadBatch(Batch):
    """See ``Batch``. An action is a set of equal cards, a slot, ``pickup``, a swap or ``ready``."""

    slug: ClassVar[str] = "shithead"
    kernel: ClassVar[Kernel] = KERNEL
    steps: ClassVar = Steps(deal, play, look)

    def _to_act(self) -> Any:
        facts, seats = self._tables[5], self._tables[6]
        unready = seats[:, : self._options[PLAYERS], READY] == 0
        turn = numpy.where(facts[:, PHASE] == IN_EXCHANGE, unready.argmax(axis=1), facts[:, TURN])
        return numpy.where(facts[:, PHASE] == IS_OVER, NOBODY, turn)


BATCH: Final = ShitheadBatch
