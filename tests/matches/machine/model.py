"""A model of a match: its log and the acts on it, enough to derive what must be stored."""

from typing import Any

from cardroom.rules.course import RESIGN
from cardroom.rules.shuffles import Sealed
from games.matches.models import Ply


class Model:
    """Plays a match again by the rules alone; a roll-back is taken as it is stored.

    ``handed`` has the seats that a bot plays, and whether their people may take them back. The
    matches of a ``family`` were loaded from each other.
    """

    def __init__(self, match: Any, family: Any) -> None:
        self.id, self.rules, self.family = match.id, match.rules, family
        self.version, self.state, self.sealed = 0, None, Sealed(match.seed)
        self.handed: dict[int, bool] = {}
        self.rated, self.folded = match.rated, False
        self.told_before: dict[str, frozenset[str]] = {}

    def follow(self, match: Any) -> list[Any]:
        """Plays what is new in the log; the new plies."""
        if self.state is None and match.state_json is not None:
            self._deal(match)
        plies = Ply.objects.filter(match_id=match.id, version__gt=self.version)
        new = list(plies.order_by("version"))
        for ply in new:
            self.version += 1
            assert ply.version == self.version
            if ply.seat is None:
                self.state, self.sealed = match.state, Sealed(match.seed, match.shuffles_used)
            elif ply.move != RESIGN:
                ply.had_no_choice = self.rules.autoplays(self.state, ply.seat)
                self.state = self.rules.play(self.state, ply.seat, ply.move, self.sealed).state
        return new

    def _deal(self, match: Any) -> None:
        if match.loaded is None:
            self.state = self.rules.start(match.options, match.setups, self.sealed).state
            return
        self.version = match.parent_version
        self.sealed = Sealed(match.seed, len(match.loaded.moved))
        self.state = self.rules.decode_state(match.loaded.state.encode())
