"""People whom somebody may want to invite: friends first, then those they have played with.

Nobody else is ever named, so that completing a name tells nobody whether an account exists. Apps
that know friends, and people who hide, declare ``friends_of`` and ``hidden_from`` on their
``AppConfig`` (``config.offers``).
"""

from typing import Final, NamedTuple
from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from accounts.models import User
from accounts.social.models import Block
from config.offers import offered
from games.matches.models import Seat
from games.matches.seating.friends import friends_of

SHOWN: Final = 8
MATCHES_LOOKED_AT: Final = 200  # the newest of the player who searches


class Acquaintance(NamedTuple):
    username: str
    name: str
    is_friend: bool


def acquaintances(account: UUID, beginning: str) -> list[Acquaintance]:
    """Those whose username or shown name begins so."""
    friends = friends_of(account)
    known = friends | _played_with(account)
    blocks = Block.objects.filter(
        Q(owner=account, blocked=OuterRef("pk")) | Q(owner=OuterRef("pk"), blocked=account)
    )
    named = Q(username__istartswith=beginning) | Q(display_name__istartswith=beginning)
    people = User.objects.filter(named, ~Exists(blocks), pk__in=known, is_active=True)
    rows = people.exclude(pk=account).order_by("username")[:MATCHES_LOOKED_AT]
    hidden = _hidden_from(account, {row.pk for row in rows}) - friends
    shown = [
        Acquaintance(row.username, row.display_name, row.pk in friends)
        for row in rows
        if row.pk not in hidden
    ]
    return sorted(shown, key=lambda one: not one.is_friend)[:SHOWN]


def _played_with(account: UUID) -> set[UUID]:
    mine = Seat.objects.filter(user=account, match__started_at__isnull=False)
    newest = list(mine.order_by("-match_id").values_list("match_id", flat=True)[:MATCHES_LOOKED_AT])
    others = Seat.objects.filter(match__in=newest, kind=Seat.Kind.USER).exclude(user=account)
    return set(others.order_by().values_list("user_id", flat=True).distinct())


def _hidden_from(account: UUID, among: set[UUID]) -> set[UUID]:
    return {one for hidden in offered("hidden_from") for one in hidden(account, among)}
