"""The same players, options and decks once more."""

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from cardroom.rules import catalog
from config.refusals import NotAllowed
from games.matches.models import Match, Seat
from games.matches.refusals import MatchNotOver
from games.matches.seating.joining import abort, decline, join, locked_match
from games.matches.seating.rating import is_rated
from games.matches.seating.seats import carry_over_seat
from games.matches.seating.starting import write_new
from games.matches.selectors.access import get_match, snapshot_of
from games.matches.snapshot import MatchSnapshot


def open_rematch(*, match_id: UUID, user: User) -> MatchSnapshot:
    """The same once more with seats rotated by one: seat 1 becomes seat 0.

    Other people are invited to their seats. The same player's second request gives the rematch that
    runs already. A second player's request for a rematch joins the one
    that another player has opened already, so that two who press the button meet.
    """
    with transaction.atomic():
        row, seats = locked_match(match_id, user)
        if all(seat.user_id != user.id for seat in seats):
            raise NotAllowed("Only who played this match can ask for a rematch.")
        if row.status not in (Match.Status.FINISHED, Match.Status.ABORTED):
            raise MatchNotOver("A rematch can be asked for when the match is over.")
        own = row.rematches.filter(creator=user, status__in=["open", "active"]).first()
        if own is not None:  # the same button pressed twice
            return get_match(own.id)
        waiting = row.rematches.filter(
            status="open", seats__invited=user, seats__declined=""
        ).first()
        if waiting is None:
            return _rematch(snapshot_of(row, seats), user)
    return join(match_id=waiting.id, user=user)


@transaction.atomic
def decline_rematch(*, match_id: UUID, user: User) -> MatchSnapshot:
    """Ends every rematch of this match that waits for others; the match that was played.

    A rematch is of the same players: without one of them, who was asked or had asked, it is called
    off. A person who does not want it keeps the seat in name, so that the others learn who it was.
    """
    concerned = Q(seats__user=user) | Q(seats__invited=user, seats__declined="")
    waiting = Match.objects.filter(concerned, previous=match_id, status=Match.Status.OPEN)
    for rematch_id in waiting.order_by("id").values_list("id", flat=True).distinct():
        row, seats = locked_match(rematch_id, user)
        if row.status == Match.Status.OPEN:
            _say_no(row, seats, user)
            abort(row, seats)
    return get_match(match_id)


def _say_no(row: Match, seats: Sequence[Seat], user: User) -> None:
    for seat in seats:
        if user.id in (seat.user_id, seat.invited_id) and row.creator_id != user.id:
            decline(row, seat, user)
            seat.save()


def _rematch(old: MatchSnapshot, user: User) -> MatchSnapshot:
    wish = Match.objects.values_list("rated_wish", flat=True).get(id=old.id)
    row = Match.on_same_terms(
        old,
        rules_version=catalog.find(old.game).rules_version,
        creator=user,
        rated=wish is not False
        and is_rated(old.rules, old.options, old.seats, on_timeout=old.on_timeout),
        rated_wish=wish,
        previous_id=old.id,
    )
    rotated = enumerate(old.seats[1:] + old.seats[:1])
    return write_new(row, [carry_over_seat(old.rules, seat, n, user) for n, seat in rotated])
