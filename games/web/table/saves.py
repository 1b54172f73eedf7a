"""The saves of a match as a list to read: the openings of its rounds, a group of ten at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Final

from django.utils.translation import gettext as _

from games.matches.selectors.secrecy import is_sealed
from games.web.parts.round_words import heading
from games.web.parts.table_page import TablePage

GROUP: Final = 10


@dataclass(frozen=True)
class SavedRound:
    """A round's opening. ``score``: every side's points by then; ``words`` say who was ahead."""

    number: int
    name: str
    ply: int
    at: datetime
    score: str
    words: str
    is_running: bool
    is_newest: bool


@dataclass(frozen=True)
class SaveGroup:
    """Rounds that stand together, newest first; the newest group is open."""

    rounds: list[SavedRound]
    is_open: bool

    @property
    def first(self) -> int:
        return self.rounds[-1].number

    @property
    def last(self) -> int:
        return self.rounds[0].number


def save_groups(page: TablePage) -> list[SaveGroup]:
    """Newest first; nothing for a reader who did not play, or may not play on from there."""
    if not page.own_seats or is_sealed(page.match):
        return []
    saved = list(_saved(page))[::-1]
    groups = groupby(saved, key=lambda each: (each.number - 1) // GROUP)
    return [SaveGroup(list(rounds), not n) for n, (_decade, rounds) in enumerate(groups)]


def _saved(page: TablePage) -> list[SavedRound]:
    names = [" & ".join(page.match.names[seat] for seat in side) for side in page.match.sides]
    points = [0] * len(names)
    saved: list[SavedRound] = []
    for round_ in sorted(page.rounds, key=attrgetter("number")):
        saved.append(
            SavedRound(
                number=round_.number,
                name=heading(page.match.game, round_.number),
                ply=round_.opening_version,
                at=round_.opened_at,
                score=" : ".join(map(str, points)),
                words=_words(page, names, points) if saved else _("the beginning"),
                is_newest=round_.number == page.match.round,
                is_running=round_.number == page.match.round and not page.match.is_over,
            )
        )
        scores = round_.scores or [0] * len(names)
        points = [so_far + new for so_far, new in zip(points, scores, strict=True)]
    return saved


def _words(page: TablePage, names: Sequence[str], points: Sequence[int]) -> str:
    best = min(points) if page.match.rules.points_are_places else max(points)
    ahead = [name for name, has in zip(names, points, strict=True) if has == best]
    if len(ahead) > 1:
        return _("level")
    return _("%(name)s was ahead") % {"name": ahead[0]}
