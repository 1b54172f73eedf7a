"""How the professor's chances come true among players of its own strength.

Its tables were learned against weaker players, too, so they promise too much, the more so the more
of the match is to come. ``make calibration CALIBRATION="--fit pazaak"`` prints these numbers.
"""

from typing import Final

from cardroom.rules.pazaak.bots.learned import name_of, within_reach
from cardroom.rules.pazaak.bots.position import position_of
from cardroom.rules.pazaak.bots.world import PazaakWorld
from cardroom.rules.pazaak.view import PazaakView
from cardroom.rules.reading import Line, Reading
from cardroom.rules.values import Seat


def stage(view: PazaakView) -> str:
    me = view.to_act[0]
    return stage_of(within_reach(position_of(view, me)), me)


def stage_of(world: PazaakWorld, me: Seat) -> str:
    """The table that is looked up, and how many rounds the seat and its rival still need."""
    mine, theirs = (world.to_win - world.wins[seat] for seat in (me, 1 - me))
    return f"{name_of(world)} {mine} {theirs}"


READING: Final[Reading[PazaakView]] = Reading(
    stage,
    {
        "classic 1 1": Line(-0.28, 1.27),
        "classic 1 2": Line(-0.28, 1.09),
        "classic 2 1": Line(-0.8, 1.1),
        "classic 2 2": Line(-0.74, 1.18),
        "kotor1 1 1": Line(-0.11, 1.04),
        "kotor1 1 2": Line(-0.11, 1.09),
        "kotor1 1 3": Line(-0.2, 1.07),
        "kotor1 2 1": Line(0.0, 1.17),
        "kotor1 2 2": Line(-0.12, 1.09),
        "kotor1 2 3": Line(-0.28, 1.05),
        "kotor1 3 1": Line(-0.1, 1.06),
        "kotor1 3 2": Line(-0.09, 1.07),
        "kotor1 3 3": Line(-0.18, 1.06),
        "kotor2 1 1": Line(-0.05, 0.98),
        "kotor2 1 2": Line(-0.3, 1.1),
        "kotor2 1 3": Line(-0.2, 0.94),
        "kotor2 2 1": Line(-0.05, 1.1),
        "kotor2 2 2": Line(-0.13, 0.97),
        "kotor2 2 3": Line(-0.18, 1.0),
        "kotor2 3 1": Line(0.2, 1.09),
        "kotor2 3 2": Line(-0.15, 1.07),
        "kotor2 3 3": Line(-0.24, 1.08),
    },
)
