"""What a set that is over says: a pure reading of its matches.

``margin`` is always that of the first side: who held it in the matches that are not swapped. The
same cards make both matches of a pair, so what they give one side in the one they give the other
side in the other: ``skill`` is what is left of both margins together, ``luck`` what cancels out.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final, NamedTuple
from uuid import UUID

import msgspec

from cardroom.rules.values import Outcome
from games.absent import is_absent
from games.matches.models import Match
from games.mirrored.models import Leg

GIVEN_UP: Final = ("resigned", "timeout")


class Played(NamedTuple):
    """A match of a pair that was finished; ``given_up_by`` is the side that resigned."""

    match_id: UUID
    margin: int
    given_up_by: int | None


class PairResult(NamedTuple):
    one: Played
    swapped: Played

    @property
    def skill(self) -> int:
        return self.one.margin + self.swapped.margin

    @property
    def luck(self) -> int:
        """What the cards of the first side of ``one`` were worth, in both matches together."""
        return self.one.margin - self.swapped.margin

    @property
    def winner(self) -> int | None:
        """A side that gave one of the matches up has lost the pair, whatever the points."""
        quitters = {side for each in self if (side := each.given_up_by) is not None}
        if len(quitters) == 1:
            return 1 - quitters.pop()
        return None if quitters else _ahead(self.skill)


class SetResult(NamedTuple):
    pairs: Sequence[PairResult]

    @property
    def won(self) -> tuple[int, int]:
        """Pairs, by side."""
        winners = [pair.winner for pair in self.pairs]
        return winners.count(0), winners.count(1)

    @property
    def skill(self) -> int:
        return sum(pair.skill for pair in self.pairs)

    @property
    def luck(self) -> int:
        """How much the cards moved, whichever way."""
        return sum(abs(pair.luck) for pair in self.pairs)

    @property
    def winner(self) -> int | None:
        """The side that won more pairs, else the one with the greater margin in all of them."""
        first, second = self.won
        return _ahead(first - second or self.skill)

    @property
    def places(self) -> tuple[int, int]:
        """Of both sides; 1 for both in a draw."""
        return (1 if self.winner != 1 else 2), (1 if self.winner != 0 else 2)


def _ahead(margin: int) -> int | None:
    return (0 if margin > 0 else 1) if margin else None


def result_of(legs: Iterable[Leg]) -> SetResult:
    """Of the pairs of which both matches were finished; read the legs with their matches."""
    ordered = sorted(legs, key=lambda leg: (str(leg.deal_id), leg.is_swapped))
    pairs = [list(pair) for _, pair in groupby(ordered, key=lambda leg: leg.deal_id)]
    pairs.sort(key=lambda pair: min(leg.position for leg in pair))
    played = [[_played(leg) for leg in pair] for pair in pairs]
    return SetResult(
        [PairResult(*pair) for pair in played if len(pair) == 2 and None not in pair]  # type: ignore[arg-type]
    )


def _played(leg: Leg) -> Played | None:
    match = leg.match
    if match is None or match.status != Match.Status.FINISHED or match.outcome is None:
        return None
    if is_absent(match.rules):
        return None
    outcome = msgspec.json.decode(bytes(match.outcome), type=Outcome)
    return Played(match.id, margin(match, outcome, leg), _quitter(match, outcome, leg))


def margin(match: Match, outcome: Outcome, leg: Leg) -> int:
    """In points; where points are places, fewer are better."""
    first, second = outcome.points
    ahead = second - first if match.rules.points_are_places else first - second
    return -ahead if leg.is_swapped else ahead


def _quitter(match: Match, outcome: Outcome, leg: Leg) -> int | None:
    """The side of the pair, as it is in a match that is not swapped."""
    if outcome.reason not in GIVEN_UP:
        return None
    lost = next(n for n, side in enumerate(sides_of(match)) if not {*side} & {*outcome.winners})
    return side_of_pair(lost, is_swapped=leg.is_swapped)


def sides_of(match: Match) -> Sequence[Sequence[int]]:
    return match.rules.sides_of(match.rules.decode_options(bytes(match.options)))


def side_of_pair(side: int, *, is_swapped: bool) -> int:
    """The holders of a side of a match: 0 for those on the first side where nothing is swapped."""
    return 1 - side if is_swapped else side
