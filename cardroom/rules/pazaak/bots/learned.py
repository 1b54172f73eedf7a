"""The tables that ``outlook`` reads: one for each way of playing, learned by matches of its own.

A file (``cardroom.rules.tables``) holds hundredths of log-odds. ``python -m
cardroom.research.pazaak.train`` makes it.
"""

from array import array
from functools import cache
from pathlib import Path
from typing import Final

from cardroom.rules import tables
from cardroom.rules.pazaak.bots.world import PazaakWorld

FOLDER: Final = Path(__file__).parent / "tables"
REACH: Final = {
    "classic": 2,
    "kotor1": 3,
    "kotor2": 3,
}  # rounds to win, as far as they were learned


def name_of(world: PazaakWorld) -> str:
    """The table for rules like these: by how often hands are drawn, and what nine cards mean."""
    if not world.once:
        return "classic"
    return "kotor2" if world.fill_wins else "kotor1"


def table_of(world: PazaakWorld) -> "array[int]":
    return read(name_of(world))


@cache
def read(name: str) -> "array[int]":
    return tables.read(FOLDER / f"{name}.table")


def within_reach(world: PazaakWorld) -> PazaakWorld:
    """The world with a score that its table knows: who is ahead, and by how much, remains."""
    most = REACH[name_of(world)]
    needs = [world.to_win - wins for wins in world.wins]
    if world.max_rounds:
        left, lead = world.max_rounds - world.round_no + 1, world.wins[0] - world.wins[1]
        limits = (left - lead) // 2 + 1, (left + lead) // 2 + 1
        needs = [max(1, min(need, limit)) for need, limit in zip(needs, limits, strict=True)]
    far = max(0, max(needs) - most)
    world.to_win = most
    world.wins[:] = [most - max(1, need - far) for need in needs]
    return world
