"""The lesson of Pazaak: draw, end the turn, mend the total with a side card, stand at 20."""

from typing import Final

from cardroom.rules.lesson import Lesson, LessonStep
from cardroom.rules.text import say

LESSON: Final = Lesson(
    seed=46,
    options={"rounds_to_win": 1},
    steps=(
        LessonStep(
            move="draw",
            words=say("Come as near to 20 as you can without going over: draw your first card."),
            wrong=say("Who stands takes no more cards: with 0 that would lose the round."),
        ),
        LessonStep(
            move="pass",
            words=say(
                "You have 8: no side card helps yet, so end your turn and keep all four of them."
            ),
            wrong=say("A side card is gone once it is played; keep it until it makes 20."),
            replies=((1, "draw"), (1, "pass")),
        ),
        LessonStep(
            move="draw",
            words=say("With 8 no card of the deck can bring you over 20: draw again."),
            wrong=say("The highest card is a 10, so with 8 you risk nothing by drawing."),
        ),
        LessonStep(
            move="pass",
            words=say("12 is still far from 20: end your turn and keep your side cards."),
            wrong=say("No side card of yours brings 12 to 20; keep them for a total that is near."),
            replies=((1, "draw"), (1, "pass")),
        ),
        LessonStep(
            move="draw",
            words=say(
                "From 12 a 9 or a 10 would be too much, but 12 will not win: draw once more."
            ),
            wrong=say("Your rival only needs 13 to beat a 12, so standing now would lose."),
        ),
        LessonStep(
            move="P5",
            card="P5",
            words=say(
                "15, and you hold a side card that adds 5: play it to make 20, and you stand by"
                " yourself."
            ),
            wrong=say("Only the side card +5 makes exactly 20 out of 15."),
            replies=((1, "draw"), (1, "pass"), (1, "stand")),
        ),
    ),
    end=say(
        "Your rival stood with 18, so the round is yours; a match is won with two of them, and your"
        " side cards come out of a deck that you choose."
    ),
)
