"""The lesson: a first trick, guided."""

from typing import Final

from cardroom.rules.lesson import Lesson, LessonStep
from cardroom.rules.text import say

LESSON: Final = Lesson(
    seed=1,
    steps=(
        LessonStep(
            move="KS",
            card="KS",
            words=say("The highest card takes the trick: lay your highest one."),
            wrong=say("A higher card of yours has the better chance to take the trick."),
        ),
    ),
    end=say("Who takes the most tricks wins."),
)
