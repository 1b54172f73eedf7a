"""The lesson of Pyanitsa: a trick taken, a trick lost, a dispute."""

from typing import Final

from cardroom.rules.lesson import Lesson, LessonStep
from cardroom.rules.text import say

_NOTHING_ELSE: Final = say("There is nothing to choose: turn up the top card of your stack.")

LESSON: Final = Lesson(
    seed=166,
    steps=(
        LessonStep(
            move="flip",
            words=say("Nobody knows their own cards: turn up the top card of your stack."),
            wrong=_NOTHING_ELSE,
            replies=((1, "flip"),),
        ),
        LessonStep(
            move="flip",
            words=say("Your ace was higher than the six, so you took both: turn up the next card."),
            wrong=_NOTHING_ELSE,
            replies=((1, "flip"), (1, "flip")),
        ),
        LessonStep(
            move="flip",
            words=say(
                "Your six lost to a king, and who takes a trick leads the next one: an ace lies"
                " there, answer it."
            ),
            wrong=_NOTHING_ELSE,
            replies=((1, "flip"),),
        ),
        LessonStep(
            move="flip",
            words=say(
                "Two aces are a dispute: both lay one more card, and the higher one takes all four."
            ),
            wrong=_NOTHING_ELSE,
        ),
    ),
    end=say(
        "Your king won the dispute and four cards with it: who holds the whole deck in the end has"
        " won, and luck alone decides."
    ),
)
