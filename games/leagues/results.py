"""The matches that count: public rated matches of people, of a game, that ended in a time."""

from collections.abc import Collection, Iterator
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db.models import Prefetch, QuerySet

from cardroom.rules import catalog
from games.leagues.models import Week
from games.leagues.points import Played, Seated
from games.leagues.weeks import beginning_of, end_of
from games.matches.models import Match, Seat
from games.ratings.boards import PEOPLE, boards_of
from games.ratings.models import RatedMatch, RatedSeat
from games.ratings.people.facts import facts_of


class Span(NamedTuple):
    """``judged_at``: a match that was annulled later still counts; ``None``: no annulled one."""

    boards: list[str]
    begins: datetime
    ends: datetime
    judged_at: datetime | None


def span_of(week: Week) -> Span:
    boards = [str(one) for one in boards_of(catalog.find(week.game)) if one.opponents == PEOPLE]
    return Span(boards, beginning_of(week.monday), end_of(week.monday), week.closed_at)


def played_in(week: Week, accounts: Collection[UUID] | None = None) -> list[Played]:
    """The matches of these accounts, or of everybody, in the order of their ends."""
    span = span_of(week)
    return sorted([*_rated(span, accounts), *_annulled_later(span, accounts)])


def _rated(span: Span, accounts: Collection[UUID] | None) -> Iterator[Played]:
    seats = RatedSeat.objects.filter(
        board__in=span.boards,
        at__gte=span.begins,
        at__lt=span.ends,
        rated_match__annulled_at=None,
        rated_match__match__visibility=Match.Visibility.PUBLIC,
    )
    if accounts is not None:
        own = seats.filter(account__in=list(accounts)).values("rated_match")
        seats = RatedSeat.objects.filter(rated_match__in=own)
    rows = seats.order_by("at", "rated_match", "seat")
    seats_of: dict[UUID, tuple[datetime, list[Seated]]] = {}
    columns = ("rated_match_id", "at", "account_id", "side", "place")
    for match, at, account, side, place in rows.values_list(*columns):
        seats_of.setdefault(match, (at, []))[1].append(Seated(account, side, place))
    for match, (at, seated) in seats_of.items():
        yield Played(at, match, tuple(seated))


def _annulled_later(span: Span, accounts: Collection[UUID] | None) -> Iterator[Played]:
    """Their rated seats are gone; their matches are as they ended."""
    if span.judged_at is None:
        return
    rated = RatedMatch.objects.filter(
        board__in=span.boards, at__gte=span.begins, at__lt=span.ends, annulled_at__gt=span.judged_at
    )
    for facts in facts_of(_matches(rated)):
        seated = [(seat.account, seat.side, seat.place) for seat in facts.seats]
        seats = tuple(Seated(who, side, place) for who, side, place in seated if who is not None)
        if accounts is None or any(seat.account in accounts for seat in seats):
            yield Played(facts.at, facts.match_id, seats)


def _matches(rated: QuerySet[RatedMatch]) -> QuerySet[Match]:
    seats = Seat.objects.select_related("user").order_by("index")
    rows = Match.objects.filter(
        id__in=rated.values("match"), visibility=Match.Visibility.PUBLIC
    ).defer("state", "loaded")
    return rows.prefetch_related(Prefetch("seats", seats))
