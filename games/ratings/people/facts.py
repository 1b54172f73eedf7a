"""What of a finished match people are rated by: a pure reading of its row and its seats.

Mirrored matches are rated together: what all of a set say stands at the last one.

Whether it is rated at all was settled before it began (``games.matches.seating.rating``), and is
kept in its row; what happened since, such as a seat that was handed over, is kept there too.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db.models import Prefetch, QuerySet

from games.absent import of_installed_games, rules_of
from games.matches.models import Match, Seat
from games.matches.time_bank import terms_of
from games.mirrored.rated import RatedSet, rated_sets
from games.people.finished import sides_of
from games.ratings.boards import COMPUTERS, MIRRORED, MORE, PEOPLE, TWO, Board, pace_of

_COLUMNS = ("id", "game", "rules_version", "options", "turn_seconds", "clock", "finished_at")
_COLUMNS += ("deal",)


class Taken(NamedTuple):
    """A seat as it ended: of a person, or of the computer that is named."""

    number: int
    account: UUID | None
    bot: str
    side: int
    place: int
    is_program: bool = False


class Facts(NamedTuple):
    match_id: UUID
    board: str
    game: str
    at: datetime
    seats: tuple[Taken, ...]

    @property
    def position(self) -> tuple[datetime, UUID]:
        return self.at, self.match_id


def rated_matches(since: datetime) -> QuerySet[Match]:
    """Finished matches that were rated from their start on, with their seats."""
    seats = Seat.objects.select_related("user").order_by("index")
    seats = seats.only("match", "index", "kind", "bot", "place", "user__is_bot")
    rows = Match.objects.filter(
        of_installed_games(), status="finished", rated=True, parent=None, started_at__gte=since
    )
    return rows.only(*_COLUMNS).prefetch_related(Prefetch("seats", seats))


def facts_of(matches: Iterable[Match]) -> list[Facts]:
    read = list(matches)
    sets = rated_sets({match.id for match in read if match.deal_id is not None})
    return [
        facts
        for match in read
        for facts in (_facts(match) if match.deal_id is None else _facts_of_set(match, sets))
    ]


def _facts_of_set(match: Match, sets: Mapping[UUID, RatedSet]) -> Iterator[Facts]:
    """Of all matches that are mirrored with this one, where it is the last of them."""
    if (rated := sets.get(match.id)) is None:
        return
    seats = [
        _taken(one.seat, number=one.number, side=one.side, place=one.place) for one in rated.holders
    ]
    if (opponents := _opponents(seats)) is not None:
        board = Board(match.game, MIRRORED, TWO, opponents)
        yield Facts(match.id, str(board), match.game, rated.at, tuple(seats))


def _facts(match: Match) -> Iterator[Facts]:
    sides = sides_of(match.game, match.rules_version, bytes(match.options))
    seats = [
        _taken(seat, number=seat.index, side=sides[seat.index], place=seat.place)
        for seat in match.seats.all()
        if seat.place is not None
    ]
    opponents = _opponents(seats)
    if len(seats) < len(sides) or opponents is None or match.finished_at is None:
        return
    if rules_of(match.game, match.rules_version).is_luck:
        return
    pace = pace_of(match.turn_seconds, terms_of(match.clock))
    board = Board(match.game, pace, TWO if len(set(sides)) == 2 else MORE, opponents)
    yield Facts(match.id, str(board), match.game, match.finished_at, tuple(seats))


def _taken(seat: Seat, *, number: int, side: int, place: int) -> Taken:
    is_program = seat.user is not None and seat.user.is_bot
    return Taken(number, seat.user_id, seat.bot, side, place, is_program)


def _opponents(seats: Sequence[Taken]) -> str | None:
    """Against whom people play; None where they could not say whom they are compared with.

    Bot accounts count as computers: they are rated on that scale, also among themselves.
    """
    accounts = [seat.account for seat in seats if seat.account]
    people = [seat for seat in seats if seat.account and not seat.is_program]
    if len(set(accounts)) != len(accounts) or not accounts:
        return None
    if len(people) == len(seats):
        return PEOPLE
    return COMPUTERS if len(people) <= 1 else None
