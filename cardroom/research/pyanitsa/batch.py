"""Many matches of Pyanitsa at once: ``cardroom.research.batch`` on the kernel of Pyanitsa."""

from typing import Any, ClassVar, Final

import numpy

from cardroom.fast.kernel import Kernel
from cardroom.fast.pyanitsa import KERNEL
from cardroom.fast.pyanitsa.layout import LAY_FROM, LAYING
from cardroom.research.batch import NOBODY, Batch
from cardroom.research.pyanitsa.steps import deal, look, play


class PyanitsaBatch(Batch):
    """See ``Batch``. Nobody has a choice here, so the only action turns a card up."""

    slug: ClassVar[str] = "pyanitsa"
    kernel: ClassVar[Kernel] = KERNEL

    def _to_act(self) -> Any:
        trick, laying = self._tables[3], self._tables[4]
        following = laying[numpy.arange(len(self)), trick[:, LAY_FROM]]
        return numpy.where(trick[:, LAYING] == 0, NOBODY, following)

    def _deal(self, lanes: Any) -> None:
        deal(self._options, self._starts, self.numbers, lanes, *self._tables)

    def _play(self, actions: Any, lanes: Any, over: Any) -> None:
        play(lanes, over, self._options, *self._tables)

    def _write(self, seats: Any, observations: Any, masks: Any) -> None:
        look(self._options, self._public, seats, observations, masks, *self._tables)


BATCH: Final = PyanitsaBatch
