"""The overview, the next exercise of a theme, and one exercise with the form that answers it."""

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from config.refusals import Refusal
from config.telemetry import requests
from config.words import sentence_of
from games.exercises import selectors, solving
from games.exercises.models import Exercise
from games.exercises.rating import shown_rating
from games.exercises.refusals import NoExerciseLeft
from games.web.exercises.lines import AnswerLines
from games.web.exercises.overview import overview_of
from games.web.exercises.table import table_of
from games.web.exercises.training import Training, training_of
from games.web.parts.visitor import once, user_id
from games.web.tables import page_of


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
    # What comes up again was answered before; it is shown as if it was not.
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
    game_page = page_of(game.slug)
    context = {
        "exercise": row,
        "training": training,
        "theme": game.themes.names.get(row.theme) if game.themes else None,
        "hardness": shown_rating(row.mean),
        "lines": lines,
        "page": page,
        "match": page.match,
        "game": game,
        "view": page.view,
        "game_page": game_page,
        "scene": game_page.scene(page),
        "frame": "games/exercises/frame.html",
        "moves_to": _address(row, training),
        **more,
    }
    return render(request, "games/exercises/exercise.html", context)
