"""The mirrored sets of boards: as a board is decided, a set is one match between its two sides.

The sides of a set are the seats of its first match, so they change from one set of a board to the
next as the seats of other matches do.
"""

from collections.abc import Collection, Sequence
from itertools import groupby
from uuid import UUID

from games.competitions.models import BoardMatch
from games.competitions.rules.deciding import Played, seat_of
from games.matches.models import Match
from games.mirrored.models import Leg
from games.mirrored.results import result_of, side_of_pair
from games.mirrored.selectors import find_leg, legs_of, sets_with


def is_mirrored(match: Match) -> bool:
    """No other match of a tournament has a deal in common with another one."""
    return match.deal_id is not None


def absent_from(match: Match) -> tuple[int, ...]:
    """The seats to which nobody came, if the match was called off for a first move.

    Of those who were not to move yet they are absent who did not look at it either.
    """
    waited = [seat for seat in match.seats.all() if seat.awaited]
    if match.status != Match.Status.ABORTED or not any(seat.timed_out for seat in waited):
        return ()
    return tuple(sorted(seat.index for seat in waited if seat.timed_out or not seat.came))


def played_sets(matches: Sequence[BoardMatch]) -> list[Played]:
    """Of a board, in their order. While a match runs that is all there is to know."""
    if matches[-1].match.status in ("open", "active"):
        return [Played("active")]
    known = {one.match_id for one in matches}
    legs = legs_of(sets_with(known)).order_by("of_id", "position")
    return [_played(list(own), known) for _, own in groupby(legs, key=lambda leg: leg.of_id)]


def _played(legs: Sequence[Leg], known: Collection[UUID]) -> Played:
    """A set that ended before its last match was over counts as called off."""
    follows = any(leg.match_id is not None and leg.match_id not in known for leg in legs)
    if legs[0].of.over_at is None or follows:
        return Played("active")
    if any(leg.match is None or leg.match.status != Match.Status.FINISHED for leg in legs):
        first = legs[0].match
        return Played("aborted", absent=() if first is None else absent_from(first))
    return Played("finished", result_of(legs).places)


def seat_in(one: BoardMatch, place: int) -> int:
    """Where the board's first (0) or second (1) sits in this match; so also the other way round."""
    if not is_mirrored(one.match):
        return seat_of(place, one.number)
    leg = find_leg(one.match_id)
    of_board = BoardMatch.objects.filter(board=one.board_id).values_list("match", flat=True)
    number = sorted(set(sets_with(list(of_board)))).index(leg.of_id) + 1
    return side_of_pair(seat_of(place, number), is_swapped=leg.is_swapped)
