"""Learn: a game's guided hand at its table, a step a request.

A lesson holds no match: each step is a position that follows from the lesson's data, so nothing of
it can be lost or fall behind. The browser's session keeps which step one is at.
"""

from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from cardroom.rules.cards import CARD
from cardroom.rules.game import AnyGame
from cardroom.rules.lesson import LEARNER, Lesson, LessonPosition, LessonStep, lesson_positions
from cardroom.rules.values import Move
from games.coaching import hints
from games.exercises.searching import Position, raw, without_names
from games.language import words
from games.matches import opening
from games.matches.seats import SeatRequest
from games.matches.snapshot import MatchSnapshot
from games.web.exercises import NOBODY, table_of
from games.web.landing import game_or_404, rival_for
from games.web.parts.visitor import once
from games.web.tables import drawn, page_of

STEPS: Final = "lessons"  # in the session: the step of each game


@never_cache
@require_http_methods(["GET", "POST"])
def learn(request: HttpRequest, slug: str) -> HttpResponse:
    """The step where the reader left off; a move that the step asks for leads to the next one."""
    game, lesson = _lesson(slug)
    number = _kept(request, game, lesson)
    if request.method == "GET":
        return _page(request, game, lesson, number)
    if "again" in request.POST:
        return _go_to(request, game, 0)
    is_shown = request.POST.get("step") == str(number)  # else a page from before
    if not is_shown or number == len(lesson.steps):
        return redirect("learn", slug)
    move = " ".join(part for part in request.POST.getlist("move") if part)
    if _is_expected(game, lesson.steps[number], move):
        return _go_to(request, game, number + 1)
    response = _page(request, game, lesson, number, fault=words(lesson.steps[number].wrong))
    response.status_code = 422
    return response


@require_POST
def play_on(request: HttpRequest, slug: str) -> HttpResponse:
    """A match of one's own by the lesson's terms, against the easiest computer and with hints."""
    game, lesson = _lesson(slug)
    seats = game.seats(game.choose_options(lesson.options, lesson.preset))
    rival = SeatRequest("bot", bot=rival_for(game, []).slug)

    def opened(user: Any) -> Any:
        match = opening.open_match(
            creator=user,
            game=game.slug,
            seats=[SeatRequest("me"), *[rival] * (seats - 1)],
            options=lesson.options,
            preset=lesson.preset,
            rated=False,
        )
        return _with_hints(match, user).id

    return redirect("table", once(request, opened))


def _with_hints(match: MatchSnapshot, user: Any) -> MatchSnapshot:
    if hints.may_be_coached(match, user.pk):
        return hints.switch_on(match_id=match.id, user=user)
    return match


def _lesson(slug: str) -> tuple[AnyGame, Lesson]:
    game = game_or_404(slug)
    if game.lesson is None:
        raise Http404(f"There is no lesson of {slug!r}.")
    return game, game.lesson


def _kept(request: HttpRequest, game: AnyGame, lesson: Lesson) -> int:
    """A lesson may have become shorter since."""
    number: int = request.session.get(STEPS, {}).get(game.slug, 0)
    return min(number, len(lesson.steps))


def _go_to(request: HttpRequest, game: AnyGame, number: int) -> HttpResponse:
    request.session[STEPS] = request.session.get(STEPS, {}) | {game.slug: number}
    return redirect(reverse("learn", args=[game.slug]) + "#thought")


def _is_expected(game: AnyGame, step: LessonStep, move: Move) -> bool:
    """Cards of one move may be ticked in any order."""
    return game.alike(move) == game.alike(step.move) or sorted(move.split()) == sorted(
        step.move.split()
    )


def _page(
    request: HttpRequest, game: AnyGame, lesson: Lesson, number: int, fault: str = ""
) -> HttpResponse:
    position = list(lesson_positions(game, lesson))[number]
    step = lesson.steps[number] if number < len(lesson.steps) else None
    page = table_of(NOBODY, _as_seen(game, position), may_answer=step is not None)
    card = step.card if step else ""

    def draw(game_page: Any) -> HttpResponse:
        context = {
            "page": page,
            "match": page.match,
            "game": game,
            "view": page.view,
            "game_page": game_page,
            "scene": game_page.scene(page),
            "frame": "games/learn/frame.html",
            "moves_to": reverse("learn", args=[game.slug]),
            "lesson": lesson,
            "step": step,
            "number": number,
            "count": len(lesson.steps),
            "code": card,
            "is_face": card in CARD,
            "fault": fault,
        }
        return render(request, "games/learn/lesson.html", context)

    return drawn(page_of(game.slug), draw)


def _as_seen(game: AnyGame, position: LessonPosition) -> Position:
    """What the learner's seat knows: the table is drawn from that alone."""
    plies = position.plies
    seen = [event.seen_by(LEARNER) for events in plies for event in events]
    return Position(
        game=game.slug,
        rules_version=game.rules_version,
        options=raw(position.options),
        seat=LEARNER,
        round=1,
        view=raw(game.view(position.state, LEARNER)),
        events=raw(without_names(seen)),
        choices=(),
        reasons={},
    )
