"""Reads of deals, and of the people who may play today's."""

from collections.abc import Sequence
from datetime import UTC, date, timedelta
from itertools import pairwise
from typing import Final, NamedTuple
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from accounts.models import User
from cardroom.rules.text import Words, say, say_n
from games.daily.models import DailyDeal, Entry
from games.daily.refusals import NoSuchDeal
from games.daily.scores import NOT_PLAYED_OUT, reason_of
from games.matches.models import Seat
from games.people.models import Result

ONE_DAY: Final = timedelta(days=1)
LOOKED_AT: Final = 200  # the newest matches of an account


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


class Admission(NamedTuple):
    """When the deals of the day open to somebody: on a day, after so many matches more."""

    is_guest: bool
    opens_on: date
    matches_left: int
    day: date

    @property
    def is_open(self) -> bool:
        return not self.is_guest and self.opens_on <= self.day and not self.matches_left

    @property
    def words(self) -> Words:
        """What the reader has to do, and when it opens."""
        n, day = self.matches_left, self.opens_on.isoformat()
        if self.is_guest:
            return say_n(
                "If you sign up and play {n} match to its end, it opens to you on {day} (UTC).",
                "If you sign up and play {n} matches to their end, it opens to you on {day} (UTC).",
                n,
                day=day,
            )
        if not n:
            return say("It opens to you on {day} (UTC).", day=day)
        if self.opens_on <= self.day:
            return say_n(
                "It opens to you once you have played {n} more match to its end.",
                "It opens to you once you have played {n} more matches to their end.",
                n,
            )
        return say_n(
            "It opens to you on {day} (UTC), once you have played {n} more match to its end.",
            "It opens to you on {day} (UTC), once you have played {n} more matches to their end.",
            n,
            day=day,
        )


def admission(user: User | None, day: date) -> Admission:
    """Whether an account may play a deal before everybody knows it.

    It signed up before the day began and has played some matches to their end: a second one, which
    would learn the deal for the first, has to be made and played in beforehand.
    """
    least: int = settings.DAILY_FINISHED_MATCHES
    if user is None or user.is_guest:
        return Admission(is_guest=True, opens_on=day + ONE_DAY, matches_left=least, day=day)
    since = user.here_since.astimezone(UTC).date()
    left = least - _played_to_their_end(user, least) if least else 0
    return Admission(is_guest=False, opens_on=since + ONE_DAY, matches_left=left, day=day)


def _played_to_their_end(user: User, most: int) -> int:
    """Of the newest matches those that nobody ended by giving up; so many are enough."""
    newest = Result.objects.filter(account=user).values_list("match", flat=True)[:LOOKED_AT]
    own = Seat.objects.filter(match__in=list(newest), user=user, resigned_at=None)
    outcomes = own.values_list("match__outcome", flat=True)
    reasons = [reason_of(outcome) for outcome in outcomes if outcome is not None]
    return min(most, sum(reason not in NOT_PLAYED_OUT for reason in reasons))


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
