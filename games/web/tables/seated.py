"""What a game's scene shows seat by seat."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

from games.web.parts.table_page import SeatPanel, TablePage

S = TypeVar("S")


@dataclass(frozen=True)
class SeatedScene(ABC, Generic[S]):
    page: TablePage

    @cached_property
    def others(self) -> list[S]:
        """In turn order, the seat after the viewer's first."""
        return [self._seat(panel) for panel in self.page.others]

    @cached_property
    def you(self) -> S | None:
        return self._seat(self.page.you) if self.page.you else None

    @abstractmethod
    def _seat(self, panel: SeatPanel) -> S:
        """What this game shows at a seat."""
