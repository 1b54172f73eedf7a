"""The results of a person against computers."""

from typing import Final
from uuid import UUID

import msgspec

from games.matches.models import Match, Seat
from games.matches.selectors.newest import Sought, newest_seated

LOOKED_AT: Final = 40


class Result(msgspec.Struct, frozen=True):
    """A finished match of one person against computers of one kind."""

    game: str
    bot: str
    won: bool


def results_against_bots(user: UUID | None, game: str | None = None) -> list[Result]:
    """The results of the last finished matches, newest first."""
    sought = Sought(game=game, statuses=[Match.Status.FINISHED])
    matches = newest_seated(user, sought, most=LOOKED_AT) if user is not None else ()
    results = (_result(match.game, list(match.seats.all()), user) for match in matches)
    return [result for result in results if result is not None]


def _result(game: str, seats: list[Seat], user: UUID | None) -> Result | None:
    own = [seat for seat in seats if seat.user_id == user]
    bots = {seat.bot for seat in seats if seat.kind == "bot"}
    if len(own) != 1 or len(bots) != 1 or len(seats) != 1 + sum(s.kind == "bot" for s in seats):
        return None
    return Result(game, bots.pop(), own[0].place == 1)


def has_played_before(user: UUID, game: str, match: UUID) -> bool:
    """Whether the user sat in a match of this game that was opened before this one."""
    return Seat.objects.filter(user=user, match__game=game, match_id__lt=match).exists()
