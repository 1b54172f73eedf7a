"""A bot that grows: of a strength from 1 to 5 it makes more and more moves as a better one does.

``beginner:strength=3`` is a beginner that looks at half of its moves closely. Its mistakes stay
those of the beginner, so it plays like a person who knows the game but does not always think.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Any, Final

from cardroom.rules.values import Event, Move

if TYPE_CHECKING:
    from cardroom.rules.bot import Bot

Choose = Callable[[Any, Sequence[Event], Random], Move]
STRENGTHS: Final = 5


@dataclass(frozen=True)
class Growth:
    """``into`` is the better bot; ``shares``, one a strength, are how many moves it makes.

    The bot that grows must need no events: it is given those of the better one.
    """

    into: "Bot[Any]"
    shares: tuple[float, ...]

    def bot(self, bot: "Bot[Any]", slug: str, strength: int) -> "Bot[Any]":
        """``bot`` of this strength, under a slug that says so; never rated."""
        return replace(
            bot,
            slug=slug,
            choose=Mixed(bot.choose, self.into.choose, self.shares[strength - 1]),
            rated=False,
            remembers=self.into.remembers,
            cost=self.into.cost,
            seconds=max(bot.seconds, self.into.seconds),
            growth=None,
        )


@dataclass(frozen=True)
class Mixed:
    """Chooses as the better one so many times in a hundred moves."""

    usual: Choose
    better: Choose
    share: float

    def __call__(self, view: Any, events: Sequence[Event], rng: Random) -> Move:
        choose = self.better if rng.random() < self.share else self.usual
        return choose(view, events, rng)
