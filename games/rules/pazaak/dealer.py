"""Who shuffles and calls out what happens while a move is applied."""

from typing import NamedTuple

from games.rules.shuffles import Shuffle
from games.rules.values import Event


class Dealer(NamedTuple):
    """The one mutable thing of a step: ``announced`` grows in the order things happen."""

    shuffle: Shuffle
    announced: list[Event]

    def announce(self, event: Event) -> None:
        self.announced.append(event)
