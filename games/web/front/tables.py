"""The tables of the lobby: open ones with their chairs, those to watch, those that wait for one."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext

from games.guests import name_for
from games.house_names import HIDDEN
from games.lobby.finding.here import watchers_of
from games.lobby.strength import known_ratings
from games.matches import time_bank
from games.matches.models import Match, Seat
from games.matches.seating.friends import friends_of
from games.matches.seating.invitations import awaits
from games.matches.seating.resting_people import Resting, SeatResting, resting_of
from games.matches.selectors.newest import (
    NOT_OVER,
    Sought,
    not_kept_from_its_host,
    unfinished_seats,
)
from games.matches.selectors.watched import as_listed
from games.matches.snapshot import DAY
from games.web.parts.match_list import MatchListing, listing_of
from games.web.parts.terms import pace_in_words, rules_in_words

SHOWN: Final = 30


@dataclass(frozen=True)
class Chair:
    """A seat of an open table: ``name`` sits there or is awaited, or the reader may take it.

    ``label`` is the name as the reader has to read it: a guest is somebody's guest.
    """

    index: int
    name: str
    label: str
    bot: str | None
    is_free: bool


@dataclass(frozen=True)
class OpenTable:
    listing: MatchListing
    chairs: list[Chair]
    rules: list[str]  # the options that are not as usual, in words
    pace: str
    host_rating: int | None
    rests: list[SeatResting]  # whose clock stands still, where a move has days


@dataclass(frozen=True)
class WatchedTable:
    listing: MatchListing
    points: list[tuple[str, int]]
    watchers: int | None


def open_tables(matches: QuerySet[Match], reader: UUID | None) -> list[OpenTable]:
    rows = as_listed(matches.select_related("creator")[:SHOWN], reader, gettext(HIDDEN))
    friends, ratings = friends_of(reader), _host_ratings(rows)
    resting = _resting_in(rows) if reader else {}
    return [_open_table(row, reader, friends, ratings[row.game], resting) for row in rows]


def _resting_in(matches: Collection[Match]) -> dict[UUID, Resting]:
    """The people who rest, of the tables with days for a move."""
    slow = [match for match in matches if (match.turn_seconds or 0) >= DAY]
    return resting_of(
        {seat.user_id for match in slow for seat in match.seats.all() if seat.user_id}
    )


def _host_ratings(matches: Collection[Match]) -> dict[str, dict[UUID, float]]:
    """Of the hosts of each game."""
    hosts: defaultdict[str, set[UUID]] = defaultdict(set)
    for match in matches:
        hosts[match.game].add(match.creator_id)
    return {game: known_ratings(game, accounts) for game, accounts in hosts.items()}


def _open_table(
    match: Match,
    reader: UUID | None,
    friends: Collection[UUID],
    ratings: Mapping[UUID, float],
    resting: Mapping[UUID, Resting],
) -> OpenTable:
    seats = sorted(match.seats.all(), key=lambda seat: seat.index)
    is_slow = (match.turn_seconds or 0) >= DAY
    rating = ratings.get(match.creator_id)
    return OpenTable(
        listing=listing_of(match, reader, friends),
        chairs=[
            _chair(
                seat,
                name_for(seat, seat.name, seats, reader),
                reader,
                is_friend=match.creator_id in friends,
            )
            for seat in seats
        ],
        rules=rules_in_words(match.rules, match.rules.decode_options(bytes(match.options))),
        pace=pace_in_words(match.turn_seconds, time_bank.terms_of(match.clock)),
        host_rating=None if rating is None else round(rating),
        rests=[
            SeatResting(seat.index, seat.name, resting[seat.user_id])
            for seat in seats
            if is_slow and seat.user_id and seat.user_id in resting
        ],
    )


def _chair(seat: Seat, label: str, reader: UUID | None, *, is_friend: bool) -> Chair:
    is_open = seat.kind == Seat.Kind.OPEN and seat.invited_id is None
    is_free = is_open and (is_friend or not seat.for_friends)
    is_free = is_free or awaits(seat, reader)
    return Chair(seat.index, seat.name, label, seat.bot or None, is_free)


def watched_tables(matches: Sequence[Match], reader: UUID | None) -> list[WatchedTable]:
    """Those that most people watch first."""
    counts = watchers_of([match.id for match in matches])
    tables = [_watched(match, reader, counts.get(match.id)) for match in matches]
    return sorted(tables, key=lambda table: -(table.watchers or 0))


def _watched(match: Match, reader: UUID | None, watchers: int | None) -> WatchedTable:
    listing = listing_of(match, reader)
    seats = sorted(match.seats.all(), key=lambda seat: seat.index)
    points = [(name, seat.points) for seat, name in zip(seats, listing.names, strict=True)]
    return WatchedTable(listing, points, watchers)


def unfinished_of(user: UUID) -> dict[UUID, bool]:
    """The matches that are not over in which the person sits, the newest first.

    With each, whether it waits for a move of this person.
    """
    own = unfinished_seats(user)
    rows = Match.objects.filter(id__in=list(own), status__in=NOT_OVER).order_by("-id")
    waits = rows.values_list("id", "to_act")
    return {match: not own[match].isdisjoint(to_act) for match, to_act in waits}


def opened_by(user: UUID) -> list[UUID]:
    """The matches that are not over and that this person opened, with a seat or without."""
    not_over = Sought(statuses=NOT_OVER).terms()
    rows = Match.objects.filter(not_over, not_kept_from_its_host(), creator=user)
    return list(rows.order_by("-id").values_list("id", flat=True))
