"""The deal of the day: its terms, scores, reads and titles."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, timedelta
from itertools import pairwise
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec
from django.conf import settings
from django.db.models import Count, QuerySet
from django.utils import timezone

from accounts.models import User
from accounts.social.selectors import people_seen_by
from cardroom.rules import catalog
from cardroom.rules.game import AnyGame, DailyTerms
from cardroom.rules.text import Words, say, say_n
from cardroom.rules.values import Options, Outcome
from config.postgres.together import Part, once
from config.refusals import NotFound, Refusal
from games.daily.models import DailyDeal, Entry
from games.matches.models import Seat
from games.matches.selectors.access import get_match
from games.matches.selectors.log import standing_entries
from games.matches.snapshot import MatchSnapshot
from games.people.models import Result
from games.people.profiles import Title

# The games that have a deal of the day: each states how it is played then (``Game.daily``).


def games_of_the_day() -> Iterator[tuple[AnyGame, DailyTerms]]:
    for game in catalog.GAMES:
        if game.daily is not None:
            yield game, game.daily


# How well a match of the day went: a number, the higher the better.

PERSON = 0  # the seat of the person
NOT_PLAYED_OUT = ("aborted", "resigned", "timeout")


def reason_of(outcome: bytes | memoryview) -> str:
    """The reason why a match ended, by the column of its outcome."""
    return msgspec.json.decode(bytes(outcome), type=Outcome).reason


def score_of(match: MatchSnapshot) -> int | None:
    """``None`` where the person did not play it to its end."""
    seat, outcome = match.seats[PERSON], match.outcome
    given_up = seat.resigned_at is not None or bool(seat.stand_in)
    if outcome is None or outcome.reason in NOT_PLAYED_OUT or given_up:
        return None
    return score(match.rules, match.options, outcome)


def has_feat(match: MatchSnapshot) -> bool | None:
    """Whether the person did what gives a title; ``None`` in a game without such a thing."""
    daily = match.rules.daily
    if daily is None or daily.feat is None:
        return None
    feat = daily.feat.event
    return any(
        isinstance(event, feat) and getattr(event, "seat", None) == PERSON
        for entry in standing_entries(match)
        for event in entry.events
    )


def score(game: AnyGame, options: Options, outcome: Outcome) -> int:
    """Of the first seat: the margin in points; where points are places, how many were beaten."""
    if game.points_are_places:
        return sum(place > outcome.places[PERSON] for place in outcome.places)
    sides = game.sides_of(options)
    own = next(n for n, side in enumerate(sides) if PERSON in side)
    return outcome.points[own] - max(p for n, p in enumerate(outcome.points) if n != own)


# How people and computers did, once a deal is revealed; before, nobody reads of others.

LISTED: Final = 100


@dataclass(frozen=True)
class Line:
    """A person's result; equal scores share a place."""

    place: int
    person: User
    score: int
    entry: UUID


@dataclass(frozen=True)
class Results:
    """``people`` and ``computers`` count matches by score; ``best`` may be looked at by all."""

    people: Mapping[int, int]
    computers: Mapping[str, Mapping[int, int]]
    lines: list[Line]
    best: UUID | None

    @property
    def played(self) -> int:
        return sum(self.people.values())

    def place_of(self, score: int) -> int:
        return 1 + sum(count for each, count in self.people.items() if each > score)


def results_of(daily: DailyDeal, reader: UUID | None) -> Results | None:
    """``None`` while it is not revealed. The list has the first ones whom the reader may see."""
    if not daily.is_over:
        return None
    played = daily.entries.filter(score__isnull=False)
    counts = played.order_by("-score").values_list("score").annotate(Count("id"))
    people = {score or 0: count for score, count in counts}
    computers = {row.bot: Counter(row.scores) for row in daily.computers.all() if row.scores}
    results = Results(people, computers, [], daily.best_id)
    seen = played.filter(account__in=people_seen_by(reader)).select_related("account")
    for row in seen.order_by("-score", "id")[:LISTED]:
        line = Line(results.place_of(row.score or 0), row.account, row.score or 0, row.pk)
        results.lines.append(line)
    return results


@dataclass(frozen=True)
class Own:
    """A person's try; ``score`` once it is played to its end."""

    entry: UUID
    match: UUID
    status: str
    score: int | None


def own_result(entry: Entry) -> Own:
    """The person knows the score when the match is over, before it is written."""
    match = get_match(entry.match_id)
    return Own(entry.pk, match.id, match.status, score_of(match) if match.is_over else None)


# The title for a player who did in a deal of the day what its terms name.


def titles_of(account: UUID) -> Part:
    """From the day on when the deal is revealed."""
    return Part((_with_feat(account),), _titles)


@once
def _with_feat(account: UUID) -> QuerySet[Entry, Any]:
    return Entry.objects.filter(account=account, has_feat=True).order_by().values("daily__game")


def _titles(rows: Sequence[dict[str, str]]) -> list[Title]:
    games = {row["daily__game"] for row in rows}
    return [
        Title("daily", game.slug, terms.feat.words)
        for game, terms in games_of_the_day()
        if game.slug in games and terms.feat is not None
    ]


# Why somebody cannot play a deal of the day.


class NoSuchDeal(NotFound):
    """There is no such deal of the day."""


class NotToday(Refusal, status=409):
    """The deal of today is not there yet, or no more. Try again in a moment."""


class CannotCompete(Refusal, status=403, members={"opens_on": str, "matches_left": int}):
    """The deal of today is for accounts of before today with a few matches played to their end."""


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
    """An admission to the deals of the day: on a day, after so many matches more."""

    is_guest: bool
    opens_on: date
    matches_left: int
    day: date

    @property
    def is_open(self) -> bool:
        return not self.is_guest and self.opens_on <= self.day and not self.matches_left

    @property
    def words(self) -> Words:
        """The reader's next step, and when it opens."""
        return self.words_with(f"{self.opens_on} (UTC)")

    def words_with(self, day: str) -> Words:
        n = self.matches_left
        if self.is_guest:
            return say_n(
                "If you sign up and play {n} match to its end, it opens to you on {day}.",
                "If you sign up and play {n} matches to their end, it opens to you on {day}.",
                n,
                day=day,
            )
        if not n:
            return say("It opens to you on {day}.", day=day)
        if self.opens_on <= self.day:
            return say_n(
                "It opens to you once you have played {n} more match to its end.",
                "It opens to you once you have played {n} more matches to their end.",
                n,
            )
        return say_n(
            "It opens to you on {day}, once you have played {n} more match to its end.",
            "It opens to you on {day}, once you have played {n} more matches to their end.",
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
