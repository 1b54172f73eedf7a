"""The lesson of Pişti: a match, a pişti, a card that nobody wants, a jack that takes all."""

from typing import Final

from cardroom.rules.lesson import Lesson, LessonStep
from cardroom.rules.text import say

LESSON: Final = Lesson(
    seed=642,
    preset="single",
    steps=(
        LessonStep(
            move="KC",
            card="KC",
            words=say("A king lies on the pile: play your king, and the whole pile is yours."),
            wrong=say("The same rank or a jack takes the pile: use the king and keep the jack."),
            replies=((1, "3C"),),
        ),
        LessonStep(
            move="3S",
            card="3S",
            words=say(
                "Your rival had to lay a three on the empty table: take this single card with your"
                " three, which is a pişti and scores 10 points."
            ),
            wrong=say("A single card taken by its own rank is a pişti; this card makes none."),
            replies=((1, "QD"),),
        ),
        LessonStep(
            move="8D",
            card="8D",
            words=say(
                "You hold no queen: lay the eight, which scores nothing, and keep the jack for a"
                " pile that is worth it."
            ),
            wrong=say("A jack takes any pile, but a single queen is too little for it."),
            replies=((1, "AS"),),
        ),
        LessonStep(
            move="JH",
            card="JH",
            words=say(
                "Now an ace lies there, and aces and jacks score a point each: play the jack, which"
                " takes everything."
            ),
            wrong=say("No other card takes this pile: a jack takes any."),
            replies=((1, "2S"),),
        ),
    ),
    end=say(
        "That is Pişti: four new cards come each time the hands are empty, and who took most cards"
        " scores 3 points more."
    ),
)
