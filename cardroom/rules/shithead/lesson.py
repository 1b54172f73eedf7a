"""The lesson of Shithead: an exchange, low cards first, a ten that burns, a pile picked up."""

from typing import Final

from cardroom.rules.lesson import Lesson, LessonStep
from cardroom.rules.text import say

LESSON: Final = Lesson(
    seed=5936,
    preset="traditional",
    steps=(
        LessonStep(
            move="swap AH 5C",
            card="AH",
            words=say(
                "Strong cards belong on the table, where you play them last: swap your ace for the"
                " five that lies there."
            ),
            wrong=say("The open cards are played when the hand is empty: put the ace there."),
        ),
        LessonStep(
            move="ready",
            words=say("Keep the ten in your hand for now, and say that you are ready."),
            wrong=say("One exchange is enough here; the first card is played when all are ready."),
            replies=((1, "ready"),),
        ),
        LessonStep(
            move="4D",
            card="4D",
            words=say(
                "You hold the lowest card, so you begin: lay the four while it may be played."
            ),
            wrong=say("Low cards are hard to get rid of later: begin with the four."),
            replies=((1, "8C"),),
        ),
        LessonStep(
            move="TS",
            card="TS",
            words=say(
                "On an eight you need an eight or more: the ten goes on everything, burns the pile,"
                " and you play again."
            ),
            wrong=say("A five is too low for an eight, and only the ten burns the pile."),
        ),
        LessonStep(
            move="5C",
            card="5C",
            words=say("The pile is gone, so anything may be played: lay the five, your lowest."),
            wrong=say("On an empty pile every card may be played, so spend the lowest one."),
            replies=((1, "9C"),),
        ),
        LessonStep(
            move="JC",
            card="JC",
            words=say("A nine lies there and a six is too low: cover it with a jack, the club."),
            wrong=say("A six is too low for a nine, and one jack, the club, is enough."),
            replies=((1, "QC"),),
        ),
        LessonStep(
            move="pickup",
            words=say(
                "Nothing of yours beats a queen: pick up the pile, and play it away again later."
            ),
            wrong=say("None of your cards may be played on a queen, so the pile is yours."),
        ),
    ),
    end=say(
        "That is Shithead: hand first, then the open cards, then the hidden ones; only the last one"
        " with cards loses."
    ),
)
