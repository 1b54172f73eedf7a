"""Many matches of Pazaak at once: ``cardroom.research.batch`` on the kernel of Pazaak."""

from typing import Any, ClassVar, Final

import numpy

from cardroom.fast.kernel import Kernel
from cardroom.fast.pazaak import KERNEL
from cardroom.fast.pazaak.layout import IS_OVER, PHASE, TO_ACT
from cardroom.research.batch import NOBODY, Batch
from cardroom.research.pazaak.steps import deal, look, play


class PazaakBatch(Batch):
    """See ``Batch``. An action is a text of ``pazaak.moves``."""

    slug: ClassVar[str] = "pazaak"
    kernel: ClassVar[Kernel] = KERNEL

    def _to_act(self) -> Any:
        facts = self._tables[4]
        return numpy.where(facts[:, PHASE] == IS_OVER, NOBODY, facts[:, TO_ACT])

    def _deal(self, lanes: Any) -> None:
        deal(self._options, self._starts, self.numbers, lanes, *self._tables)

    def _play(self, actions: Any, lanes: Any, over: Any) -> None:
        play(actions, lanes, over, self._options, *self._tables)

    def _write(self, seats: Any, observations: Any, masks: Any) -> None:
        look(self._options, self._public, seats, observations, masks, *self._tables)


BATCH: Final = PazaakBatch
