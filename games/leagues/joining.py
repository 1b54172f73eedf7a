"""Joining a league and leaving it."""

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from accounts.services.locking import check_may_play, locked_accounts
from games.leagues.models import Line, Membership, Week
from games.leagues.placing import place
from games.leagues.refusals import CannotJoinLeague
from games.leagues.selectors import check_league
from games.leagues.weeks import monday_of


def join(*, user: User, game: str) -> None:
    """From now on; again is no error. Raises ``NoSuchLeague`` and ``CannotJoinLeague``."""
    check_league(game)
    if user.is_guest:
        raise CannotJoinLeague
    if user.is_bot:
        raise CannotJoinLeague("Leagues are for people.")
    with locked_accounts(user.pk):
        check_may_play(user.pk)
        now = timezone.now()
        member, _ = Membership.objects.get_or_create(
            account=user, game=game, defaults={"joined_at": now}
        )
        week = _running(game)
        if week is not None and not Line.objects.filter(week=week, account=user).exists():
            place(week, member)


def _running(game: str) -> Week | None:
    """The week of now, locked. None while an earlier one is not closed: the beat places them."""
    monday = monday_of(timezone.now())
    earlier = Week.objects.filter(game=game, closed_at=None, monday__lt=monday)
    if earlier.exists():
        return None
    week, _ = Week.objects.get_or_create(game=game, monday=monday)
    return Week.objects.select_for_update().get(pk=week.pk)


@transaction.atomic
def leave(*, user: User, game: str) -> None:
    """The line of this week stays until it is closed; it is not carried over."""
    check_league(game)
    Membership.objects.filter(account=user, game=game).delete()
