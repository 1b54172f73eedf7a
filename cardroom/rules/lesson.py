"""A lesson: one guided hand of a game, told as data by the game itself.

The deal is sealed by a fixed seed, the moves are played by the game's own rules, so a lesson is a
position for each step and holds no match. The learner has the first seat.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from cardroom.rules.shuffles import SECRET, Sealed
from cardroom.rules.text import Words
from cardroom.rules.values import Event, Move, Seat, Setup

LEARNER: Final[Seat] = 0


@dataclass(frozen=True)
class LessonStep:
    """One thought and the move that it asks for.

    ``move``: what the learner is to play; ``words``: the thought, one sentence; ``wrong``: the rule
    that speaks against another move; ``card``: the card that it is about; ``replies``: what the
    other seats play then.
    """

    move: Move
    words: Words
    wrong: Words
    card: str = ""
    replies: Sequence[tuple[Seat, Move]] = ()


@dataclass(frozen=True)
class Lesson:
    """``end``: what was learned; ``preset`` and ``options`` as a match is opened."""

    seed: int
    steps: Sequence[LessonStep]
    end: Words
    preset: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class LessonPosition:
    """Before the step ``number``, after the last one for ``len(lesson.steps)``.

    ``plies``: the events of the deal and of each move so far, as they happened.
    """

    number: int
    options: Any
    state: Any
    plies: Sequence[Sequence[Event]]


def lesson_positions(game: Any, lesson: Lesson) -> Iterator[LessonPosition]:
    """Before each step and at the end; raises what the rules raise of a move they refuse."""
    options = game.choose_options(lesson.options, lesson.preset)
    setups = [game.complete_setup(options, Setup(name="")) for _ in range(game.seats(options))]
    shuffle = Sealed(lesson.seed.to_bytes(SECRET, "big"))
    dealt = game.start(options, setups, shuffle)
    state, plies = dealt.state, [dealt.events]
    for number, step in enumerate(lesson.steps):
        yield LessonPosition(number, options, state, tuple(plies))
        for seat, move in ((LEARNER, step.move), *step.replies):
            played = game.play(state, seat, move, shuffle)
            state = played.state
            plies.append(played.events)
    yield LessonPosition(len(lesson.steps), options, state, tuple(plies))
