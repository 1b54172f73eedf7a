"""Whether a match is rated: by its players, and by whether its rules lead to an end.

The rules are tried elsewhere; ``judges``, which the app fills, have the result. As long as there is
none a match is rated; a later result reaches ``end_rating``.
"""

from collections.abc import Callable, Sequence

from django.db import transaction
from django.utils import timezone

from games.matches.announcements import announce
from games.matches.models import Match, Seat
from games.matches.selectors.access import get_match
from games.matches.snapshot import MatchSnapshot, SeatSnapshot
from games.rules.game import AnyGame
from games.rules.values import Options

# Whether matches with these options lead to an end; None while nobody knows.
judges: list[Callable[[AnyGame, Options], bool | None]] = []


def is_rated(
    game: AnyGame, options: Options, seats: Sequence[Seat | SeatSnapshot], *, on_timeout: str
) -> bool:
    """A match with a player at the creator's device, or without an end, is not rated.

    Nor is one where nobody loses by running out of time: a player who is behind would wait.
    """
    if on_timeout != Match.OnTimeout.RESIGN:
        return False
    fair = all(
        game.bot(seat.bot).rated if seat.bot else seat.kind != Seat.Kind.LOCAL for seat in seats
    )
    return fair and not _never_ends(game, options)


def confirm(match: MatchSnapshot) -> MatchSnapshot:
    """The new match as written, unrated if its rules were found unfit before it was there."""
    if not match.rated or not _never_ends(match.rules, match.options):
        return match
    _unrate(match)
    return get_match(match.id)


def end_rating(game: str, options: bytes) -> None:
    """Matches with these options are not rated any more, except those that are over."""
    for status in (Match.Status.OPEN, Match.Status.ACTIVE):  # each has an index of its own
        running = Match.objects.filter(status=status, game=game, options=options, rated=True)
        for match_id in running.values_list("id", flat=True):
            _unrate(get_match(match_id))


def _never_ends(game: AnyGame, options: Options) -> bool:
    if options == game.options() or options in game.presets.values():
        return False  # a test tries these
    return any(judge(game, options) is False for judge in judges)


def _unrate(match: MatchSnapshot) -> None:
    rated = Match.objects.filter(id=match.id, rated=True)
    if rated.update(rated=False, updated_at=timezone.now()):
        transaction.on_commit(lambda: announce(match))
