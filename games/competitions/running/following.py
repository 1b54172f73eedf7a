"""The matches of mirrored sets: each belongs to its board as soon as it has begun.

The set begins them by itself. Until one is known here its set counts as running.
"""

from uuid import UUID

from games.competitions.models import BoardMatch, Tournament
from games.competitions.running.locking import changed
from games.mirrored.models import Leg
from games.mirrored.selectors import legs_of, sets_with


def follow(tournament: Tournament) -> int:
    """Writes the matches that began since; how many."""
    if tournament.pairs is None or not _begun(_boards(tournament)):
        return 0
    with changed(tournament.id) as row:
        boards = _boards(row)
        begun = _begun(boards)
        for leg in begun:
            _write(leg, boards)
    return len(begun)


def _boards(tournament: Tournament) -> dict[UUID, int]:
    """By its match each board that is undecided."""
    rows = BoardMatch.objects.filter(board__tournament=tournament, board__result="")
    return dict(rows.values_list("match_id", "board_id"))


def _begun(boards: dict[UUID, int]) -> list[Leg]:
    legs = legs_of(sets_with(boards)).filter(match__isnull=False)
    return list(legs.exclude(match__in=boards))


def _write(leg: Leg, boards: dict[UUID, int]) -> None:
    earlier = Leg.objects.filter(of=leg.of_id, match__in=boards).first()
    if earlier is None or earlier.match_id is None or leg.match_id is None:
        return
    board_id = boards[earlier.match_id]
    number = 1 + BoardMatch.objects.filter(board=board_id).count()
    BoardMatch.objects.create(board_id=board_id, number=number, match_id=leg.match_id)
