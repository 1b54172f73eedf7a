"""The same players, options and decks once more."""

from uuid import UUID

from django.db import transaction

from accounts.models import User
from config.refusals import NotAllowed
from games.matches.models import Match
from games.matches.refusals import MatchNotOver
from games.matches.services.joining import join, locked_match
from games.matches.services.seats import carry_over_seat, is_rated
from games.matches.services.starting import save_and_start
from games.matches.snapshot import MatchSnapshot


def open_rematch(*, match_id: UUID, user: User) -> MatchSnapshot:
    """The same once more with seats rotated by one: seat 1 becomes seat 0.

    Other people are invited to their seats. Who asks for a rematch that another player of the same
    match has opened already joins that one, so two who press the button meet.
    """
    with transaction.atomic():
        old = locked_match(match_id, user)
        if not old.seats.filter(user=user).exists():
            raise NotAllowed("Only who played this match can ask for a rematch.")
        if old.status not in (Match.Status.FINISHED, Match.Status.ABORTED):
            raise MatchNotOver("A rematch can be asked for when the match is over.")
        waiting = old.rematches.filter(status="open", seats__invited=user).first()
        if waiting is None:
            return _rematch(old, user)
    return join(match_id=waiting.id, user=user)


def _rematch(old: Match, user: User) -> MatchSnapshot:
    seats = list(old.seats.order_by("index"))
    rotated = seats[1:] + seats[:1]
    row = Match(
        game=old.game,
        rules_version=old.rules.rules_version,
        options=old.options,
        creator=user,
        visibility=old.visibility,
        turn_seconds=old.turn_seconds,
        rated=is_rated(old.rules, seats),
        previous=old,
    )
    return save_and_start(row, [carry_over_seat(s, n, user) for n, s in enumerate(rotated)])
