"""The family of a match: the tree of what was loaded from what, drawn."""

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from games.matches.models import Match
from games.matches.selectors.history import as_listed
from games.matches.selectors.lineage import FamilyMember, family_of, members
from games.web.parts.headline import heading, numbered
from games.web.parts.match_list import listing_of, result_line
from games.web.parts.visitor import user_id
from games.web.table.page import visible_match

# Which relatives are drawn, and what hangs on what: a pure tree, folded where it is large.
#
# Relatives that the reader may not find are left out. One that stands between others is kept as a
# knot without a name, several of them in a row as one.

MATCHES_DRAWN: Final = 60  # drawn in all
OF_THE_MATCH: Final = 24  # loads of the match that is looked at
OF_ANOTHER: Final = 4
LONGEST_PATH: Final = 10  # from the match upwards; above that only the first one


@dataclass
class Knot:
    """A match of the tree; ``id`` is ``None`` where the reader may not find it.

    ``more`` loads of it are not drawn; ``skipped`` matches between its parent and it are not.
    """

    id: UUID | None
    loaded_in: int | None
    parent: "Knot | None" = None
    children: list["Knot"] = field(default_factory=list)
    more: int = 0
    skipped: int = 0

    def walk(self) -> Iterator["Knot"]:
        """Itself and all below it, the first child of each before the others."""
        yield self
        for child in self.children:
            yield from child.walk()


def family_tree(family: Sequence[FamilyMember], match_id: UUID) -> Knot:
    """The tree around a match, which is in it in any case."""
    loads = defaultdict(list)
    for member in family:
        loads[member.parent_id].append(member)
    by_id = {member.id: member for member in family}
    findable = {member.id for member in family if member.may_find} | {match_id}
    knots = _knots(loads, by_id, findable)
    return _folded(knots, match_id)


def _knots(
    loads: dict[UUID | None, list[FamilyMember]],
    by_id: dict[UUID, FamilyMember],
    findable: set[UUID],
) -> dict[UUID, Knot]:
    """Every match with what hangs on it; without a stack, as families may be deep."""
    roots = [member for member in by_id.values() if member.parent_id not in by_id]
    needed = _needed(by_id, findable)
    knots: dict[UUID, Knot] = {}
    waiting: deque[tuple[FamilyMember, Knot | None]] = deque()
    waiting.extend((root, None) for root in roots if root.id in needed)
    while waiting:
        member, parent = waiting.popleft()
        knot = _knot(member, parent, findable)
        knots[member.id] = knot
        waiting.extend((load, knot) for load in loads[member.id] if load.id in needed)
    return knots


def _knot(member: FamilyMember, parent: Knot | None, findable: set[UUID]) -> Knot:
    if member.id not in findable and parent is not None and parent.id is None:
        return parent  # several in a row are one
    knot = Knot(member.id if member.id in findable else None, member.loaded_in, parent)
    if parent is not None:
        parent.children.append(knot)
    return knot


def _needed(by_id: dict[UUID, FamilyMember], findable: set[UUID]) -> set[UUID]:
    """Matches the reader may find, and what stands above them up to the first of all."""
    needed: set[UUID] = set()
    for each in findable:
        at: UUID | None = each
        while at is not None and at in by_id and at not in needed:
            needed.add(at)
            at = by_id[at].parent_id
    return needed


def _folded(knots: dict[UUID, Knot], match_id: UUID) -> Knot:
    """The tree with its large parts counted instead of drawn."""
    here = knots[match_id]
    path = [here]
    while path[-1].parent is not None:
        path.append(path[-1].parent)
    root = _shortened(path)
    kept = {id(knot) for knot in path}
    left, waiting = MATCHES_DRAWN - len(kept), deque([here, *path[1:]])
    while waiting:
        knot = waiting.popleft()
        most = OF_THE_MATCH if knot is here else OF_ANOTHER
        on_path = [child for child in knot.children if id(child) in kept]
        others = [child for child in reversed(knot.children) if id(child) not in kept]
        shown = others[: max(0, min(most, left))]
        left -= len(shown)
        knot.more = len(others) - len(shown)
        knot.children = [*on_path, *shown]
        waiting.extend(shown)
    return root


def _shortened(path: list[Knot]) -> Knot:
    """The first of all; of a long way down to the match the middle is left out."""
    root = path[-1]
    if len(path) > LONGEST_PATH + 2:
        last = path[LONGEST_PATH - 1]
        last.skipped = len(path) - LONGEST_PATH - 1
        root.more += len(root.children) - 1
        root.children = [last]
        last.parent = root
        del path[LONGEST_PATH:-1]
    return root


# The tree as a drawing: each match a row, one load straight below it, others to the right.

ROW_HEIGHT: Final = 62
INDENT: Final = 22
MOST_INDENTS: Final = 5
WIDTH: Final = 356
LETTERS_PER_ROW: Final = 34  # that a row has room for, less where it is indented
BOX_HEIGHT: Final = 50  # how high


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
        return 6 + ROW_HEIGHT * self.row

    @property
    def middle(self) -> int:
        return self.y + BOX_HEIGHT // 2

    @property
    def box_x(self) -> int:
        return self.x + 16

    @property
    def box_width(self) -> int:
        return WIDTH - self.box_x - 2

    @property
    def room(self) -> int:
        """The number of letters of the names that fit."""
        return LETTERS_PER_ROW - 3 * self.column

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
        return ROW_HEIGHT * len(self.rows) + 4


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
    return heading(match.rules, knot.loaded_in) if knot.loaded_in else ""


def _state(match: Match, user: UUID | None) -> str:
    match str(match.status):
        case Match.Status.OPEN:
            return _("waiting for players")
        case Match.Status.ACTIVE:
            at = numbered(match.rules, match.round) if _plays(match, user) else ""
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


@never_cache
@require_GET
def family(request: HttpRequest, match_id: UUID) -> HttpResponse:
    match, user = visible_match(request, match_id), user_id(request)
    root = family_tree(family_of(match_id, user), match_id)
    shown = [knot.id for knot in root.walk() if knot.id is not None]
    listed = as_listed(members(shown), user, gettext)
    tree = drawn(root, {each.id: each for each in listed}, match_id, user)
    return render(request, "games/family.html", {"match": match, "tree": tree})
