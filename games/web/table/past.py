"""The replay of a match: the table after any ply, with its log, its rounds and links to each ply.

The reader is judged here, once. A match that may tell all is shown from every seat, with every
hand turned up if wanted. A running one is shown to the people who play it, as their own seat saw
it; so is one that is over while another match still uses its cards, and to others as spectators saw
it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from typing import Any, Final

import msgspec
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from msgspec import inspect

from cardroom.rules.state_fields import cards_of_type, fields_of, item_type
from cardroom.rules.text import Words
from cardroom.rules.values import Seat
from games.coaching import analyses
from games.coaching.judging import Grade, SeatSummary, Verdict, judge_of
from games.coaching.models import Analysis
from games.language import words
from games.matches.models import Round
from games.matches.selectors.history import match_at
from games.matches.selectors.lists import rounds_of
from games.matches.selectors.log import TimelineRow, timeline
from games.matches.selectors.secrecy import is_sealed, may_tell_all, reading_seat
from games.matches.snapshot import MatchSnapshot
from games.web.parts.headline import heading, words_for
from games.web.parts.table_page import TablePage
from games.web.table.coach import DecisionLine
from games.web.tables import GamePage, drawn, page_of, table_context
from games.web.tables.any_game import is_card

# The coach beside a replay: the chance to win, the decision at a ply, the mistakes.
#
# Whose cards are turned up, of those the coach speaks: one seat, every seat, or none for a reader
# who looks on as a spectator does. A reader who wants to be asked first is told nothing of a
# decision until they have answered.

MISTAKES: Final[tuple[Grade, ...]] = ("mistake", "blunder")


@dataclass(frozen=True)
class Judged:
    """``seat`` is whose cards lie open; ``asks``: the reader answers before a decision is judged.

    ``then`` is the match at the ply that is looked at, ``answer`` the move that the reader chose.
    """

    then: MatchSnapshot
    row: Analysis
    ply: int
    last: int
    seat: Seat | None
    all_hands: bool
    asks: bool
    answer: str

    @property
    def sees_nobody(self) -> bool:
        return self.seat is None and not self.all_hands

    @cached_property
    def _verdicts(self) -> Sequence[Verdict]:
        """Verdicts on the seats whose cards lie open."""
        every = analyses.verdicts_of(self.row)
        return [one for one in every if self.all_hands or one.seat == self.seat]

    @cached_property
    def verdict(self) -> Verdict | None:
        """Of the decision that is to be made at this ply."""
        return next((one for one in self._verdicts if one.version == self.ply), None)

    @property
    def is_asking(self) -> bool:
        return self.asks and self.verdict is not None and self.answered is None

    @cached_property
    def answered(self) -> "DecisionLine | None":
        """The decision as if the answer had been played; ``None`` without one that was weighed."""
        return self._line.with_move(self.answer) if self.asks and self._line else None

    @property
    def line(self) -> DecisionLine | None:
        """The move that was played, unless the reader is to answer first."""
        return None if self.is_asking else self._line

    @cached_property
    def _line(self) -> DecisionLine | None:
        return None if self.verdict is None else DecisionLine(self.then, self.verdict)

    @property
    def decider(self) -> str:
        return self.then.names[self.verdict.seat] if self.verdict else ""

    @property
    def choices(self) -> list[tuple[str, str]]:
        """The moves to choose from with their labels, in the order of the rules."""
        if self.verdict is None:
            return []
        rules, weighed = self.then.rules, {each.move for each in self.verdict.choices}
        legal = rules.legal_moves(self.then.state, self.verdict.seat)
        return [(move, words(rules.label(move))) for move in legal if move in weighed]

    @property
    def coach(self) -> str:
        """The computer that judges."""
        judge = judge_of(self.then.rules)
        return judge.name if judge else ""

    @cached_property
    def subject(self) -> Seat:
        """The seat whose chance is shown."""
        return self.seat or 0

    @property
    def name(self) -> str:
        return self.then.names[self.subject]

    @property
    def percent(self) -> int:
        """The chance of that seat, as far as its last decision tells, or how it ended."""
        return round(100 * min(1.0, max(0.0, self._chance)))

    @property
    def percent_left(self) -> int:
        return 100 - self.percent

    @property
    def _chance(self) -> float:
        summary = self._summary
        if self.ply >= self.last:
            return summary.result
        chance = summary.start
        for one in self._verdicts:
            if one.version > self.ply or (one.version == self.ply and self.is_asking):
                break
            value = one.best.chance - (one.cost if one.version < self.ply else 0)
            if one.seat in self._side:
                chance = value
            elif len(self.then.sides) == 2:
                chance = 1 - value
        return chance

    @cached_property
    def _summary(self) -> SeatSummary:
        return analyses.summary_of(self.row)[self.subject]

    @cached_property
    def _side(self) -> tuple[Seat, ...]:
        return next(side for side in self.then.sides if self.subject in side)

    @property
    def mistake_before(self) -> int | None:
        return max((ply for ply in self._mistakes if ply < self.ply), default=None)

    @property
    def mistake_after(self) -> int | None:
        return min((ply for ply in self._mistakes if ply > self.ply), default=None)

    @cached_property
    def _mistakes(self) -> list[int]:
        return [one.version for one in self._verdicts if one.grade in MISTAKES]


# Every seat's cards laid open, for a match that may tell all: read off the types of its state.

# How players call what the states name like this; other names are shown as they are.
FIELD_NAMES: Final = {
    "hand": gettext_lazy("Hand"),
    "hands": gettext_lazy("Hand"),
    "tops": gettext_lazy("Face up"),
    "hidden": gettext_lazy("Face down"),
    "draw": gettext_lazy("To draw"),
    "won": gettext_lazy("Won"),
    "heaps": gettext_lazy("Captured"),
    "side": gettext_lazy("Side deck"),
}


@dataclass(frozen=True)
class OpenCards:
    """Cards of a seat that lie together; ``are_faces``: playing cards, else codes of a game."""

    name: Any
    codes: list[str]

    @property
    def are_faces(self) -> bool:
        return all(map(is_card, self.codes))


@dataclass(frozen=True)
class OpenHand:
    player: str
    groups: list[OpenCards]


def open_hands(match: MatchSnapshot) -> list[OpenHand]:
    """The cards that each seat holds, with everything that lies face down turned up."""
    return [
        OpenHand(name, [group for group in _of_seat(match, seat) if group.codes])
        for seat, name in enumerate(match.names)
    ]


def _of_seat(match: MatchSnapshot, seat: int) -> Iterator[OpenCards]:
    seats = len(match.seats)
    for name, kind in fields_of(type(match.state)).items():
        value, inner = getattr(match.state, name), item_type(kind, seat)
        if not isinstance(value, tuple) or len(value) != seats:
            continue
        if isinstance(value[seat], msgspec.Struct):
            yield from _of_player(value[seat])
        elif _is_heap(inner) and (cards := cards_of_type(inner)):
            yield _named(match, name, cards.listed(value[seat]))


def _of_player(player: msgspec.Struct) -> Iterator[OpenCards]:
    """The texts of a struct that one seat has: cards that are distinguished by their codes."""
    for name in fields_of(type(player)):
        value = getattr(player, name)
        if name in FIELD_NAMES and isinstance(value, tuple):
            yield OpenCards(FIELD_NAMES[name], [str(code) for code in value])


def _is_heap(kind: inspect.Type) -> bool:
    """A pile or a set of cards, not a single card."""
    if isinstance(kind, inspect.Metadata):
        return bool((kind.extra or {}).get("card_set")) or _is_heap(kind.type)
    return isinstance(kind, inspect.VarTupleType | inspect.TupleType)


def _named(match: MatchSnapshot, name: str, cards: Iterator[int]) -> OpenCards:
    label = FIELD_NAMES.get(name, name.replace("_", " ").capitalize())
    return OpenCards(label, [match.rules.card_text(card) for card in cards])


# A table of the past, or one that is only looked at: nothing on it can be pressed.


class PastPage(TablePage):
    is_your_turn = can_resign = can_abort = can_join = False
    waits_for = ""


PLIES_AROUND: Final = 40  # plies of the log that are shown before and after the present one
PART_HEADER: Final = "Replay-Part"  # the header by which the page's script asks for the part alone


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
        first, last = max(0, self.ply - PLIES_AROUND), min(self.last, self.ply + PLIES_AROUND)
        return timeline(self.match, first, last, self.seat)

    @cached_property
    def judged(self) -> Judged | None:
        """The coach's verdict, for readers who may see it."""
        row = analyses.find_analysis(self.match.id) if self.all_told else None
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
        """The events of this ply."""
        return [each for row in self.log if row.version == self.ply for each in row.words]

    @cached_property
    def rounds(self) -> list[Round]:
        return sorted(rounds_of(self.match), key=lambda each: each.number)

    @property
    def rounds_name(self) -> str:
        """The game's word for its rounds."""
        return str(words_for(self.match.rules).plural)

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
    requested, is_part = _requested(request, now), PART_HEADER in request.headers
    template = f"games/{'replay_part' if is_part else 'replay'}.html"

    def draw(game_page: GamePage) -> HttpResponse:
        shown = {"replay": requested, "frame": "games/past_panel.html"}
        return render(request, template, table_context(requested.page, game_page) | shown)

    response = drawn(page_of(now.match.game), draw)
    patch_vary_headers(response, (PART_HEADER,))
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


# The saves of a match as a list to read: the openings of its rounds, a group of ten at a time.

ROUNDS_PER_GROUP: Final = 10


@dataclass(frozen=True)
class SavedRound:
    """A round's opening. ``score``: every side's points by then; ``words`` say who was ahead."""

    number: int
    name: str
    ply: int
    at: datetime
    score: str
    words: str
    is_running: bool
    is_newest: bool


@dataclass(frozen=True)
class SaveGroup:
    """Rounds that stand together, newest first; the newest group is open."""

    rounds: list[SavedRound]
    is_open: bool

    @property
    def first(self) -> int:
        return self.rounds[-1].number

    @property
    def last(self) -> int:
        return self.rounds[0].number


def save_groups(page: TablePage) -> list[SaveGroup]:
    """Newest first; nothing for a reader who did not play, or may not play on from there."""
    if not page.own_seats or is_sealed(page.match):
        return []
    saved = list(_saved(page))[::-1]
    groups = groupby(saved, key=lambda each: (each.number - 1) // ROUNDS_PER_GROUP)
    return [SaveGroup(list(rounds), not n) for n, (_decade, rounds) in enumerate(groups)]


def _saved(page: TablePage) -> list[SavedRound]:
    names = [" & ".join([page.match.names[seat] for seat in side]) for side in page.match.sides]
    points = [0] * len(names)
    saved: list[SavedRound] = []
    for round_ in sorted(page.rounds, key=attrgetter("number")):
        saved.append(
            SavedRound(
                number=round_.number,
                name=heading(page.match.rules, round_.number),
                ply=round_.opening_version,
                at=round_.opened_at,
                score=" : ".join(map(str, points)),
                words=_words(page, names, points) if saved else _("the beginning"),
                is_newest=round_.number == page.match.round,
                is_running=round_.number == page.match.round and not page.match.is_over,
            )
        )
        scores = round_.scores or [0] * len(names)
        points = [so_far + new for so_far, new in zip(points, scores, strict=True)]
    return saved


def _words(page: TablePage, names: Sequence[str], points: Sequence[int]) -> str:
    best = min(points) if page.match.rules.points_are_places else max(points)
    ahead = [name for name, has in zip(names, points, strict=True) if has == best]
    if len(ahead) > 1:
        return _("level")
    return _("%(name)s was ahead") % {"name": ahead[0]}
