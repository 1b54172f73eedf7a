"""People who sit down together, of those who wait for the same match: a plan, from values alone.

The one who waits longest is seated first, with those nearest in rating. The window of ratings
widens with waiting. Two who blocked each other never meet. Two who met twice in a row do not meet
a third time while either could meet somebody else.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

WINDOW: Final = 100.0  # points of rating, at once
WIDENS_BY: Final = 10.0  # with each second
ANYBODY_AFTER: Final = 60.0  # seconds; then ratings do not matter

Pair = frozenset[UUID]  # of two accounts


@dataclass(frozen=True)
class Waiting:
    """One seek as pairing sees it; ``waited`` and ``computers_after`` are seconds."""

    seek: UUID
    account: UUID
    rating: float
    waited: float
    computers_after: int | None = None
    is_bot: bool = False

    @property
    def window(self) -> float:
        if self.waited >= ANYBODY_AFTER:
            return float("inf")
        return WINDOW + WIDENS_BY * self.waited

    @property
    def takes_computers(self) -> bool:
        return self.computers_after is not None

    @property
    def is_tired(self) -> bool:
        """Computers may sit down now."""
        return self.computers_after is not None and self.waited >= self.computers_after


@dataclass(frozen=True)
class Table:
    """People who sit down together, the longest waiting first; computers fill the table."""

    people: tuple[Waiting, ...]
    computers: int = 0


@dataclass(frozen=True)
class Company:
    """People who may meet: ``blocked`` never, ``twice`` only if there is nobody else."""

    blocked: Collection[Pair] = frozenset()
    twice: Collection[Pair] = frozenset()

    def may_meet(self, one: Waiting, other: Waiting) -> bool:
        if one.is_bot != other.is_bot and not (other if one.is_bot else one).is_tired:
            return False  # a bot account is a computer to a person who waits for people
        return frozenset((one.account, other.account)) not in self.blocked

    def is_third_time(self, one: Waiting, other: Waiting) -> bool:
        return frozenset((one.account, other.account)) in self.twice


def tables(waiting: Sequence[Waiting], seats: int, company: Company) -> Iterator[Table]:
    """The tables that can begin now. Each account is at one of them at most."""
    left = sorted(waiting, key=lambda one: -one.waited)
    for first in list(left):
        if first not in left:
            continue
        group = _full(first, left, seats, company) or _with_computers(first, left, seats, company)
        if group:
            left = [one for one in left if one not in group.people]
            yield group


def _full(first: Waiting, left: Sequence[Waiting], seats: int, company: Company) -> Table | None:
    people = _company_of(first, left, seats, company)
    return Table(people) if len(people) == seats else None


def _with_computers(
    first: Waiting, left: Sequence[Waiting], seats: int, company: Company
) -> Table | None:
    """People first: everybody sits down who takes computers at all, also before their time."""
    if not first.is_tired:
        return None
    people = _company_of(first, [one for one in left if one.takes_computers], seats, company)
    return Table(people, seats - len(people))


def _company_of(
    first: Waiting, left: Sequence[Waiting], seats: int, company: Company
) -> tuple[Waiting, ...]:
    people = [first]
    near = sorted(left, key=lambda one: abs(one.rating - first.rating))
    for one in near:
        if len(people) == seats:
            break
        if one not in people and _fits(one, people, left, seats, company):
            people.append(one)
    return tuple(sorted(people, key=lambda one: -one.waited))


def _fits(
    one: Waiting,
    people: Sequence[Waiting],
    left: Sequence[Waiting],
    seats: int,
    company: Company,
) -> bool:
    first = people[0]
    if abs(one.rating - first.rating) > max(one.window, first.window):
        return False
    return all(
        company.may_meet(one, other) and not _had_enough(one, other, left, seats, company)
        for other in people
    )


def _had_enough(
    one: Waiting, other: Waiting, left: Sequence[Waiting], seats: int, company: Company
) -> bool:
    """Whether these two met twice in a row, and one of them finds a table without the other."""
    if not company.is_third_time(one, other):
        return False
    others = [third for third in left if third not in (one, other)]
    return any(
        sum(company.may_meet(third, either) for third in others) >= seats - 1
        for either in (one, other)
    )
