"""The tree as a drawing: each match a row, one load straight below it, others to the right."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.matches.models import Match
from games.web.family.tree import Knot
from games.web.front.results import result_line
from games.web.parts.match_list import listing_of
from games.web.parts.round_words import heading, numbered

ROW: Final = 62
INDENT: Final = 22
MOST_INDENTS: Final = 5
WIDTH: Final = 356
LETTERS: Final = 34  # that a row has room for, less where it is indented
BOX: Final = 50  # how high


@dataclass(frozen=True)
class TreeRow:
    """A knot with its place and its words; ``match`` is ``None`` where it has no link."""

    match: UUID | None
    names: str
    facts: str
    is_here: bool
    is_running: bool
    column: int
    row: int
    parent: "TreeRow | None"

    @property
    def x(self) -> int:
        return 8 + INDENT * self.column

    @property
    def y(self) -> int:
        return 6 + ROW * self.row

    @property
    def middle(self) -> int:
        return self.y + BOX // 2

    @property
    def box_x(self) -> int:
        return self.x + 16

    @property
    def box_width(self) -> int:
        return WIDTH - self.box_x - 2

    @property
    def room(self) -> int:
        """How many letters of the names fit."""
        return LETTERS - 3 * self.column

    @property
    def room_for_facts(self) -> int:
        """These are written smaller."""
        return self.room + 8

    @property
    def way(self) -> str:
        """The line from the parent's mark down to this one's."""
        if self.parent is None:
            return ""
        start = f"M{self.parent.x} {self.parent.middle + 6}"
        if self.parent.column == self.column:
            return f"{start}V{self.middle - 6}"
        return (
            f"{start}V{self.middle - 10}Q{self.parent.x} {self.middle} {self.x - 6} {self.middle}"
        )

    @property
    def words(self) -> str:
        return f"{self.names}. {self.facts}".strip()


@dataclass(frozen=True)
class Tree:
    rows: list[TreeRow]
    width: int = WIDTH

    @property
    def height(self) -> int:
        return ROW * len(self.rows) + 4


def drawn(root: Knot, matches: dict[UUID, Match], here: UUID, user: UUID | None) -> Tree:
    return Tree(list(_Rows(matches, here, user).of(root)))


class _Rows:
    def __init__(self, matches: dict[UUID, Match], here: UUID, user: UUID | None) -> None:
        self._matches, self._here, self._user = matches, here, user
        self._count = 0

    def of(self, knot: Knot, parent: TreeRow | None = None, column: int = 0) -> Iterator[TreeRow]:
        if knot.skipped:
            parent = self._row(None, _between(knot.skipped), "", parent, column)
            yield parent
        own = self._of_knot(knot, parent, column)
        yield own
        later = min(column + 1, MOST_INDENTS)
        if knot.more and knot.id:  # before the loads, whose lines would cross it
            yield self._row(knot.id, _more(knot.more), "", own, later)
        for child in knot.children[1:]:
            yield from self.of(child, own, later)
        for child in knot.children[:1]:
            yield from self.of(child, own, column)

    def _of_knot(self, knot: Knot, parent: TreeRow | None, column: int) -> TreeRow:
        match = self._matches.get(knot.id) if knot.id else None
        if match is None:
            words = _("A match that is not yours to see")
            return self._row(None, words, "", parent, column)
        names = ", ".join(listing_of(match, self._user).names)
        facts = " · ".join(filter(None, (_origin(match, knot), _state(match, self._user))))
        return self._row(match.id, names, facts, parent, column, match.status)

    def _row(
        self,
        match: UUID | None,
        names: str,
        facts: str,
        parent: TreeRow | None,
        column: int,
        status: str = "",
    ) -> TreeRow:
        self._count += 1
        is_here, runs = bool(status) and match == self._here, status == Match.Status.ACTIVE
        return TreeRow(match, names, facts, is_here, runs, column, self._count - 1, parent)


def _origin(match: Match, knot: Knot) -> str:
    """*Deal 3*: the save that it was loaded from."""
    return heading(match.game, knot.loaded_in) if knot.loaded_in else ""


def _state(match: Match, user: UUID | None) -> str:
    match str(match.status):
        case Match.Status.OPEN:
            return _("waiting for players")
        case Match.Status.ACTIVE:
            at = numbered(match.game, match.round) if _plays(match, user) else ""
            return ", ".join(filter(None, (_("being played"), at)))
        case Match.Status.ABORTED:
            return _("called off")
    line = result_line(match, user)
    day = date_format(match.finished_at or match.updated_at, "SHORT_DATE_FORMAT")
    names = ", ".join(line.winner_names)
    ending = _("a draw") if line.is_draw else _won(names, len(line.winners))
    return f"{ending}, {day}"


def _plays(match: Match, user: UUID | None) -> bool:
    """Others may see the match some plies later only."""
    return user is not None and any(seat.user_id == user for seat in match.seats.all())


def _won(names: str, count: int) -> str:
    return ngettext("%(names)s won", "%(names)s won", count) % {"names": names}


def _more(count: int) -> str:
    return ngettext("%(n)d more", "%(n)d more", count) % {"n": count}


def _between(count: int) -> str:
    return ngettext("%(n)d match between", "%(n)d matches between", count) % {"n": count}
