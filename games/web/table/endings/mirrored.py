"""What a mirrored table says of its set: which match this is, what follows, skill and luck."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _

from games.house_names import HIDDEN
from games.matches.snapshot import MatchSnapshot
from games.mirrored.results import PairResult, SetResult
from games.mirrored.standing import Standing, standing_of
from games.web.parts.words import joined


@dataclass(frozen=True)
class PairLine:
    """A pair as one side sees it; ``matches`` are those of its margins."""

    pair: PairResult
    sign: int

    @property
    def matches(self) -> list[tuple[UUID, str]]:
        return [(each.match_id, signed(self.sign * each.margin)) for each in self.pair]

    @property
    def skill(self) -> str:
        return signed(self.sign * self.pair.skill)

    @property
    def luck(self) -> int:
        return abs(self.pair.luck)


@dataclass(frozen=True)
class MirroredSetPanel:
    """For one reader, who sees it from their own side; spectators see it from the first."""

    match: MatchSnapshot
    standing: Standing

    @property
    def side(self) -> int:
        return self.standing.own_side or 0

    @property
    def sides(self) -> Sequence[str]:
        """The names on both, the reader's first."""
        names = [joined(side) for side in self.standing.sides]
        return names[::-1] if self.side else names

    @property
    def lines(self) -> list[PairLine]:
        sign = -1 if self.side else 1
        return [PairLine(pair, sign) for pair in self._result.pairs]

    @property
    def title(self) -> str:
        """*You won the set, 2 : 1*."""
        won = self._result.won[::-1] if self.side else self._result.won
        values = {"own": won[0], "other": won[1], "name": self._winner}
        if self._result.winner is None:
            return _("The set is a draw, %(own)d : %(other)d") % values
        if self.standing.own_side is None:
            return _("%(name)s won the set, %(own)d : %(other)d") % values
        if self._result.winner == self.side:
            return _("You won the set, %(own)d : %(other)d") % values
        return _("You lost the set, %(own)d : %(other)d") % values

    @property
    def skill(self) -> str:
        return signed(-self._result.skill if self.side else self._result.skill)

    @property
    def luck(self) -> int:
        return self._result.luck

    @property
    def is_last(self) -> bool:
        return self.standing.number == self.standing.matches

    @property
    def _winner(self) -> str:
        winner = self._result.winner
        return "" if winner is None else joined(self.standing.sides[winner])

    @property
    def _result(self) -> SetResult:
        return self.standing.result or SetResult([])


def signed(number: int) -> str:
    """*+12*, *−8*, *0*."""
    return f"+{number}" if number > 0 else str(number).replace("-", "−")


def mirrored_panel(match: MatchSnapshot, reader: UUID | None) -> MirroredSetPanel | None:
    if not match.is_mirrored:
        return None
    return MirroredSetPanel(match, standing_of(match.id, reader, _(HIDDEN)))
