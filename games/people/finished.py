"""The results that follow from a finished match: a pure reading of its row and its seats."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final, NamedTuple
from uuid import UUID

from django.db.models import Exists, OuterRef, Prefetch, QuerySet

from accounts.standing import is_nobodys
from games.absent import of_installed_games, rules_of
from games.matches.models import Match, Seat
from games.people.models import SEVERAL, Outcome

_COLUMNS: Final = ("id", "game", "rules_version", "options", "visibility", "finished_at")


class Earned(NamedTuple):
    """A result, not yet stored."""

    match_id: UUID
    account_id: UUID
    game: str
    side: int
    outcome: str
    place: int
    bot: str
    is_public: bool


def finished_matches() -> QuerySet[Match]:
    """Matches that were played here to their end from their first card, with their seats.

    Loads do not count: a loser could load until they win. Nor do coached matches: who won
    them was told what to play.
    """
    people = Exists(Seat.objects.filter(match=OuterRef("pk"), kind="user"))
    seats = Seat.objects.select_related("user").only(
        *("match", "index", "kind", "bot", "place", "user__username", "user__is_active")
    )
    rows = Match.objects.filter(
        people, of_installed_games(), status="finished", parent=None, coached=False
    )
    return rows.only(*_COLUMNS).prefetch_related(Prefetch("seats", seats))


def results_of(matches: Iterable[Match]) -> list[Earned]:
    return [earned for match in matches for earned in _results(match)]


def _results(match: Match) -> Iterator[Earned]:
    """A person who held several seats at one device won and lost at once: no result."""
    seats = sorted(match.seats.all(), key=lambda seat: seat.index)
    if _was_imported(match):
        return
    sides = sides_of(match.game, match.rules_version, bytes(match.options))
    held = Counter(seat.user.pk for seat in seats if seat.user)
    for seat in seats:
        if seat.user is None or seat.place is None or held[seat.user.pk] > 1:
            continue
        if seat.kind != Seat.Kind.USER or is_nobodys(seat.user):
            continue
        others = [other for other in seats if sides[other.index] != sides[seat.index]]
        yield Earned(
            match.id,
            seat.user.pk,
            match.game,
            sides[seat.index],
            _outcome(seat.place, [other.place for other in others]),
            seat.place,
            _computer(others),
            match.visibility == Match.Visibility.PUBLIC,
        )


def _was_imported(match: Match) -> bool:
    """A match that was over before its row was made was played elsewhere."""
    made_at = datetime.fromtimestamp((match.id.int >> 80) / 1000, UTC)
    return match.finished_at is None or match.finished_at < made_at - timedelta(milliseconds=1)


@lru_cache(maxsize=512)
def sides_of(slug: str, version: int, options: bytes) -> tuple[int, ...]:
    """The number of each seat's side."""
    game = rules_of(slug, version)
    sides = game.sides_of(game.decode_options(options))
    number = {seat: at for at, side in enumerate(sides) for seat in side}
    return tuple(number[seat] for seat in sorted(number))


def _outcome(place: int, others: Sequence[int | None]) -> str:
    if place != 1:
        return Outcome.LOST.value
    return Outcome.DRAWN.value if 1 in others else Outcome.WON.value


def _computer(others: Sequence[Seat]) -> str:
    bots = {seat.bot for seat in others}
    if "" in bots or not bots:
        return ""
    return bots.pop() if len(bots) == 1 else SEVERAL
