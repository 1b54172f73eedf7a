"""Which relatives are drawn, and what hangs on what: a pure tree, folded where it is large.

Relatives that the reader may not find are left out. One that stands between others is kept as a
knot without a name, several of them in a row as one.
"""

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from games.matches.selectors.family import FamilyMember

MOST: Final = 60  # drawn in all
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
    """Those the reader may find, and what stands above them up to the first of all."""
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
    left, waiting = MOST - len(kept), deque([here, *path[1:]])
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
