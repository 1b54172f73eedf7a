"""The standings of a week's divisions, counted from its matches."""

from collections.abc import Collection, Iterable, Sequence
from itertools import groupby
from typing import NamedTuple
from uuid import UUID

from games.leagues.models import Line, Week
from games.leagues.points import Played, score_of
from games.leagues.results import played_in
from games.leagues.tiers import Standing, moves, ranked, tiers_for


class Counted(NamedTuple):
    """What a week made of a line."""

    line: Line
    points: int
    matches: int
    place: int
    move: str


def counted(week: Week, lines: Collection[Line], players: int) -> list[Counted]:
    """By division and place; ``players`` are those of the whole week, of whom these are some."""
    some = None if len(lines) == players else {line.account_id for line in lines}
    matches = _by_account(played_in(week, some))
    lowest = tiers_for(players)
    ordered = sorted(lines, key=lambda line: (line.tier, line.division, line.slot))
    return [
        each
        for (tier, _), group in groupby(ordered, key=lambda line: (line.tier, line.division))
        for each in _division(tier, list(group), matches, lowest)
    ]


def _by_account(matches: Iterable[Played]) -> dict[UUID, list[Played]]:
    by_account: dict[UUID, list[Played]] = {}
    for match in matches:
        for seat in match.seats:
            by_account.setdefault(seat.account, []).append(match)
    return by_account


def _division(
    tier: int, lines: Sequence[Line], matches: dict[UUID, list[Played]], lowest: int
) -> list[Counted]:
    by_slot = {line.slot: line for line in lines}
    order = ranked(
        Standing(
            line.account_id,
            line.slot,
            score_of(line.account_id, matches.get(line.account_id, ()), line.since),
        )
        for line in lines
    )
    going = moves(order, tier, lowest)
    return [
        Counted(by_slot[one.slot], *one.score, place, move)
        for place, (one, move) in enumerate(zip(order, going, strict=True), start=1)
    ]
