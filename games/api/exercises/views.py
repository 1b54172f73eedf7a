"""Exercises over the API."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.signing_in.signed_in import signed_in
from config.api.json import body_of, query_of
from config.api.refusals import Malformed
from config.api.schema import refusals
from games.api.exercises.schemas import (
    AnswerExercise,
    DailyExercises,
    ExerciseAnswer,
    ExerciseJson,
    ExerciseQuery,
    Exercises,
    ExerciseTheme,
    GameExercises,
    SolverRating,
)
from games.api.parameters import query_parameters
from games.exercises import selectors, solving
from games.exercises.models import Exercise
from games.exercises.refusals import NoExerciseLeft, NoSuchExercise, NotAMoveHere


class ExerciseList(APIView):
    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="exercises",
        summary="List the themes of exercises",
        tags=["exercises"],
        responses={200: Exercises},
    )
    def get(self, request: Request) -> Response:
        """Each game with its themes and, with a key, how far you are. Needs no key."""
        reader = request.user.pk
        counts, solvers = selectors.theme_counts(reader), selectors.solvers_of(reader)
        games = [
            GameExercises(
                game=game.slug,
                themes=[ExerciseTheme.of(game, one) for one in counts if one.game == game.slug],
                yours=SolverRating.of(solvers[game.slug]) if game.slug in solvers else None,
            )
            for game in selectors.games_with_exercises()
        ]
        due = selectors.due_reviews(reader).count() if reader else 0
        return Response(Exercises(games, due))


class NextExercise(APIView):
    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="next_exercise",
        summary="Read the next exercise",
        tags=["exercises"],
        parameters=query_parameters(ExerciseQuery),
        responses={200: ExerciseJson, **refusals(Malformed, NoExerciseLeft)},
    )
    def get(self, request: Request) -> Response:
        """The one nearest to your rating that you have not answered; the same until you do.

        With `mistakes` the one of yours that has been due for longest, without its `answer`.
        """
        query, reader = query_of(request, ExerciseQuery), request.user.pk
        if not query.mistakes:
            return _shown(selectors.next_for(reader, query.game, query.theme), reader)
        if reader is None:
            raise NoExerciseLeft
        row = selectors.next_review(reader, query.game)
        return Response(ExerciseJson.of(row, selectors.position_of(row), None))


class ExercisesOfTheDay(APIView):
    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="daily_exercises",
        summary="Read the exercises of the day",
        tags=["exercises"],
        responses={200: DailyExercises},
    )
    def get(self, request: Request) -> Response:
        """One of each game for everybody. Needs no key."""
        day, reader = selectors.today(), request.user.pk
        rows = [selectors.of_the_day(g.slug, day) for g in selectors.games_with_exercises()]
        return Response(DailyExercises(day, [_body(row, reader) for row in rows if row]))


class ExerciseDetail(APIView):
    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="exercise",
        summary="Read an exercise",
        tags=["exercises"],
        responses={200: ExerciseJson, **refusals(NoSuchExercise)},
    )
    def get(self, request: Request, exercise_id: UUID) -> Response:
        """The position; with what each move is worth once you have answered."""
        return _shown(selectors.find(exercise_id, request.user.pk), request.user.pk)


class ExerciseAttempts(APIView):
    @extend_schema(
        operation_id="attempt_exercise",
        summary="Answer an exercise",
        tags=["exercises"],
        request=AnswerExercise,
        responses={200: ExerciseAnswer, **refusals(NoSuchExercise, NotAMoveHere)},
    )
    def post(self, request: Request, exercise_id: UUID) -> Response:
        """Your first answer counts: you and the exercise are rated against each other.

        Later ones are practice, and so are those of guests, of bot accounts, and of people who sat
        at the table. What you get wrong comes up again later.
        """
        user, body = signed_in(request), body_of(request, AnswerExercise)
        answer = solving.answer(user=user, exercise_id=exercise_id, move=body.move)
        return Response(ExerciseAnswer.of(answer))


def _shown(row: Exercise, reader: UUID | None) -> Response:
    return Response(_body(row, reader))


def _body(row: Exercise, reader: UUID | None) -> ExerciseJson:
    attempt = selectors.attempt_of(row, reader)
    answer = solving.stored_answer(row, attempt) if attempt else None
    return ExerciseJson.of(row, selectors.position_of(row), answer)
