"""The lobby: what waits for the reader, whom they can play with, what they can watch."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_POST

from accounts.models import User
from accounts.social.selectors import Circle, circle_of
from accounts.visitors import keep_choice
from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from config.postgres.replicas import a_second_old
from games.absent import rules_of
from games.competitions import selectors
from games.competitions.models import Tournament
from games.language import tag_of_language, words
from games.lobby.challenges import ChallengeTerms, open_challenges
from games.lobby.finding import TableFilter, people_lately, remember, remembered
from games.lobby.models import MOST_SEATS, Seek
from games.lobby.seeking import NewSeek
from games.lobby.selectors import Queue, queues
from games.matches.models import Match
from games.matches.selectors import lists
from games.matches.selectors.lists import OwnMatch
from games.matches.time_bank import CLOCKS, NORMAL, PACES, find_pace
from games.templatetags.faces import with_token
from games.web.parts.match_list import (
    LINE_KEPT_SECONDS,
    Kept,
    MatchListing,
    ResultFilter,
    listed,
    listing_of,
    results_of,
)
from games.web.parts.options_form import pace_in_words
from games.web.parts.visitor import user_id
from games.web.public_tables import (
    KEPT_SECONDS,
    TABLES_PER_LIST,
    Known,
    public_tables,
)

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


def _challenges(own: Sequence[OwnMatch], username: str) -> list[ChallengeLine]:
    shown = open_challenges([one.id for one in own if one.has_answer])
    waiting = [shown[one.id] for one in own if one.id in shown]
    return [
        ChallengeLine(one, one.challenger.username == username)
        for one in waiting
        if one.status == "waiting"
    ]


# The panel "Play somebody": what a form sends, and who waits for what.

COMPUTERS_AFTER: Final = (
    ("", gettext_lazy("Never: people only")),
    ("30", gettext_lazy("After 30 seconds")),
    ("60", gettext_lazy("After a minute")),
    ("180", gettext_lazy("After 3 minutes")),
)
SEATS: Final = tuple(str(number) for number in range(2, MOST_SEATS + 1))
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

    games: tuple[Somebody, ...]
    paces: tuple[tuple[str, str], ...]
    own: list[tuple[Seek, str]]
    queues: list[WaitingPeople]

    pace = NORMAL.slug
    seats = SEATS
    computers_after = COMPUTERS_AFTER


def panel(user: UUID | None) -> Panel:
    waiting_queues = queues(user)
    games = tuple(_somebody(game, waiting_queues) for game in catalog.GAMES)
    rows = [
        Seek(id=one, game=each.game, pace=each.pace) for each in waiting_queues for one in each.own
    ]
    own = [seek for seek in sorted(rows, key=lambda seek: seek.id) if seek.is_known]
    paces = tuple((pace.slug, words(pace.name)) for pace in PACES_OFFERED)
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
PACES_FILTERED: Final = (
    ("", gettext_lazy("any pace")),
    ("live", gettext_lazy("at one sitting")),
    ("slow", gettext_lazy("days a move")),
    ("none", gettext_lazy("no limit")),
)
SOON: Final = 3  # tournaments
RATED: Final = (
    ("", gettext_lazy("rated or not")),
    ("yes", gettext_lazy("rated")),
    ("no", gettext_lazy("not rated")),
)


@dataclass(frozen=True)
class Own:
    """The reader's matches: ``your_turn`` counts all, the lists have the newest."""

    your_turn: int
    waiting: str  # lines
    others: str
    invitations: list[MatchListing]


OWN: Final[Kept[str]] = Kept(most=4_000)


def _own(user: UUID, matches: Sequence[OwnMatch], circle: Circle) -> Own:
    to_act = [one for one in matches if one.waits]
    others = [one for one in matches if not one.waits and (one.is_seated or one.creator == user)]
    invited = [
        one.id
        for one in matches
        if one.is_invited and one.status == Match.Status.OPEN and not one.has_answer
        if one.creator not in circle.blocked
    ]
    rows = listed(invited[:TABLES_PER_LIST]) if invited else []
    return Own(
        your_turn=len(to_act),
        waiting=own_lines(to_act[:TABLES_PER_LIST], user),
        others=own_lines(others[:TABLES_PER_LIST], user),
        invitations=[listing_of(row, user) for row in rows],
    )


def own_lines(matches: Sequence[OwnMatch], user: UUID, part: str = "listing") -> SafeString:
    """Each is made by the template of this name, and again when its match has changed.

    Names in it, and how long ago that was, may be as old as it is kept.
    """

    def made(ids: list[UUID]) -> dict[UUID, str]:
        rows = {row.id: {"listing": listing_of(row, user), "mine": True} for row in listed(ids)}
        return {i: render_to_string(f"games/parts/{part}.html", row) for i, row in rows.items()}

    language = tag_of_language()
    keys = {one.id: (part, language, user, one) for one in matches}
    lines = OWN.of(keys, made, LINE_KEPT_SECONDS)
    return mark_safe("".join(lines.values()))  # noqa: S308 - our template's


@a_second_old
@require_GET
def lobby(request: HttpRequest) -> HttpResponse:
    user, wanted = user_id(request), _filter(request)
    results = ResultFilter.of(request.GET, is_somebody=user is not None)
    circle = circle_of(user) if user else Circle()
    matches = lists.own_unfinished(user) if user else []
    known = Known(user, circle.friends, circle.blocked_either_way)
    tables, running = public_tables(known, wanted)
    token = get_token(request) if tables else ""
    context: dict[str, Any] = {
        "own": _own(user, matches, circle) if user else None,
        "challenges": _challenges(matches, getattr(request.user, "username", "")),
        "tables": with_token("".join(tables), token),
        "running": mark_safe("".join(running)),  # noqa: S308
        "soon": _soon(user),
        "somebody": panel(user),
        "people": people_lately(),
        "wanted": wanted,
        "filter_paces": PACES_FILTERED,
        "filter_rated": RATED,
        "chosen": results,
        "games": catalog.GAMES,
    }
    if {"whose", "of"} & request.GET.keys():
        lines, records = results_of(user, mine=results.mine, game=results.game)
        context |= {"results": lines, "records": records}
    return render(request, "games/lobby.html", context)


class Announced(NamedTuple):
    """The next public tournaments, and whether there are others, for some readers."""

    public: list[Tournament]
    has_others: bool


ANNOUNCED: Final[Kept[Announced]] = Kept(most=1)


def _soon(user: UUID | None) -> list[Tournament]:
    """Kept for all readers together; who may take part in others is asked for theirs."""

    def made(_: list[None]) -> dict[None, Announced]:
        public = list(selectors.announced_for(None)[:SOON])
        return {None: Announced(public, selectors.announces_others())}

    announced = ANNOUNCED.of({None: "announced"}, made, KEPT_SECONDS)[None]
    if user is None or not announced.has_others:
        return announced.public
    return list(selectors.announced_for(user)[:SOON])


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
