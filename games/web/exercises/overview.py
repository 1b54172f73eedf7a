"""The overview: each game with its themes, the one of the day, what comes up again."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from cardroom.rules.game import AnyGame
from cardroom.rules.theme import Theme
from games.exercises import selectors
from games.exercises.models import Attempt, Exercise, Solver
from games.exercises.rating import shown_rating
from games.exercises.selectors import ThemeCount


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
