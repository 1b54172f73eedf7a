"""Reads of deals, and of the people who may play today's."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from typing import Final, NamedTuple
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from accounts.models import User
from games.daily.models import DailyDeal, Entry
from games.daily.refusals import NoSuchDeal
from games.people.models import Result

ONE_DAY: Final = timedelta(days=1)


def today() -> date:
    return timezone.now().astimezone(UTC).date()


def day_of(text: str) -> date:
    """The day that an address names; raises ``NoSuchDeal``."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise NoSuchDeal from None


def deals_of(day: date) -> list[DailyDeal]:
    rows = DailyDeal.objects.filter(day=day).select_related("deal").order_by("id")
    return list(rows.defer("deal__seed"))


def find_deal(day: date, game: str) -> DailyDeal:
    """The deal of a day that has begun. Of tomorrow's only the commitments are public."""
    deal = next((one for one in deals_of(day) if one.game == game), None)
    if deal is None or day > today():
        raise NoSuchDeal
    return deal


def entries_of(user: UUID | None, deals: Sequence[DailyDeal]) -> dict[int, Entry]:
    """A person's tries, by deal."""
    if user is None:
        return {}
    rows = Entry.objects.filter(account=user, daily__in=[one.pk for one in deals])
    return {row.daily_id: row for row in rows}


def may_compete(user: User, day: date) -> bool:
    """Whether an account may play a deal before everybody knows it.

    It was there before the day began and has finished some matches: a second one, which would
    learn the deal for the first, has to be made and played in beforehand.
    """
    began = datetime.combine(day, time(), UTC)
    if user.is_guest or user.date_joined >= began:
        return False
    least: int = settings.DAILY_FINISHED_MATCHES
    return Result.objects.filter(account=user).order_by()[:least].count() >= least


class Streak(NamedTuple):
    """Days in a row on which a deal was played to its end: now, and at most."""

    current: int
    longest: int


def streak_of(user: UUID) -> Streak:
    """Days count once they are revealed; today's and yesterday's may still be missing."""
    played = Entry.objects.filter(account=user, score__isnull=False)
    days = list(played.order_by("daily__day").values_list("daily__day", flat=True).distinct())
    if not days:
        return Streak(0, 0)
    lengths = [1]
    for before, day in pairwise(days):
        lengths.append(lengths[-1] + 1 if day - before == ONE_DAY else 1)
    is_alive = days[-1] >= today() - 2 * ONE_DAY
    return Streak(lengths[-1] if is_alive else 0, max(lengths))
