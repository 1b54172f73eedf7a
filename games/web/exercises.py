"""Exercises: the overview, training a theme, and one exercise at its table."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from cardroom.rules.game import AnyGame
from cardroom.rules.option import Theme
from cardroom.rules.values import Event, Move, View
from config.refusals import Refusal
from config.telemetry import requests
from config.words import sentence_of
from games.coaching.judging import Choice
from games.exercises import selectors, solving
from games.exercises.models import Attempt, Exercise, Solver
from games.exercises.searching import Position
from games.exercises.selectors import NoExerciseLeft, ThemeCount, games_with_exercises
from games.exercises.solving import Answer, shown_rating
from games.language import words
from games.matches.models import Match, Seat
from games.matches.selectors.access import snapshot_of
from games.matches.snapshot import MatchSnapshot
from games.ratings.scale import rating
from games.web.parts.table_page import TablePage
from games.web.parts.visitor import once, user_id
from games.web.table.coach import GRADE_WORDS
from games.web.tables import page_of, table_context

# The overview: each game with its themes, the one of the day, what comes up again.


@dataclass(frozen=True)
class ThemeLine:
    theme: Theme
    count: ThemeCount


@dataclass(frozen=True)
class GameBlock:
    """``attempt`` is the reader's at the exercise of the day."""

    game: AnyGame
    themes: Sequence[ThemeLine]
    solver: Solver | None
    day: Exercise | None
    attempt: Attempt | None

    @property
    def rating(self) -> int | None:
        return shown_rating(self.solver.mean) if self.solver else None


@dataclass(frozen=True)
class Overview:
    blocks: Sequence[GameBlock]
    due: int


def overview_of(reader: UUID | None) -> Overview:
    counts, solvers = selectors.theme_counts(reader), selectors.solvers_of(reader)
    blocks = [_block(game, counts, solvers, reader) for game in selectors.games_with_exercises()]
    return Overview(blocks, selectors.due_reviews(reader).count() if reader else 0)


def _block(
    game: AnyGame,
    counts: Sequence[ThemeCount],
    solvers: dict[str, Solver],
    reader: UUID | None,
) -> GameBlock:
    names = game.themes.names if game.themes else {}
    day = selectors.of_the_day(game.slug)
    return GameBlock(
        game=game,
        themes=[
            ThemeLine(names[each.theme], each)
            for each in counts
            if each.game == game.slug and each.exercises
        ],
        solver=solvers.get(game.slug),
        day=day,
        attempt=selectors.attempt_of(day, reader) if day else None,
    )


# An answer in words: what each move is worth and why, and what the answer came to.


@dataclass(frozen=True)
class ChoiceLine:
    """A move that the seat had, with its chance in percent and what speaks for or against it."""

    label: str
    chance: float
    error: float
    is_best: bool
    is_chosen: bool
    why: str


@dataclass(frozen=True)
class AnswerLines:
    answer: Answer

    @property
    def position(self) -> Position:
        return self.answer.position

    @cached_property
    def _chosen(self) -> Choice | None:
        return self.position.choice_of(self.answer.move)

    @property
    def chosen(self) -> str:
        return self.label(self.answer.move)

    @property
    def best(self) -> str:
        return self.label(self.position.best.move)

    @property
    def is_best(self) -> bool:
        return self._chosen == self.position.best

    @property
    def grade(self) -> str:
        return str(GRADE_WORDS[self.position.grade_of(self._chosen)]) if self._chosen else ""

    @property
    def cost(self) -> float:
        return 100 * self.position.cost_of(self._chosen) if self._chosen else 0.0

    @property
    def why_chosen(self) -> str:
        return self._why(self._chosen.move) if self._chosen else ""

    @property
    def why_best(self) -> str:
        return self._why(self.position.best.move)

    @property
    def comparison(self) -> str:
        """The worth of the best move, beside the one that was chosen."""
        best, rules = self.position.best, self.position.rules
        if self.is_best or self._chosen is None:
            sentence = _("“%(best)s” wins in %(better)d of 100 such positions.")
            if rules.points_are_places:
                sentence = _(
                    "With “%(best)s” you are not last in %(better)d of 100 such positions."
                )
            return sentence % {"best": self.best, "better": round(100 * best.chance)}
        sentence = _("“%(best)s” wins in %(better)d of 100 such positions, this in %(worse)d.")
        if rules.points_are_places:
            sentence = _(
                "With “%(best)s” you are not last in %(better)d of 100 such positions,"
                " with this in %(worse)d."
            )
        return sentence % {
            "best": self.best,
            "better": round(100 * best.chance),
            "worse": round(100 * self._chosen.chance),
        }

    @property
    def moves(self) -> list[ChoiceLine]:
        return [
            ChoiceLine(
                label=self.label(one.move),
                chance=100 * one.chance,
                error=100 * one.error,
                is_best=one is self.position.best,
                is_chosen=one == self._chosen,
                why=self._why(one.move),
            )
            for one in self.position.choices
        ]

    @property
    def played(self) -> str:
        """The move that the reader played in the match whose mistake this was."""
        return self.label(self.position.played) if self.position.played else ""

    @property
    def before(self) -> int | None:
        return round(rating(self.answer.before.mean)) if self.answer.before else None

    @property
    def after(self) -> int | None:
        return round(rating(self.answer.after.mean)) if self.answer.after else None

    @property
    def source(self) -> str:
        """The address of the moment in its match, which the reader may see by now."""
        row = self.answer.exercise
        return f"/matches/{row.match_id}?ply={row.version}" if row.match_id else ""

    def label(self, move: Move) -> str:
        return words(self.position.rules.label(move))

    def _why(self, move: Move) -> str:
        reasons, reason = self.position.rules.reasons, self.position.reasons.get(move)
        return words(reasons.words(reason)) if reasons and reason else ""


# The table of an exercise: a position drawn like a match, without a match.
#
# All it knows is what the seat knew. The seats have no names: whose match it was is not told
# here.

NOWHEN: Final = datetime(2000, 1, 1, tzinfo=UTC)
NOBODY: Final = UUID(int=0)
SENTENCES_SHOWN: Final = 60  # sentences of what happened


class ExerciseTable(TablePage):
    """``position`` is set by ``table_of``; without ``may_answer`` nothing can be pressed."""

    position: Position
    may_answer: bool

    @cached_property
    def view(self) -> View | None:
        return self.position.seen

    @cached_property
    def recent_events(self) -> list[Event]:
        return list(self.position.remembered)

    @property
    def is_your_turn(self) -> bool:
        return self.may_answer

    @property
    def waits_for(self) -> str:
        return "you" if self.may_answer else ""

    @cached_property
    def happened(self) -> list[str]:
        """Events of this round that the seat saw, in words, the newest first."""
        rules = self.match.rules
        events = rules.recent_events(self.recent_events, "round")
        sentences = (self.narrated(event) for event in reversed(events))
        return [sentence for sentence in sentences if sentence][:SENTENCES_SHOWN]


def table_of(exercise: UUID, position: Position, *, may_answer: bool) -> ExerciseTable:
    page = ExerciseTable(_match(exercise, position), None, position.seat)
    object.__setattr__(page, "position", position)
    object.__setattr__(page, "may_answer", may_answer)
    return page


def _match(exercise: UUID, position: Position) -> MatchSnapshot:
    """A match of nobody, which holds no card: its state is not there."""
    match = Match(
        id=exercise,
        game=position.game,
        rules_version=position.rules_version,
        options=bytes(position.options),
        status=Match.Status.ACTIVE,
        round=position.round,
        to_act=list(position.seen.to_act),
        visibility=Match.Visibility.PRIVATE,
        creator_id=NOBODY,
        rated=False,
        seed=b"",
        created_at=NOWHEN,
        updated_at=NOWHEN,
    )
    return snapshot_of(match, _seats(position))


def _seats(position: Position) -> Iterator[Seat]:
    """Named so that every sentence about them can be read: a seat *deals*, and *you* deal."""
    count = position.rules.seats(position.rule_choices)
    others = (
        [_("Opponent")] if count == 2 else [_("Opponent {n}").format(n=n) for n in range(1, count)]
    )
    names = [*others[: position.seat], _("Your seat"), *others[position.seat :]]
    for index, name in enumerate(names):
        yield Seat(index=index, kind=Seat.Kind.USER, name=name)


# The training of a reader: a game, one of its themes, or the own mistakes; kept in addresses.


@dataclass(frozen=True)
class Training:
    """Empty strings: any game, any theme."""

    game: str = ""
    theme: str = ""
    mistakes: bool = False

    @property
    def query(self) -> dict[str, str]:
        named = {"game": self.game, "theme": self.theme, "mistakes": "1" if self.mistakes else ""}
        return {name: value for name, value in named.items() if value}

    @property
    def named_theme(self) -> Theme | None:
        named = (each for each in games_with_exercises() if each.slug == self.game)
        game = next(named, None)
        return game.themes.names.get(self.theme) if game and game.themes else None


def training_of(request: HttpRequest) -> Training:
    """The choice that the address names; a part that it names wrongly is left out."""
    query = request.GET
    games = {game.slug: game for game in games_with_exercises()}
    game = query.get("game", "") if query.get("game") in games else ""
    themes = games[game].themes if game else None
    theme = query.get("theme", "")
    known = theme if themes is not None and theme in themes.names else ""
    return Training(game, known, query.get("mistakes") == "1")


@never_cache
@require_GET
def overview(request: HttpRequest) -> HttpResponse:
    context = {"overview": overview_of(user_id(request)), "day": selectors.today()}
    return render(request, "games/exercises/overview.html", context)


@never_cache
@require_GET
def next_exercise(request: HttpRequest) -> HttpResponse:
    """Leads to the next one, or says that there is none left here."""
    training, reader = training_of(request), user_id(request)
    try:
        row = _next(training, reader)
    except NoExerciseLeft:
        context = {"training": training, "next_due": selectors.next_due(reader) if reader else None}
        return render(request, "games/exercises/none_left.html", context)
    # A repeated exercise was answered before; it is shown as if it was not.
    again = {"again": "1"} if training.mistakes else {}
    return redirect(_address(row, training, **again))


def _next(training: Training, reader: UUID | None) -> Exercise:
    if not training.mistakes:
        return selectors.next_for(reader, training.game, training.theme)
    if reader is None:
        raise NoExerciseLeft
    return selectors.next_review(reader, training.game)


def _address(row: Exercise, training: Training, **more: str) -> str:
    query = urlencode(training.query | more)
    return reverse("exercise", args=[row.pk]) + (f"?{query}" if query else "")


@never_cache
@require_http_methods(["GET", "POST"])
def exercise(request: HttpRequest, exercise_id: UUID) -> HttpResponse:
    """The position; with what each move is worth for a reader who has answered."""
    reader, training = user_id(request), training_of(request)
    row = selectors.find(exercise_id, reader)
    if request.method == "POST":
        return _answered(request, row, training)
    attempt = selectors.attempt_of(row, reader)
    if attempt is None or "again" in request.GET:
        return _page(request, row, training, is_practice=attempt is not None)
    answer = solving.stored_answer(row, attempt, request.GET.get("answer", ""))
    return _page(request, row, training, lines=AnswerLines(answer))


def _answered(request: HttpRequest, row: Exercise, training: Training) -> HttpResponse:
    """A visitor becomes a guest for that. What is refused is said above the position."""
    move = " ".join(part for part in request.POST.getlist("move") if part)
    try:
        once(
            request,
            lambda user: solving.answer(user=user, exercise_id=row.pk, move=move).exercise.pk,
        )
    except Refusal as refusal:
        requests.refused(refusal)
        response = _page(request, row, training, fault=sentence_of(refusal))
        response.status_code = refusal.status
        return response
    return redirect(_address(row, training, answer=move) + "#answer")


def _page(
    request: HttpRequest, row: Exercise, training: Training, lines: Any = None, **more: Any
) -> HttpResponse:
    position = selectors.position_of(row)
    game = position.rules
    page = table_of(row.pk, position, may_answer=lines is None)
    context = {
        "exercise": row,
        "training": training,
        "theme": game.themes.names.get(row.theme) if game.themes else None,
        "hardness": shown_rating(row.mean),
        "lines": lines,
        "frame": "games/exercises/frame.html",
        "moves_to": _address(row, training),
        **table_context(page, page_of(game.slug)),
        **more,
    }
    return render(request, "games/exercises/exercise.html", context)
