"""The replay of a match: the table after any ply, with its log, its rounds and links to each ply.

The reader is judged here, once. A match that may tell all is shown from every seat, with every
hand turned up if wanted. A running one is shown to the people who play it, as their own seat saw
it; so is one that is over while another match still uses its cards, and to others as spectators saw
it.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _

from cardroom.rules.text import Words
from games.coaching import selectors
from games.coaching.judging.decisions import judge_of
from games.matches.models import Round
from games.matches.selectors.history import match_at
from games.matches.selectors.lists import rounds_of
from games.matches.selectors.secrecy import may_tell_all, reading_seat
from games.matches.selectors.timeline import TimelineRow, timeline
from games.matches.snapshot import MatchSnapshot
from games.web.parts.round_words import words_for
from games.web.parts.table_page import TablePage
from games.web.table.past.judged import Judged
from games.web.table.past.open_hands import OpenHand, open_hands
from games.web.table.past.past_page import PastPage
from games.web.tables import GamePage, drawn, page_of

AROUND: Final = 40  # plies of the log that are shown before and after the present one
PART: Final = "Replay-Part"  # the header by which the page's script asks for the part alone


@dataclass(frozen=True)
class Replay:
    """``now`` is the page as the viewer may see it today, ``ply`` what is looked at.

    ``seat`` is whose cards lie open, ``None``: a spectator's view; ``all_told``: the viewer may
    choose it, and ``all_hands`` be turned up. ``asks``: the reader answers before the coach
    judges a decision, and may have given an ``answer``.
    """

    now: TablePage
    ply: int
    seat: int | None
    all_told: bool
    all_hands: bool
    asks: bool = False
    answer: str = ""

    @property
    def match(self) -> MatchSnapshot:
        return self.now.match

    @property
    def last(self) -> int:
        return self.match.version

    @property
    def before(self) -> int:
        return max(0, self.ply - 1)

    @property
    def after(self) -> int:
        return min(self.last, self.ply + 1)

    @cached_property
    def then(self) -> MatchSnapshot:
        return match_at(self.match, self.ply)

    @cached_property
    def page(self) -> PastPage:
        plies_read = page_of(self.match.game).plies_read
        return PastPage(self.then, self.now.user, self.seat, plies_read=plies_read)

    @cached_property
    def log(self) -> list[TimelineRow]:
        first, last = max(0, self.ply - AROUND), min(self.last, self.ply + AROUND)
        return timeline(self.match, first, last, self.seat)

    @cached_property
    def judged(self) -> Judged | None:
        """What the coach says, to whom it may be told."""
        row = selectors.find(self.match.id) if self.all_told else None
        if row is None or row.status != row.Status.FINISHED:
            return None
        return Judged(
            self.then,
            row,
            self.ply,
            self.last,
            self.seat,
            self.all_hands,
            self.asks,
            self.answer,
        )

    @property
    def may_be_judged(self) -> bool:
        """There is no analysis, but one may be asked for."""
        return self.all_told and self.judged is None and judge_of(self.match.rules) is not None

    @property
    def log_shown(self) -> list[TimelineRow]:
        """The log, without what comes next for a reader who is asked for it."""
        if self.judged is None or not self.judged.is_asking:
            return self.log
        return [row for row in self.log if row.version <= self.ply]

    @property
    def words(self) -> list[Words]:
        """What happened with this ply."""
        return [each for row in self.log if row.version == self.ply for each in row.words]

    @cached_property
    def rounds(self) -> list[Round]:
        return sorted(rounds_of(self.match), key=lambda each: each.number)

    @property
    def rounds_name(self) -> str:
        """What the game calls its rounds."""
        return str(words_for(self.match.game).plural)

    @property
    def hands(self) -> list[OpenHand]:
        return open_hands(self.then) if self.all_told and self.all_hands else []

    @property
    def points(self) -> list[tuple[str, int]]:
        """The points of each side before the round that is looked at."""
        names, seats = self.match.names, self.then.seats
        return [
            (" & ".join(names[seat] for seat in side), seats[side[0]].points)
            for side in self.match.sides
        ]

    @property
    def may_play_on(self) -> bool:
        over = self.match.is_over and self.ply == self.last
        return bool(self.now.own_seats) and not over

    @property
    def query(self) -> str:
        """The other parts of the address, which links to plies keep."""
        kept = "&ask=1" if self.asks else ""
        return f"{self.query_unasked}{kept}"

    @property
    def query_unasked(self) -> str:
        """The same without the wish to be asked."""
        kept = "&hands=1" if self.all_hands else ""
        if self.all_told and self.seat != self.now.seat:
            kept = f"&seat={'' if self.seat is None else self.seat}{kept}"
        return kept


def replay(request: HttpRequest, now: TablePage) -> HttpResponse:
    """The match after the ply that the address names; ``now`` is the table of its viewer."""
    if not may_look_back(now):
        messages.info(request, _("The replay is there when the match is over."))
        return redirect("table", now.match.id)
    requested, is_part = _requested(request, now), PART in request.headers
    template = f"games/{'replay_part' if is_part else 'replay'}.html"

    def draw(game_page: GamePage) -> HttpResponse:
        return render(request, template, _context(requested, game_page))

    response = drawn(page_of(now.match.game), draw)
    patch_vary_headers(response, (PART,))
    return response


def may_look_back(now: TablePage) -> bool:
    """Whether there is a past to see: of a running match for its players, at least."""
    dealt = now.match.state_json is not None and now.match.status != "open"
    return dealt and (now.match.is_over or bool(now.own_seats))


def _requested(request: HttpRequest, now: TablePage) -> Replay:
    match, query = now.match, request.GET
    ply = min(_number(query.get("ply", "")) or 0, match.version)
    all_told = match.is_over and may_tell_all(match, now.user)
    if all_told:
        seat = _number(query["seat"]) if "seat" in query else now.seat
        seat = seat if seat is not None and seat < len(match.seats) else None
    elif ply == match.version:
        seat = now.reader
    else:
        seat = reading_seat(match, ply, now.reader)
    all_hands, asks = all_told and query.get("hands") == "1", query.get("ask") == "1"
    return Replay(now, ply, seat, all_told, all_hands, asks, query.get("answer", ""))


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


def _context(replay: Replay, game_page: GamePage) -> dict[str, Any]:
    return {
        "replay": replay,
        "page": replay.page,
        "match": replay.then,
        "game": replay.match.rules,
        "view": replay.page.view,
        "game_page": game_page,
        "scene": game_page.scene(replay.page),
        "frame": "games/past_panel.html",
    }
