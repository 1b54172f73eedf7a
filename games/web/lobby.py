"""The lobby: what waits for the reader, whom they can play with, what they can watch."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_GET, require_POST

from accounts.models import User
from accounts.visitors import keep_choice
from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from config.postgres.arrays import literal
from games.absent import rules_of
from games.competitions import selectors
from games.guests import name_for
from games.language import words
from games.lobby.challenges import ChallengeTerms, challenges_of
from games.lobby.finding import (
    TableFilter,
    known_ratings,
    people_lately,
    remember,
    remembered,
    watchers_of,
)
from games.lobby.models import MOST_SEATS, Seek
from games.lobby.seeking import NewSeek
from games.lobby.selectors import Queue, queues, waiting
from games.matches import time_bank
from games.matches.models import Match, Seat
from games.matches.opening import awaits
from games.matches.resting import Resting, SeatResting, resting_of
from games.matches.seats import friends_of
from games.matches.selectors import lists
from games.matches.selectors.history import as_listed
from games.matches.time_bank import CLOCKS, DAY, NORMAL, PACES, find_pace
from games.web.parts.match_list import (
    MatchListing,
    ResultFilter,
    listing_of,
    records_of,
    result_lines,
)
from games.web.parts.options_form import pace_in_words, rules_in_words
from games.web.parts.visitor import user_id

# The tables of the lobby: open ones with their chairs, those to watch, those that wait for one.

TABLES_PER_LIST: Final = 30
SOON: Final = 3  # tournaments


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
    rows = as_listed(matches.select_related("creator")[:TABLES_PER_LIST], reader, gettext)
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
    """The tables that most people watch first."""
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
    own = lists.unfinished_seats(user)
    rows = Match.objects.filter(id__in=list(own), status__in=lists.NOT_OVER).order_by("-id")
    waits = rows.values_list("id", "to_act")
    return {match: not own[match].isdisjoint(to_act) for match, to_act in waits}


def opened_by(user: UUID) -> list[UUID]:
    """The matches that are not over and that this person opened, with a seat or without."""
    not_over = lists.Sought(statuses=lists.NOT_OVER).terms()
    rows = Match.objects.filter(not_over, lists.not_kept_from_its_host(), creator=user)
    return list(rows.order_by("-id").values_list("id", flat=True))


# The challenges of the lobby: those that wait for the reader, and for others.


@dataclass(frozen=True)
class ChallengeLine:
    """``other`` is the name of the person whom the reader challenges, or who challenges them."""

    terms: ChallengeTerms
    is_own: bool

    @property
    def other(self) -> str:
        return (self.terms.challenged if self.is_own else self.terms.challenger).name

    @property
    def game(self) -> str:
        return words(rules_of(self.terms.game, 1).name)

    @property
    def pace(self) -> str:
        return pace_in_words(self.terms.turn_seconds, self.terms.clock)


def waiting_challenges(user: UUID, username: str) -> list[ChallengeLine]:
    waiting = [one for one in challenges_of(user) if one.status == "waiting"]
    return [ChallengeLine(one, one.challenger.username == username) for one in waiting]


# The panel "Play somebody": what a form sends, and who waits for what.

COMPUTERS_AFTER: Final = [
    ("", gettext_lazy("Never: people only")),
    ("30", gettext_lazy("After 30 seconds")),
    ("60", gettext_lazy("After a minute")),
    ("180", gettext_lazy("After 3 minutes")),
]
SEATS: Final = [str(number) for number in range(2, MOST_SEATS + 1)]
PACES_OFFERED: Final = (*PACES[:2], *CLOCKS, *PACES[2:])
_SLUGS: Final = frozenset(pace.slug for pace in PACES_OFFERED)


def wish_of(game: AnyGame, sent: Mapping[str, str]) -> NewSeek:
    """The match that a form asks for; anything odd in it is as usual."""
    seats, after = sent.get("seats", ""), sent.get("computers_after", "")
    pace = sent.get("pace", "")
    chosen = find_pace(pace) if pace in _SLUGS else NORMAL
    return NewSeek(
        game=game.slug,
        pace=chosen.slug,  # type: ignore[arg-type]
        clock=chosen.clock,
        preset=game.quick_preset,
        rated="unrated" not in sent,
        seats=int(seats) if seats in SEATS else None,
        computers_after=int(after) if after and after in dict(COMPUTERS_AFTER) else None,
    )


@dataclass(frozen=True)
class Somebody:
    """A game of the panel; ``waiting`` are all who wait for it, ``seconds`` how long it took."""

    game: AnyGame
    waiting: int
    seconds: int | None


@dataclass(frozen=True)
class WaitingPeople:
    """Others who wait for a game at a pace, of which ``words`` tell."""

    game: AnyGame
    pace: str
    words: str
    waiting: int


@dataclass(frozen=True)
class Panel:
    """``own`` are the seeks of the reader, with the words of their pace; ``queues`` the others'."""

    games: list[Somebody]
    paces: list[tuple[str, str]]
    own: list[tuple[Seek, str]]
    queues: list[WaitingPeople]

    pace = NORMAL.slug
    seats = SEATS
    computers_after = COMPUTERS_AFTER


def panel(user: UUID | None) -> Panel:
    waiting_queues = queues()
    games = [_somebody(game, waiting_queues) for game in catalog.GAMES]
    rows = waiting().filter(account=user).order_by("created_at") if user else ()
    own = [seek for seek in rows if seek.is_known]
    paces = [(pace.slug, words(pace.name)) for pace in PACES_OFFERED]
    own_seeks = [(seek, words(seek.named_pace.name)) for seek in own]
    return Panel(games, paces, own_seeks, _others(waiting_queues, own))


def _others(waiting_queues: list[Queue], own: list[Seek]) -> list[WaitingPeople]:
    """The queues without the reader, who does not wait for themselves."""
    mine = Counter((seek.game, seek.pace) for seek in own)
    offered = {game.slug: game for game in catalog.GAMES}
    return [
        WaitingPeople(offered[one.game], one.pace, words(find_pace(one.pace).name), others)
        for one in waiting_queues
        if one.game in offered and one.pace in _SLUGS
        if (others := one.waiting - mine[one.game, one.pace]) > 0
    ]


def _somebody(game: AnyGame, waiting_queues: list[Queue]) -> Somebody:
    own = [one for one in waiting_queues if one.game == game.slug]
    seconds = [one.seconds for one in own if one.seconds is not None]
    return Somebody(game, sum(one.waiting for one in own), min(seconds, default=None))


COOKIE: Final = "lobby"
PACES_FILTERED: Final = [
    ("", gettext_lazy("any pace")),
    ("live", gettext_lazy("at one sitting")),
    ("slow", gettext_lazy("days a move")),
    ("none", gettext_lazy("no limit")),
]
RATED: Final = [
    ("", gettext_lazy("rated or not")),
    ("yes", gettext_lazy("rated")),
    ("no", gettext_lazy("not rated")),
]


@dataclass(frozen=True)
class Own:
    """The reader's matches: ``your_turn`` counts all, the lists have the newest."""

    user: UUID

    @cached_property
    def _unfinished(self) -> dict[UUID, bool]:
        return unfinished_of(self.user)

    @cached_property
    def _to_act(self) -> list[UUID]:
        return [match for match, waits in self._unfinished.items() if waits]

    @property
    def your_turn(self) -> int:
        return len(self._to_act)

    @cached_property
    def waiting(self) -> list[MatchListing]:
        return self._listings(self._to_act[:TABLES_PER_LIST])

    @cached_property
    def others(self) -> list[MatchListing]:
        own = {*self._unfinished, *opened_by(self.user)}.difference(self._to_act)
        return self._listings(sorted(own, reverse=True)[:TABLES_PER_LIST])

    def _listings(self, ids: list[UUID]) -> list[MatchListing]:
        rows = Match.objects.defer("state", "loaded").prefetch_related("seats")
        matches = rows.filter(id__in=ids).order_by("-id")
        return [listing_of(match, self.user) for match in matches]


@require_GET
def lobby(request: HttpRequest) -> HttpResponse:
    user, wanted = user_id(request), _filter(request)
    running = as_listed(_running(user, wanted), user, gettext)
    results = ResultFilter.of(request.GET, is_somebody=user is not None)
    invited = (
        lists.invitations_of(user).filter(answer_by=None)[:TABLES_PER_LIST]
        if user is not None
        else []
    )
    context = {
        "own": Own(user) if user else None,
        "invitations": [listing_of(match, user) for match in invited],
        "challenges": _challenges(request),
        "tables": open_tables(_free(user, wanted), user),
        "running": watched_tables(running, user),
        "soon": selectors.announced_for(user)[:SOON],
        "somebody": panel(user),
        "people": people_lately(),
        "wanted": wanted,
        "filter_paces": PACES_FILTERED,
        "filter_rated": RATED,
        "chosen": results,
        "games": catalog.GAMES,
        "results": result_lines(user, mine=results.mine, game=results.game),
        "records": records_of(user),
    }
    return render(request, "games/lobby.html", context)


def _challenges(request: HttpRequest) -> list[ChallengeLine]:
    if not isinstance(request.user, User):
        return []
    return waiting_challenges(request.user.pk, request.user.username)


def _free(user: UUID | None, wanted: TableFilter) -> Any:
    free = lists.find_matches(user=user, joinable=True)
    if user is not None:
        invited = Seat.objects.filter(invited=user, match=OuterRef("pk"))
        free = free.exclude(id__in=lists.open_with(user)).filter(~Exists(invited))
    return wanted.applied(free)


def _running(user: UUID | None, wanted: TableFilter) -> list[Match]:
    running = Match.objects.defer("state", "loaded").prefetch_related("seats").order_by("-id")
    public = running.filter(
        status=literal(Match.Status.ACTIVE), visibility=literal(Match.Visibility.PUBLIC)
    )
    if user is not None:
        public = lists.without_blocked(public, user)
    return list(wanted.applied(public)[:TABLES_PER_LIST])


@require_POST
def choose_tables(request: HttpRequest) -> HttpResponse:
    """Remembers which tables the reader looks for: an account's, else this browser's."""
    wanted, response = TableFilter.of(request.POST.dict()), redirect("lobby")
    if isinstance(request.user, User) and not request.user.is_guest:
        remember(request.user.pk, wanted)
        return response
    keep_choice(response, COOKIE, wanted.text)
    return response


def _filter(request: HttpRequest) -> TableFilter:
    if isinstance(request.user, User) and not request.user.is_guest:
        return remembered(request.user.pk)
    return TableFilter.read(request.COOKIES.get(COOKIE, ""))
