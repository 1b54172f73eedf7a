"""The matches of the calibration: who sits where, by which rules, how many."""

from dataclasses import dataclass
from typing import Any, Final

from cardroom.rules import catalog

FITTED: Final = 11  # the seed of the matches to which the readings were fitted
HELD_OUT: Final = 2027  # the seed of the matches by which they are judged


@dataclass(frozen=True)
class Setting:
    """A game as computers of about the coach's strength play it.

    Of the decisions of a match so many are judged as ``share`` says, each drawn by itself: so many
    of each match would take more of the short ones, which end otherwise. ``matches`` to judge by;
    to fit to there are as many.
    """

    game: str
    bot: str
    options: dict[str, Any]
    preset: str | None
    share: float
    matches: int

    @property
    def name(self) -> str:
        named = [str(self.preset)] if self.preset else []
        named += [f"{value} {name}" for name, value in self.options.items()]
        return ", ".join([catalog.find(self.game).name, *named])


SETTINGS: Final = (
    Setting("pisti", "counter", {}, None, 0.026, 1200),
    Setting("pisti", "counter", {"players": 4}, None, 0.013, 600),
    Setting("pazaak", "professor", {}, None, 0.08, 20_000),
    Setting("pazaak", "professor", {}, "kotor1", 0.06, 10_000),
    Setting("pazaak", "professor", {}, "kotor2", 0.06, 10_000),
    Setting("shithead", "keeper", {}, None, 0.05, 5000),
    Setting("shithead", "keeper", {"players": 4}, None, 0.04, 5000),
)
