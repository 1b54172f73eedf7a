"""Whether a match is rated: by its players, and by whether its rules lead to an end.

Whether rules lead to an end is tried by a worker (``games.simulations.house_rules``). While nothing
is known of some options a match with them is rated, until ``end_unfit`` finds out.
"""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from games.matches.announcements import announce
from games.matches.models import Match, Seat
from games.matches.seat_snapshot import SeatSnapshot
from games.matches.selectors.access import get_match
from games.matches.snapshot import MatchSnapshot
from games.rules import catalog
from games.rules.game import AnyGame
from games.rules.values import Options
from games.simulations import house_rules


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


def end_unfit() -> None:
    """Matches by rules that turned out not to end are rated no more, except those that are over.

    The beat asks for it: a worker that tries rules knows no matches, and what it has learnt is kept
    for everybody.
    """
    slugs = [game.slug for game in catalog.GAMES if game.limit_option is not None]
    for status in (Match.Status.OPEN, Match.Status.ACTIVE):  # each has an index of its own
        running = Match.objects.filter(status=status, game__in=slugs, rated=True)
        for slug, options in running.values_list("game", "options").distinct():
            game = catalog.find(slug)
            if _never_ends(game, game.decode_options(bytes(options))):
                unfit = running.filter(game=slug, options=options)
                for match_id in unfit.values_list("id", flat=True):
                    _unrate(get_match(match_id))


def _never_ends(game: AnyGame, options: Options) -> bool:
    if options == game.options() or options in game.presets.values():
        return False  # a test tries these
    return house_rules.may_be_rated(game, options) is False


def _unrate(match: MatchSnapshot) -> None:
    rated = Match.objects.filter(id=match.id, rated=True)
    if rated.update(rated=False, updated_at=timezone.now()):
        transaction.on_commit(lambda: announce(match))
