"""Whether a search of twenty times the playouts calls best what the coach calls best."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from cardroom.arena.statistics import Interval, wilson
from cardroom.rules import catalog
from games.coaching import judging
from games.coaching.judging import Grade, Weighed, grade_of
from tests.calibration.collecting import OTHER_WORLDS, Drawn, judge_for
from tests.calibration.settings import Setting

TIMES: Final = 20


@dataclass(frozen=True)
class Agreement:
    """Of ``tried`` moves called best: the share that is best, and at least fine, by more work."""

    tried: int
    best: Interval
    fine: Interval


def agreement(setting: Setting, drawn: Iterable[Drawn], tries: int) -> Agreement:
    """Of so many decisions in which the move that was played is called best."""
    grades = list(islice(_deep_grades(setting, drawn), tries))
    best = sum(grade == "best" for grade in grades)
    fine = sum(grade in ("best", "fine") for grade in grades)
    return Agreement(len(grades), wilson(best, len(grades)), wilson(fine, len(grades)))


def _deep_grades(setting: Setting, drawn: Iterable[Drawn]) -> Iterator[Grade]:
    game = catalog.find(setting.game)
    bot = judge_for(game)
    for each in drawn:
        weighed = judging.weigh_closely(game, bot, each.decision, judging.PLAYOUTS)
        if weighed is None or _grade(weighed) != "best":
            continue
        other = replace(each.decision, version=each.decision.version + OTHER_WORLDS)
        deep = judging.weigh(bot, other, TIMES * weighed.playouts)
        yield _grade(Weighed(deep, weighed.move, TIMES * weighed.playouts))


def _grade(weighed: Weighed) -> Grade:
    return grade_of(judging.cost_of(weighed.weighing, weighed.move))
