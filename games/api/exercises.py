"""Exercises: positions with one best move, read and answered."""

from datetime import date
from typing import Annotated, Any
from uuid import UUID

import msgspec

from accounts.models import User
from cardroom.rules.game import AnyGame
from cardroom.rules.values import Reason
from config.api.json import ROOT
from config.api.operations import Api
from config.api.operations import answer as fill
from games.api.bodies import Body
from games.api.match_answers import LegalMove
from games.coaching.judging import Grade
from games.exercises import selectors, solving
from games.exercises.models import Exercise, Solver
from games.exercises.searching import Position
from games.exercises.selectors import ThemeCount
from games.exercises.solving import Answer
from games.language import words
from games.ratings.scale import Belief, deviation, rating

api = Api("exercises")


class ExerciseQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Empty: of any game, of any theme. With `mistakes` what is due of your own mistakes."""

    game: Annotated[str, msgspec.Meta(max_length=32)] = ""
    theme: Annotated[str, msgspec.Meta(max_length=32)] = ""
    mistakes: bool = False


class AnswerExercise(Body, frozen=True):
    """`move` is one of `legal_moves`, or one that does the same."""

    move: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class SolverRating(msgspec.Struct, frozen=True):
    """How well you solve the exercises of a game; no match has a part in it."""

    rating: float
    deviation: float
    attempts: int
    solved: int

    @classmethod
    def of(cls, row: Solver) -> "SolverRating":
        exact = {"rating": rating(row.mean), "deviation": deviation(row.variance)}
        return fill(cls, row, **{name: round(value, 1) for name, value in exact.items()})


class ExerciseTheme(msgspec.Struct, frozen=True):
    """`tried` are those of `exercises` that you have answered."""

    theme: str
    name: str
    summary: str
    exercises: int
    tried: int

    @classmethod
    def of(cls, game: AnyGame, count: ThemeCount) -> "ExerciseTheme":
        assert game.themes is not None  # noqa: S101 - only such games are counted
        theme = game.themes.names[count.theme]
        name, summary = words(theme.name), words(theme.summary)
        return cls(count.theme, name, summary, count.exercises, count.tried)


class GameExercises(msgspec.Struct, frozen=True):
    """`yours` is null without a key, and before your first answer that counts."""

    game: str
    themes: list[ExerciseTheme]
    yours: SolverRating | None


class Exercises(msgspec.Struct, frozen=True):
    """`due`: how many of your mistakes come up again now."""

    games: list[GameExercises]
    due: int


class WeighedMove(msgspec.Struct, frozen=True):
    """A move with the chance to win and its standard error; `why` is `reason` in words.

    Where only the last one loses, the chance is not to be last.
    """

    move: str
    label: str
    chance: float
    error: float
    grade: Grade
    reason: Reason | None
    why: str


class ExerciseAnswer(msgspec.Struct, frozen=True):
    """What an answer came to. `choices` are all moves, the best first.

    `counted`: it was your first answer and moved both ratings. `match` and `version` say where the
    position comes from, null for an exercise that came with the software. `played` is what you
    played there, if it was a mistake of yours.
    """

    move: str
    solved: bool
    first: bool
    counted: bool
    rating_before: float | None
    rating_after: float | None
    choices: list[WeighedMove]
    match: UUID | None
    version: int | None
    played: str | None

    @classmethod
    def of(cls, answer: Answer) -> "ExerciseAnswer":
        row, position = answer.exercise, answer.position
        return cls(
            move=answer.move,
            solved=answer.is_solved,
            first=answer.is_first,
            counted=answer.before is not None,
            rating_before=_rating(answer.before),
            rating_after=_rating(answer.after),
            choices=[_weighed(position, at) for at in range(len(position.choices))],
            match=row.match_id,
            version=row.version,
            played=position.played,
        )


class ExerciseJson(msgspec.Struct, frozen=True):
    """A position as the seat to move saw it: its `view`, and the `events` that it remembers.

    No seat is named. `answer` is null until you have answered; nothing before tells it. `own`: a
    mistake of yours, which nobody else sees and which is not rated.
    """

    id: UUID
    game: str
    theme: str
    rating: float
    own: bool
    options: dict[str, Any]
    view: dict[str, Any]
    events: list[dict[str, Any]]
    legal_moves: list[LegalMove]
    answer: ExerciseAnswer | None
    links: dict[str, str]

    @classmethod
    def of(cls, row: Exercise, position: Position, answer: Answer | None) -> "ExerciseJson":
        return fill(
            cls,
            row,
            rating=round(rating(row.mean), 1),
            own=row.owner_id is not None,
            options=msgspec.json.decode(position.options),
            view=msgspec.json.decode(position.view),
            events=msgspec.json.decode(position.events),
            legal_moves=[
                LegalMove(move, words(position.rules.label(move)))
                for move in position.seen.legal_moves
            ],
            answer=ExerciseAnswer.of(answer) if answer else None,
            links={"self": f"{ROOT}exercises/{row.pk}", "page": f"/exercises/{row.pk}"},
        )


class DailyExercises(msgspec.Struct, frozen=True):
    """One of each game, the same for everybody. Days are those of UTC."""

    day: date
    exercises: list[ExerciseJson]


def _rating(belief: Belief | None) -> float | None:
    return round(rating(belief.mean), 1) if belief else None


def _weighed(position: Position, at: int) -> WeighedMove:
    choice, rules = position.choices[at], position.rules
    reason = position.reasons.get(choice.move)
    why = words(rules.reasons.words(reason)) if rules.reasons and reason else ""
    label, grade = words(rules.label(choice.move)), position.grade_of(choice)
    return fill(WeighedMove, choice, label=label, grade=grade, reason=reason, why=why)


@api.get("exercises")
def exercises(reader: UUID | None) -> Exercises:
    """List the themes of exercises

    Each game with its themes and, with a key, how far you are. Needs no key.
    """
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
    return Exercises(games, due)


@api.get("exercises/next", refuses=[selectors.NoExerciseLeft])
def next_exercise(reader: UUID | None, query: ExerciseQuery) -> ExerciseJson:
    """Read the next exercise

    The one nearest to your rating that you have not answered; the same until you do.

    With `mistakes` the one of yours that has been due for longest, without its `answer`.
    """
    if not query.mistakes:
        return _body(selectors.next_for(reader, query.game, query.theme), reader)
    if reader is None:
        raise selectors.NoExerciseLeft
    row = selectors.next_review(reader, query.game)
    return ExerciseJson.of(row, selectors.position_of(row), None)


@api.get("exercises/daily")
def daily_exercises(reader: UUID | None) -> DailyExercises:
    """Read the exercises of the day

    One of each game for everybody. Needs no key.
    """
    day = selectors.today()
    rows = [selectors.of_the_day(g.slug, day) for g in selectors.games_with_exercises()]
    return DailyExercises(day, [_body(row, reader) for row in rows if row])


@api.get("exercises/<uuid:exercise_id>", refuses=[selectors.NoSuchExercise])
def exercise(reader: UUID | None, exercise_id: UUID) -> ExerciseJson:
    """Read an exercise

    The position; with what each move is worth once you have answered.
    """
    return _body(selectors.find(exercise_id, reader), reader)


@api.post(
    "exercises/<uuid:exercise_id>/attempts",
    refuses=[selectors.NoSuchExercise, selectors.NotAMoveHere],
)
def attempt_exercise(user: User, body: AnswerExercise, exercise_id: UUID) -> ExerciseAnswer:
    """Answer an exercise

    Your first answer counts: you and the exercise are rated against each other.

    Later ones are practice, and so are those of guests, of bot accounts, and of people who sat
    at the table. What you get wrong comes up again later.
    """
    return ExerciseAnswer.of(solving.answer(user=user, exercise_id=exercise_id, move=body.move))


def _body(row: Exercise, reader: UUID | None) -> ExerciseJson:
    attempt = selectors.attempt_of(row, reader)
    answer = solving.stored_answer(row, attempt) if attempt else None
    return ExerciseJson.of(row, selectors.position_of(row), answer)
