"""A contest with the luck of the cards taken out: the same mean, and fewer matches to decide it.

For rows near one half at games that say how their luck falls (``cardroom.arena.luck``). Where every
match ends alike the luck explains nothing, and the interval is that of a plain contest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from cardroom.arena import compiled_code, luck
from cardroom.arena.luck import AdjustedMatch, AdjustedScore
from cardroom.arena.series import Clock, Series
from cardroom.arena.statistics import Z95, Interval
from tests.strength.contest import POCOCK, Contest, percents

LEAST_DEALS: Final = 10  # with fewer their spread is a guess, and so is what luck explains
Mirrored = list[AdjustedMatch]  # of one deal, from every seat


@dataclass(frozen=True)
class WithoutLuck(Contest):
    def warm(self) -> None:
        super().warm()
        compiled_code.warm_luck(self.game)

    def play_deal(self, series: Series, numbers: range, clocks: dict[str, Clock]) -> Mirrored:
        return [luck.play_adjusted(series, number, clocks=clocks) for number in numbers]

    def interval(self, deals: Sequence[Mirrored]) -> Interval:
        found = self.score(deals).adjusted
        if len(deals) < LEAST_DEALS or found.low == found.high:
            return self.plain(deals)
        reach = (found.high - found.value) * POCOCK / Z95
        return Interval(found.value, found.value - reach, found.value + reach)

    def plain(self, deals: Sequence[Mirrored]) -> Interval:
        name = self._names()[0]
        return super().interval(
            [fmean(match.scores[match.seats.index(name)] for match in matches) for matches in deals]
        )

    def score(self, deals: Sequence[Mirrored]) -> AdjustedScore:
        scores = luck.scores(match for matches in deals for match in matches)
        return next(score for score in scores if score.name == self._names()[0])

    def _figure(
        self, interval: Interval, played: Sequence[Mirrored], clocks: Sequence[Clock]
    ) -> str:
        plain, factor = percents(self.plain(played)), self.score(played).factor
        figure = super()._figure(interval, played, clocks)
        return f"{figure}; with luck {plain}, so worth {factor:.1f} times the matches"
